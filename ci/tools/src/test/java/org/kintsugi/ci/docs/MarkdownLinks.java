// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The links of a folder's documents to files, folders and headings.
 *
 * @param number of links
 * @param broken those that lead nowhere, each with its document
 */
public record MarkdownLinks(int number, List<String> broken) {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  /** Of the Markdown in a folder, and in and below its folder {@code docs}. */
  public static MarkdownLinks of(Path root) throws IOException {
    List<String> broken = new ArrayList<>();
    int number = 0;
    for (Path document : documents(root)) {
      Matcher link = LINK.matcher(Files.readString(document));
      while (link.find()) {
        String to = link.group(1);
        if (to.contains("://")) {
          continue;
        }
        number++;
        Path target = to.isEmpty() ? document : document.resolveSibling(to);
        if (!Files.exists(target) || link.group(2) != null && !hasHeading(target, link.group(2))) {
          broken.add(root.relativize(document) + ": " + link.group());
        }
      }
    }
    return new MarkdownLinks(number, broken);
  }

  private static List<Path> documents(Path root) throws IOException {
    try (Stream<Path> top = Files.list(root); Stream<Path> docs = Files.walk(root.resolve("docs"))) {
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
}
