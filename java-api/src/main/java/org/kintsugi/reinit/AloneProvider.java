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
 * One process without a launcher, as an IDE starts it: the body is entered once, and nothing protects it. No runtime reports
 * failures or replaces processes, and with one process nothing can fail but that process itself.
 */
final class AloneProvider implements Provider {
  /** The variables in which launchers give the number of processes that they have started. */
  private static final List<String> SIZES =
      List.of("SLURM_STEP_NUM_TASKS", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS", "PALS_SIZE");

  private static final String SEGMENT = "/dev/shm/sm_segment.";

  private final Mpi mpi;
  private final RecoveryTimes times = new RecoveryTimes();

  private AloneProvider(Mpi mpi) {
    this.mpi = mpi;
  }

  /** Null: there is fault tolerance, or there are others, who need it. */
  static AloneProvider ifAlone(Mpi mpi) {
    boolean isAlone = mpi.world().size() == 1 && mpi.parent() == null && !areOthersStarted(System.getenv())
        && JobConfig.SPARES.longValue() == 0;
    return isAlone && !mpi.isFaultTolerant() ? new AloneProvider(mpi) : null;
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
    System.err.println("kintsugi: this is one process without fault tolerance: the body runs once, and nothing protects it. "
        + "jmpirun starts jobs that recover from failures");
    return Verdict.RECOVERED;
  }

  @Override
  public Verdict meet(Ending ending, long lastSeen, long learned) {
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
    // Nobody can fail.
  }

  @Override
  public Comm takeWorld() {
    return mpi.world().dup();
  }

  @Override
  public void awaitOthers() {
    // There are none.
  }

  @Override
  public int epoch() {
    return 0;
  }

  @Override
  public int worldSize() {
    return 1;
  }

  @Override
  public int role() {
    return 0;
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

  /** Open MPI leaves it to the launcher to remove the memory that processes would share. Nobody else has opened it. */
  @Override
  public void close() {
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      maps.filter(line -> line.contains(SEGMENT)).map(line -> line.substring(line.indexOf(SEGMENT))).distinct()
          .forEach(segment -> new File(segment).delete());
    } catch (IOException | UncheckedIOException e) {
      System.err.println("kintsugi: " + SEGMENT + "* of this process is left: " + e);
    }
  }
}
