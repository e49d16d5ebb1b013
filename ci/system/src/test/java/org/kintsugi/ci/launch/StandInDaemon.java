// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts processes as the launcher's daemon starts ranks, all of them its own children. Its arguments are a rank's command line.
 * On each line of its input: a rank's name, its local rank, whether that is started again, what it is to do (in the
 * environment, as NAME and WHAT), and more arguments for it. Its streams are the files NAME.out and NAME.err, its process id and
 * exit code go to NAME.pid and NAME.code.
 */
final class StandInDaemon {
  private StandInDaemon() {}

  /** Until its input ends. */
  public static void main(String[] command) throws IOException {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      List<String> words = List.of(line.split(" "));
      List<String> rank = new ArrayList<>(List.of(command));
      rank.addAll(words.subList(4, words.size()));
      start(rank, words.get(0), words.get(1), Boolean.parseBoolean(words.get(2)), words.get(3));
    }
  }

  private static void start(List<String> line, String name, String localRank, boolean again, String what) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(line);
    Map<String, String> environment = builder.environment();
    environment.put("NAME", name);
    environment.put("WHAT", what);
    environment.put("OMPI_COMM_WORLD_LOCAL_RANK", localRank);
    if (again) {
      environment.put("OMPI_PROC_RESTART", "1");
    }
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectOutput(Path.of(name + ".out").toFile()).redirectError(Path.of(name + ".err").toFile());
    Process rank = builder.start();
    write(Path.of(name + ".pid"), rank.pid());
    rank.onExit().thenAccept(ended -> write(Path.of(name + ".code"), ended.exitValue()));
  }

  /** Writes the file in one step, as a reader waits until it exists. */
  static void write(Path file, long number) {
    try {
      Path aside = Files.writeString(Path.of(file + "~"), String.valueOf(number));
      Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
