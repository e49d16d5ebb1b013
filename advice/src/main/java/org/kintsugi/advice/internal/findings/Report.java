// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.findings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.code.Program;
import org.kintsugi.runtime.internal.advice.Finding;
import org.kintsugi.runtime.internal.advice.Finding.Verdict;

/** Writes the findings of this process into a file in the folder of the job. */
public final class Report {
  private static volatile Path folder;
  private static volatile long until = Long.MAX_VALUE;
  private static volatile Throwable exception;

  private Report() {}

  /**
   * Sets where the findings go, and writes them when the process ends.
   *
   * @param into the folder
   * @param last the last iteration
   */
  public static void begin(Path into, long last) {
    folder = into;
    until = last;
    Runtime.getRuntime().addShutdownHook(new Thread(Report::write, "kintsugi-advice"));
  }

  /**
   * The program begins an iteration.
   *
   * @throws AdviceEnd if it is later than the last one
   */
  public static void requireMore(long iteration) {
    exception = null; // the program has caught it, and goes on
    if (iteration > until) {
      throw new AdviceEnd(until);
    }
  }

  /** An exception has left the loop: other processes may end this one at any time. */
  public static void thrown(Throwable thrown) {
    exception = thrown;
    if (folder != null) {
      write();
    }
  }

  private static synchronized void write() {
    List<String> lines = new ArrayList<>();
    for (Finding finding : findings()) {
      lines.add(finding.line());
    }
    try {
      Path file = folder.resolve(ProcessHandle.current().pid() + ".advice");
      Path aside = Files.write(folder.resolve(file.getFileName() + ".part"), lines);
      Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      System.err.println("kintsugi: --advise: the findings cannot be written to " + folder + ": " + e);
    }
  }

  /** All findings of this process so far. */
  public static List<Finding> findings() {
    Findings findings = new Findings();
    List<Finding> found = findings.all();
    List<String> failures = Repetition.tellingIterations(findings.firstReads()).stream().map(String::valueOf).toList();
    List<Finding> all = new ArrayList<>();
    all.add(new Finding(Verdict.PROCESS, rank(), "", "", List.of(), List.of(), "",
        Math.max(0, Loop.now - (Loop.isIterated() ? 0 : 1)),
        "", String.join(",", failures)));
    Throwable thrown = exception;
    if (thrown != null && !(thrown instanceof AdviceEnd)) {
      all.add(plain(Verdict.FAILED, thrown.toString(), 0));
    }
    Program.warnings().forEach(warning -> all.add(plain(Verdict.WARNING, warning, 0)));
    all.addAll(found);
    Repetition.findings().stream().filter(finding -> !findings.leftOut().contains(finding.name())).forEach(all::add);
    return all;
  }

  private static Finding plain(Verdict verdict, String name, long number) {
    return new Finding(verdict, name, "", "", List.of(), List.of(), "", Math.max(0, number), "", "");
  }

  private static String rank() {
    String rank = System.getenv("OMPI_COMM_WORLD_RANK");
    return rank == null ? System.getenv().getOrDefault("PMIX_RANK", "0") : rank;
  }

  /** Another program begins: for tests. */
  public static void reset() {
    exception = null;
    Repetition.reset();
  }
}
