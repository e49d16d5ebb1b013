// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.test.RankJob;

/** What the pages have people type to make is there: targets, variables, and the examples with their arguments. */
class MakeCommandsTest {
  private static final long LIMIT_SECONDS = 180;
  private static final Pattern COMMAND = Pattern.compile("(?m)(?:^ {4}|`)make ([a-z][^`\\n]*)");
  private static final Pattern VARIABLE = Pattern.compile("\\b([A-Z][A-Z_]+|N)=");

  private static Set<String> commands() throws IOException {
    List<Path> pages = new ArrayList<>(Manual.pages());
    pages.add(Checkout.FOLDER.resolve("README.md"));
    pages.add(Checkout.FOLDER.resolve("CONTRIBUTING.md"));
    Set<String> commands = new LinkedHashSet<>();
    for (Path page : pages) {
      Matcher command = COMMAND.matcher(Files.readString(page));
      while (command.find()) {
        commands.add(command.group(1).replaceFirst(" #.*", "").strip());
      }
    }
    return commands;
  }

  @Test
  void targetsAndVariablesAreThere() throws IOException {
    String makefile = Files.readString(Checkout.FOLDER.resolve("Makefile"));
    String scripts = scripts();
    List<String> unknown = new ArrayList<>();
    for (String command : commands()) {
      String target = command.split("\\s", 2)[0];
      if (!Pattern.compile("(?m)^" + Pattern.quote(target) + ":").matcher(makefile).find()) {
        unknown.add("target " + target + ": make " + command);
      }
      Matcher variable = VARIABLE.matcher(command.replaceAll("\"[^\"]*\"|'[^']*'", ""));
      while (variable.find()) {
        String name = variable.group(1);
        if (!Pattern.compile("\\$\\{?" + name + "\\b").matcher(scripts).find()) {
          unknown.add("variable " + name + ": make " + command);
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(commands()).hasSizeGreaterThan(50);
  }

  /** What the targets start takes its variables from the environment. */
  private static String scripts() throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.list(Checkout.FOLDER.resolve("ci/make"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }

  /** {@code make help} names each target, but the one that all others need. */
  @Test
  void helpNamesAllTargets() throws IOException {
    String makefile = Files.readString(Checkout.FOLDER.resolve("Makefile"));
    assertThat(names(makefile, "(?m)^  make ([a-z-]+)  ")).containsExactlyElementsOf(names(makefile, "(?m)^(?!made)([a-z-]+):"));
  }

  private static List<String> names(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().map(found -> found.group(1)).toList();
  }

  /** Removes the alternatives that a page names for a command. */
  static Stream<String> examples() throws IOException {
    return commands().stream().filter(command -> command.startsWith("run APP=") && command.contains("ARGS="));
  }

  @Tag("series")
  @ParameterizedTest
  @MethodSource("examples")
  void examplesRun(String command, @TempDir Path folder) throws IOException, InterruptedException {
    RankJob.mpiOrSkip();
    Path output = folder.resolve("output");
    String line = "make -s " + command.replace("/tmp/", folder + "/");
    Process process = new ProcessBuilder("bash", "-c", line).directory(Checkout.FOLDER.toFile()).redirectErrorStream(true)
        .redirectOutput(output.toFile()).redirectInput(new File("/dev/null")).start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as(line).isTrue();
      assertThat(process.exitValue()).as(line + "\n" + Files.readString(output)).isZero();
      if (command.contains("KILL=")) {
        assertThat(Files.readString(output)).contains("died; recovered in");
      }
    } finally {
      // Of a job that hangs: mpirun ends its ranks when it ends itself.
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroyForcibly();
    }
  }
}
