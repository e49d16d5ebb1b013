// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.kintsugi.launch.spec.LaunchException;

/**
 * Kills one process of the job that this process has started, by SIGKILL from outside.
 *
 * <p>There is only one such job at a time.
 */
final class OutsideKill {
  private static final long LOOK_MILLIS = 10;
  private static final String JOB_FOLDER = "-Dkintsugi.job.dir=";

  private OutsideKill() {}

  /**
   * Kills a process some time after MPI was begun, if the job still runs.
   *
   * @param job a thread that ends with the job
   * @return whether it killed one
   */
  static boolean strike(Thread job, long afterMillis, SplittableRandom random) throws InterruptedException {
    while (job.isAlive() && !isMpiThere()) {
      job.join(LOOK_MILLIS);
    }
    job.join(afterMillis);
    List<ProcessHandle> ranks = ranks();
    if (ranks.isEmpty()) {
      return false; // all is over
    }
    ProcessHandle victim = ranks.get(random.nextInt(ranks.size()));
    if (!victim.destroyForcibly()) {
      throw new LaunchException("cannot kill process " + victim.pid());
    }
    return true;
  }

  /**
   * The job's processes: ranks and, on the Reinit++ fork, stand-ins, parked JVMs and nurseries.
   *
   * <p>On the fork not all are descendants of this process; the job's folder among their arguments
   * identifies them.
   */
  private static List<ProcessHandle> ranks() {
    List<ProcessHandle> children = ProcessHandle.current().descendants().filter(OutsideKill::isRank).toList();
    String folder = children.stream().flatMap(OutsideKill::jobFolder).findFirst().orElse(null);
    return folder == null ? children : ProcessHandle.allProcesses().filter(OutsideKill::isRank)
        .filter(process -> jobFolder(process).anyMatch(folder::equals)).toList();
  }

  private static boolean isRank(ProcessHandle process) {
    String command = process.info().command().orElse("");
    return command.endsWith("/java") || command.endsWith("/kintsugi-rank");
  }

  private static Stream<String> jobFolder(ProcessHandle process) {
    return Arrays.stream(process.info().arguments().orElse(new String[0])).filter(argument -> argument.startsWith(JOB_FOLDER))
        .map(argument -> argument.substring(JOB_FOLDER.length()));
  }

  /** Whether the first rank has begun MPI and made its file in the job's folder. */
  private static boolean isMpiThere() {
    return ranks().stream().flatMap(OutsideKill::jobFolder).map(folder -> new File(folder).list())
        .anyMatch(files -> files != null && Arrays.stream(files).anyMatch(file -> file.startsWith("mpi-")));
  }
}
