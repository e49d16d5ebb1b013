// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.checkout.Checkout;

/** The targets of the project's documents exist: files, folders, and headings. */
class LinksTest {

  @Test
  void leadSomewhere() throws IOException {
    MarkdownLinks links = MarkdownLinks.of(Checkout.FOLDER);
    assertThat(links.broken()).isEmpty();
    assertThat(links.number()).as("links looked at").isGreaterThan(20);
  }

  /** A reader of the site, which {@code make docs} builds, can reach every page. */
  @Test
  void everyPageIsInTheNavigation() throws IOException {
    String navigation = Files.readString(Checkout.FOLDER.resolve("config/site/mkdocs.yml"));
    try (Stream<Path> pages = Files.list(Checkout.FOLDER.resolve("docs"))) {
      assertThat(pages.map(page -> page.getFileName().toString()).filter(name -> name.endsWith(".md")))
          .allSatisfy(name -> assertThat(navigation).contains(": " + name + "\n"));
    }
    assertThat(navigation).contains(": decisions/index.md\n");
  }

  @Test
  void everyDecisionIsInTheirList() throws IOException {
    String list = Files.readString(Checkout.FOLDER.resolve("docs/decisions/index.md"));
    try (Stream<Path> pages = Files.list(Checkout.FOLDER.resolve("docs/decisions"))) {
      assertThat(pages.map(page -> page.getFileName().toString()).filter(name -> !name.equals("index.md")))
          .hasSizeGreaterThan(1).allSatisfy(name -> assertThat(list).contains("](" + name + ")\n"));
    }
  }
}
