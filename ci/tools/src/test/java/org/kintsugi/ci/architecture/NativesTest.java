// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.checkout.Checkout;

/** The native libraries print nothing and end no process: they return codes, and Java has the words. */
class NativesTest {
  private static final Path NATIVE = Checkout.FOLDER.resolve("native");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/");
  private static final Pattern CALL =
      Pattern.compile("\\b(v?[fd]?printf|f?puts|perror|abort|_?exit|_Exit|quick_exit|MPI_Abort) ?\\(");

  /** Each says at the place why it cannot be otherwise. */
  private static final Map<String, List<String>> EXCEPTIONS = Map.of(
      "reinit/links.c", List.of("fprintf"), "scr/scr_leave.c", List.of("MPI_Abort", "_exit", "abort"));

  /** Programs of their own, as in native/reinit/rank, and what only tests and benchmarks load, are in other folders. */
  private static List<Path> libraries() throws IOException {
    try (Stream<Path> all = Stream.of("src", "fti", "scr", "reinit").flatMap(NativesTest::sources)) {
      return all.toList();
    }
  }

  private static Stream<Path> sources(String folder) {
    try (Stream<Path> files = Files.list(NATIVE.resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(".c")).toList().stream();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void printNothingAndEndNoProcess() throws IOException {
    Map<String, List<String>> found = new TreeMap<>();
    List<Path> libraries = libraries();
    for (Path source : libraries) {
      String code = COMMENT.matcher(Files.readString(source)).replaceAll("");
      TreeSet<String> calls = new TreeSet<>();
      CALL.matcher(code).results().map(call -> call.group(1)).forEach(calls::add);
      if (!calls.isEmpty()) {
        found.put(NATIVE.relativize(source).toString(), List.copyOf(calls));
      }
    }
    assertThat(found).isEqualTo(EXCEPTIONS);
    assertThat(libraries).hasSizeGreaterThan(20);
  }
}
