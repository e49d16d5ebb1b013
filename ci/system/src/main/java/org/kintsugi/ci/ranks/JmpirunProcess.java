// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@code jmpirun} in a process of its own, with a time limit. */
public final class JmpirunProcess {
  /** The exit code of a process that the limit has ended. */
  public static final int TOO_LATE = -1;

  /** jmpirun has this time to end its job. */
  private static final int GRACE_SECONDS = 10;

  private JmpirunProcess() {}

  /**
   * How it has ended.
   *
   * @param code its exit code, or {@link #TOO_LATE}
   * @param output what it has printed on standard output
   * @param errors and on standard error
   */
  public record Ended(int code, String output, String errors) {
    /** All that it has printed. */
    public String printed() {
      return output + errors;
    }
  }

  /**
   * Starts it, and waits for its end. Nothing of it is left afterwards.
   *
   * @param line its whole command line, which begins with that of {@code RankJob.jmpirun}
   * @param limitSeconds more than the job needs on a busy machine
   */
  public static Ended run(List<String> line, long limitSeconds) throws IOException, InterruptedException {
    Path output = Files.createTempFile("jmpirun-", ".out");
    Path errors = Files.createTempFile("jmpirun-", ".err");
    try {
      Process process = new ProcessBuilder(line).redirectOutput(output.toFile()).redirectError(errors.toFile())
          .redirectInput(new File("/dev/null")).start();
      boolean hasEnded = false;
      try {
        hasEnded = process.waitFor(limitSeconds, TimeUnit.SECONDS);
      } finally {
        if (!hasEnded) {
          end(process);
        }
      }
      return new Ended(hasEnded ? process.exitValue() : TOO_LATE, Files.readString(output), Files.readString(errors));
    } finally {
      Files.delete(output);
      Files.delete(errors);
    }
  }

  /** jmpirun ends its job if it can. Processes of a proof are descendants too. */
  private static void end(Process process) throws InterruptedException {
    List<ProcessHandle> descendants = process.descendants().toList();
    process.destroy();
    process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
    descendants.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
