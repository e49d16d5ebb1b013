// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The targets of the project's documents exist: files, folders, and headings. */
class LinksTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  private static List<Path> documents() throws IOException {
    try (Stream<Path> top = Files.list(ROOT); Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(top, docs).filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  /** As GitHub makes a heading's anchor. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  private static boolean hasHeading(Path document, String anchor) throws IOException {
    return HEADING.matcher(Files.readString(document)).results().anyMatch(heading -> anchor(heading.group(1)).equals(anchor));
  }

  @Test
  void leadSomewhere() throws IOException {
    List<String> dead = new ArrayList<>();
    int links = 0;
    for (Path document : documents()) {
      Matcher link = LINK.matcher(Files.readString(document));
      while (link.find()) {
        String to = link.group(1);
        if (to.contains("://")) {
          continue;
        }
        links++;
        Path target = to.isEmpty() ? document : document.resolveSibling(to);
        if (!Files.exists(target) || link.group(2) != null && !hasHeading(target, link.group(2))) {
          dead.add(ROOT.relativize(document) + ": " + link.group());
        }
      }
    }
    assertThat(dead).isEmpty();
    assertThat(links).as("links looked at").isGreaterThan(20);
  }

  /** A reader of the site, which {@code make docs} builds, can reach every page. */
  @Test
  void everyPageIsInTheNavigation() throws IOException {
    String navigation = Files.readString(ROOT.resolve("config/site/mkdocs.yml"));
    try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
      assertThat(pages.map(page -> page.getFileName().toString()).filter(name -> name.endsWith(".md")))
          .allSatisfy(name -> assertThat(navigation).contains(": " + name + "\n"));
    }
  }
}
