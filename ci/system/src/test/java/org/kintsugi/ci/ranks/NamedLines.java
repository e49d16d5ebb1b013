// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kintsugi.ci.checkout.Checkout;

/** The lines of a test's program as messages to the user name them: {@code Mistakes.java:12 main()}. */
public final class NamedLines {
  private static final Path SOURCES = Checkout.FOLDER.resolve("ci/system/src/test/java");

  private NamedLines() {}

  /** The file that a program is in. */
  public static Path file(Class<?> program) {
    return SOURCES.resolve(program.getName().replaceFirst("\\$.*", "").replace('.', '/') + ".java");
  }

  /**
   * Somewhere in the output a line of the program is named.
   *
   * @param before a pattern of what stands before that, in one line of the output
   * @param words what the program has in that line
   */
  public static void assertNames(String output, String before, Class<?> program, String words) throws IOException {
    Path file = file(program);
    Matcher found = Pattern.compile(before + ".*" + Pattern.quote(file.getFileName().toString()) + ":(\\d+) main\\(\\)")
        .matcher(output);
    assertThat(found.find()).as(before + " in:\n" + output).isTrue();
    assertThat(Files.readAllLines(file).get(Integer.parseInt(found.group(1)) - 1)).as(output).contains(words);
  }
}
