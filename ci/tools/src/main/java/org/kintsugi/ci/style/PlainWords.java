// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.style;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds words that a reader from outside stumbles over, where people read: comments, messages, names of tests, classes and
 * files, and the manual.
 *
 * <p>{@code config/words.txt} has the words with their substitutes, and the exceptions with their reasons. {@code make check}
 * runs this class from its source: {@code java PlainWords.java FOLDER}.
 */
public final class PlainWords {
  private static final String LIST = "config/words.txt";
  private static final Pattern TEST_METHOD = Pattern.compile("^\\s*(?:@\\w+.*)?void (\\w+)\\(");
  private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|[-_.]");
  private static final Pattern CLASS = Pattern.compile("\\b(?:class|interface|enum|record) ([A-Z]\\w*)");
  private static final String OF_NAMES = "names: ";

  /** A comment or a string literal in Java and C, in this order of alternatives; the code between them is passed over. */
  private static final Pattern WRITTEN =
      Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])+'");

  /** The end of a patch's header. The lines after it are those of the sources that it changes. */
  private static final Pattern DIFF = Pattern.compile("(?m)^(--- |---$|diff )");

  /** A word that is not used. */
  private record Word(Pattern pattern, String substitute) {}

  /** Where a word may stay. */
  private record Exception(Pattern path, Pattern line) {}

  private final List<Word> words = new ArrayList<>();
  /** The words that names have to avoid, which are more. */
  private final List<Word> wordsOfNames = new ArrayList<>();
  private final List<Exception> exceptions = new ArrayList<>();
  private final List<String> found = new ArrayList<>();

  PlainWords(List<String> list) {
    for (String line : list) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] parts = line.split(" -> | :: ");
      if (line.contains(" :: ") && parts.length == 3) {
        exceptions.add(new Exception(Pattern.compile(parts[0].strip()), Pattern.compile(parts[1].strip())));
      } else if (line.contains(" -> ") && parts.length == 2) {
        String pattern = parts[0].strip().replaceFirst("^" + OF_NAMES, "");
        Word word = new Word(Pattern.compile("(?i)\\b(?:" + pattern + ")\\b"), parts[1].strip());
        wordsOfNames.add(word);
        if (!line.startsWith(OF_NAMES)) {
          words.add(word);
        }
      } else {
        throw new IllegalArgumentException(LIST + ": neither WORD -> SUBSTITUTE nor PATH :: LINE :: REASON: " + line);
      }
    }
  }

  /**
   * Exits with 1 if there are such words.
   *
   * @param args the project's folder
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(run(Path.of(args[0]), System.out));
  }

  private static int run(Path root, PrintStream out) throws IOException, InterruptedException {
    PlainWords check = new PlainWords(Files.readAllLines(root.resolve(LIST)));
    Process git = new ProcessBuilder("git", "-C", root.toString(), "ls-files", "-z").redirectErrorStream(true).start();
    String files = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (git.waitFor() != 0) {
      out.println("words: git does not list the files of " + root + ": " + files);
      return 1;
    }
    for (String file : files.split("\0")) {
      Path path = root.resolve(file);
      check.lookAtName(file);
      if (isRead(file) && Files.isRegularFile(path)) {
        check.look(file, Files.readString(path));
      }
    }
    check.found.forEach(out::println);
    if (!check.found.isEmpty()) {
      out.println(
          "words: " + check.found.size() + " lines with words that are not used; " + LIST + " has them and their substitutes");
    }
    return check.found.isEmpty() ? 0 : 1;
  }

  private static boolean isRead(String file) {
    return file.matches(".*\\.(java|c|h|sh|md|properties|xml|txt|patch)|Makefile|bin/.*|\\.ci/run|.*CMakeLists\\.txt")
        && !file.equals(LIST);
  }

  /** The lines of a file that have such a word in what people read. @return all that has been found so far */
  List<String> look(String file, String text) {
    if (file.endsWith(".java") || file.endsWith(".c") || file.endsWith(".h")) {
      Matcher written = WRITTEN.matcher(text);
      while (written.find()) {
        int line = 1 + (int) text.substring(0, written.start()).chars().filter(c -> c == '\n').count();
        look(file, line, written.group().split("\n", -1));
      }
      if (file.endsWith(".java")) {
        namesIn(file, WRITTEN.matcher(text).replaceAll(comment -> "\n".repeat(comment.group().split("\n", -1).length - 1)));
      }
    } else {
      Matcher diff = DIFF.matcher(text);
      String read = file.endsWith(".patch") && diff.find() ? text.substring(0, diff.start()) : text;
      look(file, 1, read.split("\n", -1));
    }
    return found;
  }

  /** The words of a file's name and its folders. @return all that has been found so far */
  List<String> lookAtName(String file) {
    look(wordsOfNames, file, 0, HUMP.matcher(file).replaceAll(" "));
    return found;
  }

  private void namesIn(String file, String code) {
    String[] lines = code.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      Matcher type = CLASS.matcher(lines[i]);
      if (type.find() && !file.endsWith("/" + type.group(1) + ".java")) {
        look(wordsOfNames, file, i + 1, HUMP.matcher(type.group(1)).replaceAll(" "));
      }
      Matcher method = TEST_METHOD.matcher(lines[i]);
      if (file.endsWith("Test.java") && method.find()) {
        look(words, file, i + 1, HUMP.matcher(method.group(1)).replaceAll(" "));
      }
    }
  }

  private void look(String file, int first, String... lines) {
    look(words, file, first, lines);
  }

  private void look(List<Word> avoided, String file, int first, String... lines) {
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i];
      for (Word word : avoided) {
        Matcher there = word.pattern.matcher(line);
        if (there.find() && exceptions.stream().noneMatch(e -> e.path.matcher(file).find() && e.line.matcher(line).find())) {
          found.add(file + ":" + (first + i) + ": \"" + there.group() + "\", better: " + word.substitute + ": " + line.strip());
        }
      }
    }
  }
}
