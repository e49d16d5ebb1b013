// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.kintsugi.launch.internal.host.StandIns;
import org.kintsugi.runtime.internal.PropertyNames;

/** The command {@code kintsugi}, of an installation that has the lists and no jars. */
@Isolated("sets a property, and the standard streams")
class KintsugiTest {
  @TempDir
  private Path folder;

  private String mpi;

  @BeforeEach
  void makeInstallation() throws IOException {
    mpi = StandIns.ulfm(folder.resolve("mpi")).toString();
    Files.createDirectories(folder.resolve("home/lib/launcher"));
    Path natives = Files.createDirectories(folder.resolve("home/lib/natives/ulfm"));
    Files.createFile(natives.resolve("libkintsugi.so"));
    Files.writeString(Files.createDirectories(folder.resolve("home/share/kintsugi")).resolve("examples.properties"),
        "heat=org.example.Heat\ntwo=org.example.Two\ntwo.ranks=2\n");
    System.setProperty(PropertyNames.HOME, folder.resolve("home").toString());
  }

  @AfterEach
  void forgetInstallation() {
    System.clearProperty(PropertyNames.HOME);
  }

  /** The exit code, a blank, and what it prints on both streams. */
  private static String said(String... words) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8);
    System.setOut(both);
    System.setErr(both);
    try {
      return Kintsugi.execute(words) + " " + printed.toString(StandardCharsets.UTF_8);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  @Test
  void eachSubcommandHasAnUsage() {
    for (String command : List.of("info", "doctor", "build", "classpath", "run", "timeline")) {
      for (String option : List.of("--help", "-h")) {
        assertThat(said(command, option)).startsWith("0 Usage: kintsugi " + command);
      }
      assertThat(said("help", command)).startsWith("0 Usage: kintsugi " + command);
      assertThat(said(command, "--version")).startsWith("0 kintsugi ");
    }
    assertThat(said("help")).startsWith("0 Usage: kintsugi").contains("doctor", "classpath");
    assertThat(said("doctor", "--mpi", mpi, "--help")).startsWith("0 Usage: kintsugi doctor");
  }

  @Test
  void anExampleHasAsManyRanksAsItNeeds() {
    assertThat(said("run", "heat", "--dry-run", "--mpi", mpi)).startsWith("0 ").contains("-Dkintsugi.spares=1", " -n 5 ");
    assertThat(said("run", "two", "--dry-run", "--mpi", mpi)).startsWith("0 ").contains("-Dkintsugi.spares=1", " -n 3 ");
    assertThat(said("run", "two", "-n", "4", "--dry-run", "--mpi", mpi)).startsWith("0 ").contains(" -n 4 ");
    assertThat(said("run", "two.ranks")).startsWith("2 ").contains("there is none; there are: heat, two\n");
  }

  @Test
  void wordsAfterTheHyphensAreTheExamples() {
    assertThat(said("run", "heat", "--dry-run", "--mpi", mpi, "-Xmx1g", "--", "--help", "-n", "3")).startsWith("0 ")
        .endsWith(" org.example.Heat ''\\''--help'\\''' ''\\''-n'\\''' 3\n");
    assertThat(said("run", "heat", "--dry-run", "--mpi", mpi, "--mca", "coll", "basic", "-x", "A", "--", "16")).startsWith("0 ")
        .contains(" --mca coll basic -x A ");
    for (String forgotten : List.of("-n 3 16 8", "16 8", "--kill process:2@60 16", "-Xmx1g 16", "--restart 2 16 8")) {
      assertThat(said(("run heat --dry-run --mpi " + mpi + " " + forgotten).split(" "))).as(forgotten)
          .startsWith("2 kintsugi: 16: ").contains("arguments come after --, as in kintsugi run heat -n 4 -- 16");
    }
    assertThat(said("run", "heat", "--mpi", mpi, "-n", "four", "16")).startsWith("2 jmpirun: ").contains("'four' is not an int");
  }
}
