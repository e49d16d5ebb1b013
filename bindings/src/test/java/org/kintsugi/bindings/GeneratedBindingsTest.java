// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Java in src/gen/java is what the presets make of the headers of an installed Open MPI. {@code make bindings} writes it
 * anew, by this test.
 */
@Timeout(120)
class GeneratedBindingsTest {
  private static final Path COMMITTED = Path.of("src", "gen", "java");

  private static final Pattern CONSTANT = Pattern.compile("(?m)^\\s*(?:public static final int )?(MPI_\\w+) = (-?\\w+)[,;]");

  @TempDir
  private Path work;

  @Test
  void theyAreWhatThePresetsMakeOfTheHeaders() throws Exception {
    String mpi = System.getProperty("kintsugi.test.mpi", "");
    assumeTrue(!mpi.isEmpty(), "no Open MPI with ULFM was found: there are no headers to compare with");
    Map<String, String> made = GeneratedBindings.of(Path.of(mpi), work);
    if (Boolean.getBoolean("kintsugi.bindings.write")) {
      write(made);
    }
    Map<String, String> committed = committed();
    if (version(made).equals(version(committed))) {
      assertThat(made.keySet()).isEqualTo(committed.keySet());
      made.forEach((file, text) -> assertThat(text).as("%s: make bindings writes it anew", file).isEqualTo(committed.get(file)));
    } else {
      // Another release: its header may have other comments, and more functions, but not other numbers.
      assertThat(constants(made)).as("numbers of Open MPI %s: make bindings writes them", version(made))
          .containsAllEntriesOf(constants(committed));
    }
  }

  private static Map<String, String> committed() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.walk(COMMITTED)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        texts.put(COMMITTED.relativize(file).toString(), Files.readString(file));
      }
    }
    return texts;
  }

  private static void write(Map<String, String> made) throws IOException {
    for (Map.Entry<String, String> file : made.entrySet()) {
      Files.createDirectories(COMMITTED.resolve(file.getKey()).getParent());
      Files.writeString(COMMITTED.resolve(file.getKey()), file.getValue());
    }
  }

  private static String version(Map<String, String> texts) {
    StringBuilder version = new StringBuilder();
    for (String part : new String[] {"MAJOR", "MINOR", "RELEASE"}) {
      Matcher number = Pattern.compile("OMPI_" + part + "_VERSION = (\\d+);").matcher(mpi(texts));
      assertThat(number.find()).as(part).isTrue();
      version.append(version.length() == 0 ? "" : ".").append(number.group(1));
    }
    return version.toString();
  }

  private static Map<String, String> constants(Map<String, String> texts) {
    Map<String, String> values = new TreeMap<>();
    Matcher constant = CONSTANT.matcher(mpi(texts));
    while (constant.find()) {
      values.put(constant.group(1), constant.group(2));
    }
    values.keySet().removeIf(name -> name.matches("MPI_(SUB)?VERSION"));
    assertThat(values).hasSizeGreaterThan(100);
    return values;
  }

  private static String mpi(Map<String, String> texts) {
    return texts.getOrDefault("org/kintsugi/bindings/MPI.java", "");
  }
}
