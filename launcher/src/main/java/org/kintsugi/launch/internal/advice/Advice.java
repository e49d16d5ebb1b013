// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.advice;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.launch.spec.LaunchException;

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

  /**
   * Runs the job.
   *
   * @param job takes the JVM option that the ranks need, and returns the job's exit code
   * @return 0: nothing is missing; 1: something is, or the program has failed; 2: the program calls no run.iteration
   */
  public int run(ToIntFunction<String> job) {
    Path agent = Installation.adviceAgent();
    if (agent == null) {
      throw new LaunchException("--advise: the agent is not there (kintsugi-advice-agent.jar): run make build in the checkout, or "
          + "install Kintsugi anew");
    }
    try {
      Path folder = Files.createTempDirectory("kintsugi-advice-");
      try {
        String classes = options.classes == null ? "" : options.classes;
        int code = job.applyAsInt("-javaagent:" + agent + "=" + agent.getParent() + ":" + folder + ":" + options.until + ":" + String.join(",", options.without) + ":" + classes);
        return judge(Ranks.in(folder, options.ignoredNames()), code);
      } finally {
        remove(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int judge(Ranks ranks, int code) throws IOException {
    if (ranks.iterations() == 0) {
      console.println("jmpirun: advice: the program calls no run.iteration(i), which marks its loop; it ended with " + code);
      return NOTHING;
    }
    new AdviceTable(ranks, console).print();
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
