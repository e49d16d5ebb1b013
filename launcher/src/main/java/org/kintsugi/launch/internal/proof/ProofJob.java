// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.proof;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.kintsugi.runtime.internal.PropertyNames;

/**
 * One job of a proof: the user's command, started as a {@code jmpirun} of its own, with folders of its own for checkpoints and
 * stored messages, so that no job finds versions of another one.
 */
final class ProofJob {
  /** A later option wins: the user's folders would be used by all jobs. */
  private static final List<String> FOLDERS =
      List.of("kintsugi.checkpoint.dir", "kintsugi.checkpoint.local.dir", "kintsugi.persist.dir");
  /** jmpirun ends the job itself at its limit; after this time it does not. */
  private static final long GRACE_SECONDS = 60;
  private static final int TIMED_OUT = 124;
  /** What Kintsugi says of failures, and what the launcher says. */
  private static final Pattern OURS = Pattern.compile("(kintsugi|jmpirun): .*");

  /**
   * What became of it.
   *
   * @param code its exit code
   * @param lines what it printed on standard output, each line once
   * @param errors the end of what it printed on standard error
   */
  record Outcome(int code, Set<String> lines, String errors, Recording recording, double seconds) {
    boolean hasHung() {
      return code == TIMED_OUT;
    }
  }

  private final String jmpirun;
  private final List<String> words;
  private final List<String> jvm;
  private final long until;

  /**
   * @param jmpirun its main class
   * @param words for jmpirun, without those of the proof
   * @param jvm and for the ranks
   * @param until the last iteration
   */
  ProofJob(String jmpirun, List<String> words, List<String> jvm, long until) {
    this.jmpirun = jmpirun;
    this.words = words;
    this.jvm = jvm.stream().filter(word -> FOLDERS.stream().noneMatch(folder -> word.startsWith("-D" + folder + "="))).toList();
    this.until = until;
  }

  /**
   * Runs it.
   *
   * @param moment where a process fails; null: none does
   * @param limitSeconds 0: none but the user's
   */
  Outcome run(Moment moment, long limitSeconds, Path folder) throws IOException, InterruptedException {
    Path record = Files.createDirectories(folder.resolve("record"));
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    for (String property : List.of(PropertyNames.HOME, PropertyNames.LOCALE)) { // which the launcher's script has set
      if (System.getProperty(property) != null) {
        command.add("-D" + property + "=" + System.getProperty(property));
      }
    }
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-cp", System.getProperty("java.class.path"), jmpirun));
    command.addAll(words);
    if (moment != null) {
      command.addAll(List.of("--kill", moment.kill()));
    }
    if (limitSeconds > 0 && words.stream().noneMatch(word -> word.startsWith("--timeout"))) {
      command.addAll(List.of("--timeout", String.valueOf(limitSeconds)));
    }
    command.addAll(List.of(ProofOptions.RECORD, record.toString(), ProofOptions.UNTIL, String.valueOf(until)));
    for (String property : FOLDERS) {
      command.add("-D" + property + "=" + folder.resolve(property));
    }
    command.addAll(jvm);
    Path out = folder.resolve("stdout");
    Path err = folder.resolve("stderr");
    long begin = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectInput(new File("/dev/null")).redirectOutput(out.toFile())
        .redirectError(err.toFile()).start();
    Thread ending = new Thread(process::destroy); // jmpirun ends the job
    Runtime.getRuntime().addShutdownHook(ending);
    try {
      if (limitSeconds > 0 && !process.waitFor(limitSeconds + GRACE_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
      int code = process.waitFor();
      Set<String> lines = new LinkedHashSet<>(Files.readAllLines(out));
      lines.removeIf(line -> OURS.matcher(line).matches());
      List<String> errors = Files.readAllLines(err);
      return new Outcome(code, lines, String.join("\n", errors.subList(Math.max(0, errors.size() - 20), errors.size())),
          Recording.in(record), (System.nanoTime() - begin) / 1e9);
    } finally {
      process.destroyForcibly();
      try {
        Runtime.getRuntime().removeShutdownHook(ending);
      } catch (IllegalStateException endsAlready) {
        // this JVM ends
      }
    }
  }
}
