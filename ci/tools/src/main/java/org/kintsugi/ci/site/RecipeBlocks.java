// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.site;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The programs in {@code examples/recipes} are the blocks of {@code docs/recipes.md}: the page
 * has each from its class on, without the imports. {@code make check} compares them; {@code
 * --write} writes the page.
 *
 * <p>A class of its own, so that {@code java RecipeBlocks.java CHECKOUT} runs it.
 */
public final class RecipeBlocks {
  private static final String PROGRAMS = "examples/recipes";
  private static final String PAGE = "docs/recipes.md";
  private static final int MOST_LINES = 59;
  private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(public class (\\w+) .*?)```\n");
  private static final Pattern CLASS = Pattern.compile("(?m)^public class ");

  private final TreeMap<String, String> programs = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();

  private RecipeBlocks() {}

  /**
   * Exits with 1 if the page has another text than a program.
   *
   * @param args the project's folder, and {@code --write} to write the page
   */
  public static void main(String[] args) throws IOException {
    System.exit(run(Path.of(args[0]), args.length > 1 && args[1].equals("--write"), System.out));
  }

  static int run(Path root, boolean write, PrintStream out) throws IOException {
    RecipeBlocks blocks = new RecipeBlocks();
    blocks.read(root.resolve(PROGRAMS));
    String page = Files.readString(root.resolve(PAGE));
    String whole = blocks.replaced(page);
    if (write) {
      Files.writeString(root.resolve(PAGE), whole);
    } else if (!whole.equals(page)) {
      blocks.faults.add(PAGE + " has other programs than " + PROGRAMS
          + ": java ci/tools/src/main/java/org/kintsugi/ci/site/RecipeBlocks.java . --write");
    }
    blocks.faults.forEach(out::println);
    return blocks.faults.isEmpty() ? 0 : 1;
  }

  private void read(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String text = Files.readString(file);
        Matcher begin = CLASS.matcher(text);
        long lines = text.lines().count();
        if (lines > MOST_LINES) {
          faults.add(file + ": " + lines + " lines; a recipe has " + MOST_LINES + " at most");
        }
        if (begin.find()) {
          programs.put(file.getFileName().toString().replace(".java", ""), text.substring(begin.start()));
        } else {
          faults.add(file + ": no public class");
        }
      }
    }
  }

  /** The page with the programs in their blocks. Programs that it has in its text only stay. */
  private String replaced(String page) {
    List<String> missing = new ArrayList<>(programs.keySet());
    String whole = BLOCK.matcher(page).replaceAll(block -> {
      missing.remove(block.group(2));
      return Matcher.quoteReplacement("```java\n" + programs.getOrDefault(block.group(2), block.group(1)) + "```\n");
    });
    missing.forEach(name -> faults.add(PAGE + " has no block for " + PROGRAMS + "/" + name + ".java"));
    return whole;
  }
}
