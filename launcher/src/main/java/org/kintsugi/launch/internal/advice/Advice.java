// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.advice;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.internal.advice.Finding.Verdict;

/** Runs a program under the agent, and prints what it has found. */
public final class Advice {
  /** The exit code if nothing can be said. */
  private static final int NOTHING = 2;

  private final AdviceOptions options;
  private final PrintStream console;

  /** Prints to a stream that is not the program's standard output. */
  public Advice(AdviceOptions options, PrintStream console) {
    options.check();
    this.options = options;
    this.console = console;
  }

  /** Runs the program. */
  public interface Job {
    /**
     * Runs it to its end.
     *
     * @param agent the JVM's option that the ranks need
     * @param kill a process failure; null: there is none
     * @param output gets the job's output; null: it is printed
     * @return the job's exit code
     */
    int run(String agent, String kill, Path output);
  }

  /**
   * Runs the job, and once more with a process failure if something seems to be missing: programs make some data again when they
   * have restored others.
   *
   * @return 0: nothing is missing; 1: something is, or the program has failed; 2: the program calls no run.iteration
   */
  public int run(Job job) {
    Path agent = Installation.adviceAgent();
    if (agent == null) {
      throw new LaunchException(
          "--advise: the agent is not there (kintsugi-advice-agent.jar): run make build in the checkout, or "
              + "install Kintsugi anew");
    }
    try {
      Path folder = Files.createTempDirectory("kintsugi-advice-");
      try {
        int code = job.run(option(agent, Files.createDirectory(folder.resolve("first")), options.until, ""), null, null);
        Ranks ranks = Ranks.in(folder.resolve("first"), options.ignoredNames());
        String unknown = unknownItem(ranks);
        if (unknown != null) {
          console.println("jmpirun: advice: " + unknown);
          return NOTHING;
        }
        for (long at : ranks.tellingIterations()) {
          if (ranks.isWorthRepeating() && ranks.count() > 1 && !options.isOnce) {
            repeat(job, agent, folder, ranks, at);
          }
        }
        return judge(ranks, code);
      } finally {
        remove(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is wrong with the names of items; null: nothing, or the program has made no iteration. */
  private String unknownItem(Ranks ranks) {
    String unknown = options.without.stream().filter(name -> !ranks.items().contains(name)).findFirst().orElse(null);
    return unknown == null || ranks.iterations() == 0 ? null
        : "--advise-without " + unknown + ": the program protects no item of "
            + "this name, but " + (ranks.items().isEmpty() ? "none at all" : String.join(", ", ranks.items()));
  }

  private String option(Path agent, Path folder, long until, String mode) {
    String classes = options.classes == null ? "" : options.classes;
    return "-javaagent:" + agent + "=" + String.join(":", agent.getParent().toString(), folder.toString(), String.valueOf(until),
        String.join(",", options.without), mode, classes);
  }

  /** The last rank fails; the others make iterations again, and compare what these read with what they read at the first time. */
  private void repeat(Job job, Path agent, Path folder, Ranks ranks, long at) throws IOException {
    Path again = Files.createDirectory(folder.resolve("again-" + at));
    String kill = "process:" + (ranks.count() - 1) + "@" + at;
    job.run(option(agent, again, at, "again"), kill, folder.resolve("output"));
    Ranks repeated = Ranks.in(again, options.ignoredNames());
    ranks.compare(repeated);
    int count = ranks.of(Verdict.AGAIN).size();
    console.println("jmpirun: advice: run again with a failure of rank " + (ranks.count() - 1) + " in iteration " + at + ": "
        + (repeated.hasCompared() ? count + " of the locations had the same values after the restore" : "no rank has restored"));
  }

  private int judge(Ranks ranks, int code) throws IOException {
    if (ranks.iterations() == 0) {
      console.println("jmpirun: advice: the program calls no run.iteration(i), which marks its loop"
          + (options.classes == null ? "" : ", or --advise-classes " + options.classes + " leaves out the class that does")
          + "; it ended with " + code);
      return NOTHING;
    }
    new AdviceTable(ranks, console).print();
    ranks.useless().forEach(pattern -> console.println("jmpirun: advice: --advise-ignore " + pattern + ": no location has such a "
        + "name" + (ranks.locations().isEmpty() ? "" : ", but these have others: " + String.join("; ", ranks.locations()))));
    if (options.json != null) {
      Files.write(options.json, List.of(AdviceJson.of(ranks)));
    }
    boolean isCutShort = ranks.iterations() > 0 && options.until != Long.MAX_VALUE;
    if (code != 0 && !isCutShort) {
      console.println("jmpirun: advice: the program ended with " + code + ": what it would have done later is not looked at");
      return 1;
    }
    return ranks.isSomethingMissing() ? 1 : 0;
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
