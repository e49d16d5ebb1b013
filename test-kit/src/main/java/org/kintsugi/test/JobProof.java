// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.runtime.MpiHome;

/**
 * A proof of a job's program. It is {@code jmpirun --prove} in a process of its own, which starts a {@code jmpirun} for each job.
 */
final class JobProof {
  /** Jobs without a failure: two, and three more where only lines of output differ. */
  private static final int UNDISTURBED = 5;
  /** More than jmpirun needs to end a job that has reached its limit. */
  private static final long GRACE_SECONDS = 75;

  private final JobSpec spec;
  private final long timeoutSeconds;
  private final List<String> stall;

  /**
   * A proof that is not started.
   *
   * @param spec without faults and without a recording
   * @param timeoutSeconds of each job
   * @param stall jmpirun's options for a job without progress
   */
  JobProof(JobSpec spec, long timeoutSeconds, List<String> stall) {
    if (!spec.kills().isEmpty()) {
      throw new IllegalStateException("kill(" + String.join(", ", spec.kills()) + ") with prove: a proof chooses the moments of "
          + "failures itself; leave the call out");
    }
    if (spec.record() != null) {
      throw new IllegalStateException("record(" + spec.record() + ") with prove: a proof is several jobs, and a recording is of "
          + "one job; leave one of the calls out");
    }
    if (!spec.isFaultTolerant()) {
      throw new IllegalStateException(
          "withoutFaultTolerance() with prove: a proof has processes fail; leave one of the calls out");
    }
    this.spec = spec;
    this.timeoutSeconds = timeoutSeconds;
    this.stall = stall;
  }

  /** What jmpirun gets for the job, from {@code -n} to the options for mpirun. */
  private List<String> words(int failures) {
    List<String> words = new ArrayList<>(List.of("-n", String.valueOf(spec.ranks()), "--spares", String.valueOf(spec.spares()),
        "--prove", "--prove-deaths", String.valueOf(failures), "--timeout", String.valueOf(timeoutSeconds),
        "--max-respawns", String.valueOf(spec.maxRespawns()), "--class-archive=false"));
    if (spec.isRefilled(true) == spec.isRefilled(false)) {
      words.add("--refill=" + spec.isRefilled(true));
    }
    if (spec.isChecked()) {
      words.add("--check");
    }
    words.addAll(List.of("--network", spec.network()));
    words.addAll(stall);
    words.addAll(spec.mpirunOptions());
    return words;
  }

  /**
   * Runs all jobs.
   *
   * @param mpi under which they run
   * @param failures at how many moments a process fails
   * @param output the file for what the proof prints
   * @return its exit code
   */
  int run(MpiHome mpi, int failures, Path output) throws IOException {
    List<String> line = new ArrayList<>(RankJob.jmpirun(mpi));
    line.set(0, spec.java().toString()); // the ranks have the launcher's java
    line.addAll(words(failures));
    line.addAll(spec.javaArguments());
    Process process = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile())
        .redirectInput(new File("/dev/null")).start();
    try {
      long limit = (UNDISTURBED + failures) * (timeoutSeconds + GRACE_SECONDS);
      return process.waitFor(limit, TimeUnit.SECONDS) ? process.exitValue() : Job.TIMED_OUT;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a proof ran", e);
    } finally {
      process.destroy(); // it ends its job; nothing to do if it has ended
    }
  }
}
