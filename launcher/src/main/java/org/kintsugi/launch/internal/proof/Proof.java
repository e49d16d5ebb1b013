// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.proof;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.launch.internal.proof.ProofJob.Outcome;
import org.kintsugi.launch.internal.proof.Undisturbed.Differences;
import org.kintsugi.launch.spec.LaunchException;

/**
 * Finds out whether a program saves all data that it needs.
 *
 * <p>The program runs twice undisturbed. What differs between these two runs changes without a failure, and proves nothing. Then
 * it runs with a process failure at each of several moments. If all is saved, the run after the failure is the undisturbed one:
 * all items of all later versions are the same, bit for bit, and so are the output and the exit code. Data that are not saved
 * show in the first item that is computed from them.
 */
public final class Proof {
  /** A job with a failure makes iterations again, and may start a process. */
  private static final double SLOWER = 10;
  private static final long LEAST_SECONDS = 60;
  /** More runs without a failure, to find lines of output that are not always the same. */
  private static final int MOST_REPEATED = 3;

  private final ProofOptions options;
  private final ProofJob job;
  private final PrintStream console;
  private final List<Pattern> ignored;
  private final Shown shown = new Shown();

  /**
   * @param jmpirun its main class
   * @param words for jmpirun
   * @param jvm and for the ranks
   */
  public Proof(ProofOptions options, String jmpirun, List<String> words, List<String> jvm, PrintStream console) {
    options.check();
    this.options = options;
    this.console = console;
    ignored = options.ignoredLines();
    job = new ProofJob(jmpirun, ProofOptions.without(words), jvm, options.until);
  }

  /** Runs all jobs. @return 0: nothing differs; 1: something does, or nothing can be compared */
  public int run() {
    try {
      Path folder = Files.createTempDirectory("kintsugi-proof-");
      try {
        return run(folder);
      } finally {
        remove(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LaunchException("interrupted");
    }
  }

  private int run(Path folder) throws IOException, InterruptedException {
    Outcome first = run(null, 0, folder, "undisturbed");
    requireComparable(first);
    long limit = LEAST_SECONDS + (long) (SLOWER * first.seconds());
    Undisturbed undisturbed = new Undisturbed(first, ignored);
    String objection = undisturbed.objection(run(null, limit, folder, "undisturbed again"));
    if (objection != null) {
      return fail(objection);
    }
    if (undisturbed.unsteadyLines() > 0) {
      console.println("  lines of output that differ without a failure, and are not compared: " + undisturbed.unsteadyLines());
    }
    List<Moment> moments = Moment.choose(first.recording(), options.deaths, options.seed);
    int wrong = 0;
    int repeated = 0;
    for (Moment moment : moments) {
      Outcome outcome = run(moment, limit, folder, "failure of " + moment);
      Differences differences = undisturbed.differences(outcome);
      // Two runs may have printed the same time by chance.
      while (!differences.isEmpty() && differences.areOfLinesOnly() && repeated < MOST_REPEATED) {
        repeated++;
        objection = undisturbed.objection(run(null, limit, folder, "undisturbed once more, as lines of output differ"));
        if (objection != null) {
          return fail(objection);
        }
        differences = undisturbed.differences(outcome);
      }
      String leftOut = outcome.code() == first.code() ? undisturbed.leftOut(outcome) : null;
      List<String> texts = new ArrayList<>(differences.texts());
      if (leftOut != null) {
        texts.add(0, leftOut);
      }
      shown.lines(texts).forEach(text -> console.println("  " + text));
      wrong += differences.isEmpty() ? 0 : 1;
    }
    if (wrong > 0) {
      return fail("after " + wrong + " of " + moments.size() + " failures the results differ from those without a failure: the "
          + "item that differs first, or a value that it is computed from, is not saved, or is not restored");
    }
    console.println("jmpirun: proof: " + moments.size() + " failures outlived with the same results: "
        + first.recording().names()
            .size()
        + " items (" + String.join(", ", first.recording().names()) + ") in " + first.recording().versions()
        + " versions on " + first.recording().ranks().size() + " ranks, output and exit code");
    return 0;
  }

  private Outcome run(Moment moment, long limit, Path folder, String what) throws IOException, InterruptedException {
    Path own = Files.createTempDirectory(folder, "job-");
    Outcome outcome = job.run(moment, limit, own);
    console.printf(Locale.ROOT, "jmpirun: proof: %s: code %d, %.1f s%n", what, outcome.code(), outcome.seconds());
    remove(own);
    return outcome;
  }

  private void requireComparable(Outcome outcome) {
    Recording recording = outcome.recording();
    if (recording.iterations().isEmpty()) {
      throw new LaunchException("--prove: the program calls no run.iteration(i), where failures are injected; it ended with "
          + outcome.code() + ":\n" + outcome.errors());
    }
    if (outcome.code() != 0 && options.until == Long.MAX_VALUE) {
      throw new LaunchException(
          "--prove: the program ends with " + outcome.code() + " without any failure, which proves nothing:\n"
              + outcome.errors());
    }
    if (recording.names().isEmpty()) {
      throw new LaunchException("--prove: the program saves nothing: protect data, and call run.checkpoint().save in the loop");
    }
  }

  private int fail(String why) {
    console.println("jmpirun: proof: " + why);
    return 1;
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
