// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.checkout.Checkout;

/** The pages that are made from data are what {@code make pages} writes, and the data name what exists. */
class PagesTest {

  @Test
  void pagesAreNotStale() throws IOException {
    Map<String, String> pages = Pages.of(Checkout.FOLDER);
    assertThat(pages).hasSizeGreaterThan(2);
    for (Map.Entry<String, String> page : pages.entrySet()) {
      assertThat(Files.readString(Checkout.FOLDER.resolve(page.getKey()))).as(page.getKey() + " is stale: run make pages")
          .isEqualTo(page.getValue()).startsWith("<!-- Written by make pages, from ").contains(" -->\n\n# ");
    }
  }

  @Test
  void testsOfIssuesExist() throws IOException {
    List<String> classes = namesBelow(Checkout.FOLDER, "/src/test/java/");
    assertThat(classes).hasSizeGreaterThan(100);
    for (Issue issue : issues()) {
      assertThat(issue.tests()).allSatisfy(
          test -> assertThat(classes).as(issue.name()).anyMatch(file -> file.endsWith("/" + test + ".java")));
    }
  }

  @Test
  void patchesOfIssuesExist() throws IOException {
    Path folder = Checkout.FOLDER.resolve("native/openmpi/patches");
    List<String> patches = namesBelow(folder, ".patch");
    for (Issue issue : issues()) {
      assertThat(issue.patches()).allSatisfy(
          patch -> assertThat(patches).as(issue.name()).anyMatch(file -> file.startsWith(patch)));
    }
  }

  @Test
  void filesOfAnotherFormAreRefused() {
    List<String> right = List.of("who: every, fork", "area: start", "symptom: >", "  It does", "  not start.", "do: wait");
    assertThat(Issue.of("name", right).symptom()).isEqualTo("It does not start.");
    refused("who: everybody", right.get(1), "symptom: x", "do: y");
    refused(right.get(0), "area: beginning", "symptom: x", "do: y");
    refused(right.get(0), right.get(1), "do: y");
    refused(right.get(0), right.get(1), "symptom: x");
    refused(right.get(0), right.get(1), "symptom: x", "do: y", "symptoms: x");
    refused(right.get(0), right.get(1), "symptom: x", "do: y", "symptom: y");
    refused(right.get(0), right.get(1), "symptom: " + "long ".repeat(90), "do: " + "long ".repeat(10));
    refused("who: stock", right.get(1), "symptom: x");
    refused(right.get(0), right.get(1), "symptom: it hangs without a fragment", "do: y");
  }

  private static void refused(String... lines) {
    assertThatIllegalArgumentException().isThrownBy(() -> Issue.of("name", List.of(lines)))
        .withMessageStartingWith("docs/issues/name.yaml: ");
  }

  private static List<Issue> issues() throws IOException {
    List<Issue> issues = Issue.readAll(Checkout.FOLDER.resolve("docs/issues"));
    assertThat(issues).hasSizeGreaterThan(50);
    return issues;
  }

  /** Paths below a folder that contain a text, relative to the folder. */
  private static List<String> namesBelow(Path folder, String part) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(file -> folder.relativize(file).toString()).filter(name -> name.contains(part)).toList();
    }
  }
}
