// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.ci.checkout.Checkout;

/** The pages of the manual, and what they consist of. */
final class Manual {
  static final Path DOCS = Checkout.FOLDER.resolve("docs");

  /** A block in fences, and a comment in front of it, which says what a fragment is compiled in. */
  private static final Pattern BLOCK = Pattern.compile("(?ms)(?:^<!-- compiled in: (.*?) -->\\n+)?^```(\\w+)\\n(.*?)^```$");
  private static final Pattern CLASS = Pattern.compile("(?m)^(?:public )?(?:final )?class (\\w+)");
  private static final Pattern INDENTED = Pattern.compile("(?m)(?:^ {4}.*\\n)+");

  private Manual() {}

  /**
   * One block of a page.
   *
   * @param language as the page has it
   * @param text the lines
   * @param context for a fragment: a class's members, with BODY in its place; else null
   * @param behind the indented blocks that follow it under the same heading: commands, and what they print
   */
  record Block(String language, String text, String context, List<String> behind) {
    /** The class in it, or null. */
    String mainClass() {
      Matcher name = CLASS.matcher(text);
      return name.find() ? name.group(1) : null;
    }

    /** Whether it is what other blocks of its page begin with. */
    boolean isImports() {
      return language.equals("java") && text.lines().allMatch(line -> line.startsWith("import "));
    }
  }

  static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(DOCS)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  static List<Block> blocks(Path page) throws IOException {
    String text = Files.readString(page);
    List<Block> all = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      String rest = text.substring(block.end()).replaceFirst("(?ms)^(#|```).*", "");
      List<String> behind = INDENTED.matcher(rest).results().map(match -> match.group().replaceAll("(?m)^ {4}", "")).toList();
      all.add(new Block(block.group(2), block.group(3), block.group(1), behind));
    }
    return all;
  }

  /** The lines of all indented blocks of a page that begin with a word. */
  static List<String> commands(Path page, String word) throws IOException {
    return Files.readString(page).lines().filter(line -> line.startsWith("    " + word + " ")).map(String::strip).toList();
  }
}
