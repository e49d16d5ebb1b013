// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.openmpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/** The patches that anybody may send to Open MPI are messages that its projects accept, and have reproducers that compile. */
class UpstreamSeriesTest {
  private static final Path FOLDER =
      Checkout.FOLDER.resolve("native/openmpi/upstream");
  private static final int LONGEST_LINE = 80;
  private static final int LIMIT_SECONDS = 60;

  @TempDir
  private Path folder;

  private static List<Path> files(String folder, String end) throws IOException {
    try (Stream<Path> files = Files.list(FOLDER.resolve(folder))) {
      return files.filter(file -> file.getFileName().toString().endsWith(end)).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ompi", "openpmix", "prrte"})
  void messagesAreAsTheProjectsWantThem(String project) throws IOException {
    List<Path> patches = files(project, ".patch");
    assertThat(patches).isNotEmpty();
    for (Path patch : patches) {
      String text = Files.readString(patch);
      String message = text.substring(text.indexOf("Subject: "), text.indexOf("\n---\n"));
      assertThat(message).as(patch.toString()).matches("(?s)Subject: \\[PATCH \\d+/" + patches.size()
          + "\\] [a-z/0-9]+: [a-z].*");
      // It is the sender's, who has to agree to the projects' rules.
      assertThat(message).as(patch.toString()).doesNotContain("Signed-off-by", "Kintsugi");
      assertThat(message.lines().skip(2)).as(patch.toString()).allMatch(line -> line.length() <= LONGEST_LINE);
    }
  }

  @Test
  void thePageHasAllOfThem() throws IOException {
    String page = Files.readString(FOLDER.resolve("README.md"));
    for (String project : List.of("ompi", "openpmix", "prrte")) {
      for (Path patch : files(project, ".patch")) {
        assertThat(page).contains("| " + project + "/" + patch.getFileName().toString().substring(0, 4) + " ");
      }
    }
    for (Path program : files("reproducers", ".c")) {
      assertThat(page).contains("`" + program.getFileName().toString().replace(".c", "") + "`");
    }
  }

  @Test
  void reproducersCompile() throws IOException, InterruptedException {
    Path compiler = RankJob.mpiOrSkip(Flavour.ULFM).prefix().resolve("bin/mpicc");
    List<Path> programs = files("reproducers", ".c");
    assertThat(programs).isNotEmpty();
    for (Path program : programs) {
      List<String> line = new ArrayList<>(List.of(compiler.toString(), "-Wall", "-Wextra", "-Werror", "-fsyntax-only"));
      line.add(program.toString());
      Path output = folder.resolve("output");
      Process process = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile()).start();
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as(program.toString()).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    }
  }
}
