// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.internal.host.StandIns;

/** Every line of the manual that starts jmpirun or kintsugi is understood: its options are parsed, and a line made of them. */
class ManualCommandsTest {
  private static final Path CHECKOUT = Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();
  /** Commands, without their output (a colon follows the name) and without the synopsis. */
  private static final Pattern COMMAND = Pattern.compile("(?m)^ {4}(?:\\S*/)?(jmpirun|kintsugi) (?!\\[)(.*)$");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

  @TempDir
  private Path folder;

  private static List<String> commands(String name) throws IOException {
    List<Path> pages;
    try (Stream<Path> files = Files.list(CHECKOUT.resolve("docs"))) {
      pages = new ArrayList<>(files.filter(file -> file.toString().endsWith(".md")).sorted().toList());
    }
    pages.add(CHECKOUT.resolve("README.md"));
    List<String> commands = new ArrayList<>();
    for (Path page : pages) {
      Matcher command = COMMAND.matcher(Files.readString(page));
      while (command.find()) {
        if (command.group(1).equals(name)) {
          commands.add(command.group(2));
        }
      }
    }
    return commands;
  }

  /** The words as a shell has them, without a comment. The file of hosts exists. */
  private List<String> words(String line) throws IOException {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line.replaceFirst(" #.*", ""));
    while (word.find()) {
      words.add(word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3));
    }
    Path hosts = Files.writeString(folder.resolve("hosts"), "front slots=1\nnode1 slots=99\n");
    words.replaceAll(one -> one.equals("hosts") ? hosts.toString() : one);
    return words;
  }

  private void assertIsUnderstood(String line, List<String> words) throws IOException {
    boolean isForFork = words.contains("reinit");
    Path mpi = folder.resolve(isForFork ? "fork" : "ulfm");
    Path natives = folder.resolve("natives");
    if (!Files.exists(mpi)) {
      mpi = isForFork ? StandIns.fork(mpi) : StandIns.ulfm(mpi);
    }
    if (!Files.exists(natives)) {
      StandIns.executable(natives.resolve("kintsugi-rank"));
      Files.createFile(natives.resolve("libkintsugi.so"));
    }
    List<String> all = new ArrayList<>(List.of("--dry-run", "--mpi", mpi.toString()));
    all.addAll(words);
    all.add(all.indexOf("-cp"), "-Dkintsugi.library.path=" + natives);
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    System.setErr(System.out);
    int code;
    try {
      code = Jmpirun.execute(all.toArray(new String[0]));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    String said = printed.toString(StandardCharsets.UTF_8);
    assertThat(code).as(line + "\n" + said).isZero();
    assertThat(said).as(line).contains("bin/mpirun");
  }

  @Test
  void linesOfJmpirunAreUnderstood() throws IOException {
    List<String> commands = commands("jmpirun");
    assertThat(commands).hasSizeGreaterThan(25);
    for (String command : commands) {
      List<String> words = words(command);
      words.remove("--dry-run");
      assertIsUnderstood(command, words);
    }
  }

  @Test
  void linesOfKintsugiAreUnderstood() throws IOException {
    List<String> commands = commands("kintsugi");
    assertThat(commands).hasSizeGreaterThan(8);
    for (String command : commands) {
      List<String> words = words(command);
      var parsed = Kintsugi.commandLine().parseArgs(words.toArray(new String[0]));
      assertThat(parsed.hasSubcommand()).as(command).isTrue();
      if (words.get(0).equals("doctor")) {
        // What is none of its options is taken for a program's.
        List<String> rest =
            parsed.subcommand().matchedPositionals().stream().flatMap(one -> one.stringValues().stream()).toList();
        assertThat(rest.isEmpty() || Jmpirun.isForJvm(rest.get(0))).as(command).isTrue();
      }
      if (words.get(0).equals("run")) {
        // The example, then what jmpirun takes.
        List<String> options = new ArrayList<>(words.subList(2, words.contains("--") ? words.indexOf("--") : words.size()));
        if (!options.contains("-n")) {
          options.addAll(0, List.of("-n", "4"));
        }
        options.addAll(List.of("-cp", "x", "Main"));
        assertIsUnderstood(command, options);
      }
    }
  }
}
