// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.ci.checkout.Checkout;

/** The steps of {@code make docs} around the generator, without the generator. */
class SiteTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]+)(#[^)\\s]+)?\\)");

  @TempDir
  private Path folder;

  @Test
  void whatPagesLinkToComesAlong() throws IOException {
    Path described = folder.resolve("api/org/kintsugi/mpi/Comm.html");
    Files.createDirectories(described.getParent());
    Files.writeString(described, "");
    SitePages.main(new String[] {Checkout.FOLDER.toString(), folder.toString()});
    List<Path> pages;
    try (Stream<Path> files = Files.walk(folder)) {
      pages = files.filter(file -> file.toString().endsWith(".md")).toList();
    }
    for (Path page : pages) {
      for (MatchResult link : LINK.matcher(Files.readString(page)).results().toList()) {
        if (!link.group(1).contains("://")) {
          assertThat(page.resolveSibling(link.group(1))).as("%s in %s", link.group(), page).exists();
        }
      }
    }
    assertThat(pages.stream().map(page -> page.getFileName().toString())).contains("index.md", "contributing.md", "changelog.md",
        "native-openmpi-patches.md");
    assertThat(Files.readString(folder.resolve("api.md"))).contains("](api/org/kintsugi/mpi/Comm.html)",
        "](source/java-api/src/main/java/org/kintsugi/mpi/Buf.java.txt)");
    assertThat(folder.resolve("images/recovery.svg")).exists();
  }

  @Test
  void linksThatLeadNowhereAreFound() throws IOException {
    Files.createDirectories(folder.resolve("sub"));
    Files.writeString(folder.resolve("index.html"),
        "<a href=\"sub/other.html#there\"></a> <a href=\"sub\"></a> <a href=\"none.html\">"
            + "</a> <a href=\"sub/other.html#not\"></a> <img src=\"none.svg\"> "
            + "<a href=\"https://example.org/none\"></a> <a href=\"#x\">");
    String other = "<h2 id=\"there\"></h2> <a href=\"../index.html\"></a> <a href=\"/none\"></a>";
    Files.writeString(folder.resolve("sub/other.html"), other);
    Files.writeString(folder.resolve("sub/index.html"), "<a href=\"other.html?a=b&amp;c#there\"></a> <a href=\"../../x\"></a>");
    assertThat(SiteLinks.of(folder).broken()).containsExactly("index.html: #x", "index.html: none.html", "index.html: none.svg",
        "index.html: sub/other.html#not", "sub/index.html: ../../x", "sub/other.html: /none");
  }
}
