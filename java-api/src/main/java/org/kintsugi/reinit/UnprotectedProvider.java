// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.lifetime.ScopedComm;
import org.kintsugi.runtime.JobConfig;

/**
 * A run without fault tolerance: the body is entered once, and nothing protects it. No runtime reports failures or replaces
 * processes. This is one process without a launcher, as an IDE starts it, or a job whose user wants it so
 * ({@code jmpirun --no-fault-tolerance}): Open MPI ends that one when a process fails.
 */
final class UnprotectedProvider implements Provider {
  /** The variables in which launchers give the number of processes that they have started. */
  private static final List<String> SIZES =
      List.of("SLURM_STEP_NUM_TASKS", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS", "PALS_SIZE");

  private static final String SEGMENT = "/dev/shm/sm_segment.";

  private final Mpi mpi;
  private final RecoveryTimes times = new RecoveryTimes();
  private Comm all; // in a job: for the meeting at its end

  private UnprotectedProvider(Mpi mpi) {
    this.mpi = mpi;
  }

  /** Null: there is fault tolerance, or there are other processes, which need it, and the user has not switched it off. */
  static UnprotectedProvider ifUnprotected(Mpi mpi) {
    if (mpi.isFaultTolerant()) {
      return null;
    }
    boolean isAlone = mpi.world().size() == 1 && mpi.parent() == null && !areOthersStarted(System.getenv())
        && JobConfig.SPARES.longValue() == 0;
    return isAlone || !JobConfig.FAULT_TOLERANCE.booleanValue() ? new UnprotectedProvider(mpi) : null;
  }

  /**
   * Whether a launcher has started several processes that do not know of each other: this MPI does not understand it (srun
   * without PMIx, another MPI's mpirun). Each would do all of the work, and write the same files.
   */
  static boolean areOthersStarted(Map<String, String> environment) {
    for (String name : SIZES) {
      String size = environment.getOrDefault(name, "1").trim();
      if (!size.isEmpty() && !size.equals("1")) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Verdict begin() {
    if (!JobConfig.FAULT_TOLERANCE.booleanValue()) {
      if (mpi.world().rank() == 0) {
        System.err
            .println("kintsugi: this job has no fault tolerance, as --no-fault-tolerance has it: the body runs once, nothing "
                + "protects it, and the failure of a process ends the job");
      }
      all = mpi.world().dup();
      return Verdict.RECOVERED;
    }
    System.err.println("kintsugi: this is one process without fault tolerance: the body runs once, and nothing protects it. "
        + "jmpirun starts jobs that recover from failures");
    return Verdict.RECOVERED;
  }

  @Override
  public Verdict meet(Ending ending, long lastSeen, long learned) {
    if (ending == Ending.DONE && all != null) {
      // Then the versions are removed, and a process that is not through yet may still fail.
      all.barrier();
    }
    return ending == Ending.DONE ? Verdict.FINISHED : Verdict.ABORTED;
  }

  @Override
  public String tellWhy(String mine) {
    return mine;
  }

  @Override
  public void release(Scope old, Verdict verdict) {
    List<ScopedComm> left = old.comms();
    old.drain(System.nanoTime());
    old.end();
    left.forEach(ScopedComm::freeStale);
  }

  @Override
  public void poll(Comm world) {
    // A failure is not reported: it ends the job.
  }

  @Override
  public Comm takeWorld() {
    return mpi.world().dup();
  }

  @Override
  public void awaitOthers() {
    // There are none, or their first message with this process waits for them.
  }

  @Override
  public int epoch() {
    return 0;
  }

  @Override
  public int worldSize() {
    return mpi.world().size();
  }

  @Override
  public int role() {
    return mpi.world().rank();
  }

  @Override
  public boolean isReplacement() {
    return false;
  }

  @Override
  public List<Integer> failedRanks() {
    return List.of();
  }

  @Override
  public RecoveryTimes times() {
    return times;
  }

  @Override
  public int failures(int rank) {
    return 0;
  }

  /** Open MPI leaves it to the launcher to remove the memory that processes would share: where there is none, do so. */
  @Override
  public void close() {
    if (all != null) {
      all.close();
      return;
    }
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      maps.filter(line -> line.contains(SEGMENT)).map(line -> line.substring(line.indexOf(SEGMENT))).distinct()
          .forEach(segment -> new File(segment).delete());
    } catch (IOException | UncheckedIOException e) {
      System.err.println("kintsugi: " + SEGMENT + "* of this process is left: " + e);
    }
  }
}
