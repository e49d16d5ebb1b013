// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.proof;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.launch.internal.proof.ProofJob.Outcome;
import org.kintsugi.launch.internal.proof.Recording.Place;
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
  private static final int MOST_LINES = 5;

  private final ProofOptions options;
  private final ProofJob job;
  private final PrintStream console;
  private final List<Pattern> ignored;

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
    Outcome second = run(null, limit, folder, "undisturbed again");
    List<Place> unsteady = first.recording().differences(second.recording());
    if (first.code() != second.code()) {
      return fail("two runs without a failure end with " + first.code() + " and " + second.code() + ":\n" + second.errors());
    }
    if (!unsteady.isEmpty()) {
      return fail("two runs without a failure differ: " + unsteady.get(0) + " is the first of " + unsteady.size()
          + " such items. "
          + "Results that depend on the order of messages, on the time or on random numbers cannot be compared: receive from "
          + "named ranks, give seeds, or sum in a fixed order");
    }
    Set<String> steady = compared(first.lines());
    steady.retainAll(compared(second.lines()));
    int unsteadyLines = compared(first.lines()).size() - steady.size();
    if (unsteadyLines > 0) {
      console.println("  lines of output that differ without a failure, and are not compared: " + unsteadyLines);
    }
    List<Moment> moments = Moment.choose(first.recording(), options.deaths, options.seed);
    int wrong = 0;
    for (Moment moment : moments) {
      Outcome outcome = run(moment, limit, folder, "failure of " + moment);
      List<String> differences = differences(first, steady, outcome);
      differences.forEach(difference -> console.println("  " + difference));
      wrong += differences.isEmpty() ? 0 : 1;
    }
    if (wrong > 0) {
      return fail("after " + wrong + " of " + moments.size() + " failures the run was another one: the first item that is named "
          + "above, or one that it is computed from, is not saved, or is not restored");
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

  private static void requireComparable(Outcome outcome) {
    Recording recording = outcome.recording();
    if (recording.iterations().isEmpty()) {
      throw new LaunchException("--prove: the program calls no run.iteration(i), where failures are injected; it ended with "
          + outcome.code() + ":\n" + outcome.errors());
    }
    if (recording.names().isEmpty()) {
      throw new LaunchException("--prove: the program saves nothing: protect data, and call run.checkpoint().save in the loop");
    }
  }

  private Set<String> compared(Set<String> lines) {
    Set<String> compared = new LinkedHashSet<>(lines);
    compared.removeIf(line -> ignored.stream().anyMatch(pattern -> pattern.matcher(line).find()));
    return compared;
  }

  private List<String> differences(Outcome undisturbed, Set<String> steady, Outcome outcome) {
    List<String> all = new ArrayList<>();
    if (outcome.hasHung()) {
      all.add("it did not end in time:\n" + outcome.errors());
    } else if (outcome.code() != undisturbed.code()) {
      all.add("it ends with " + outcome.code() + ", without a failure with " + undisturbed.code() + ":\n" + outcome.errors());
    }
    List<Place> places = undisturbed.recording().differences(outcome.recording());
    if (!places.isEmpty()) {
      all.add("differs first: " + places.get(0) + " (" + places.size() + " of "
          + undisturbed.recording().common(outcome.recording()).size() + " items in all versions differ)");
    }
    Set<String> lines = compared(outcome.lines());
    steady.stream().filter(line -> !lines.contains(line)).limit(MOST_LINES)
        .forEach(line -> all.add("a line is missing: " + line));
    // Alone they are no difference: a program may say that it has recovered.
    if (!all.isEmpty()) {
      lines.stream().filter(line -> !steady.contains(line)).limit(MOST_LINES).forEach(line -> all.add("a line is new: " + line));
    }
    return all;
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
