// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Policy;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.ReinitPoint;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * Runs in the ranks of {@link KillMatrixTest}: a sum over {@value #STEPS} steps, in the middle of which processes die by SIGKILL
 * at a moment that the arguments choose. The result does not depend on the deaths.
 *
 * <p>Several moments, separated by commas, are one death each, one after another: in epoch e the e-th victim dies at the e-th
 * moment.
 */
final class Scenario {
  static final int STEPS = 60;
  private static final int SAVE_EVERY = 7;
  private static final long VERSIONS_PER_STEP = 1000;
  private static final int STEP = 30;
  /** Longer than any lost message is waited for, shorter than the limit of a recovery. */
  private static final long STOPPED_MILLIS = 4000;
  private static final String HERE = "here-";
  private static final int LARGE = 1 << 18;
  /** The variable that the Reinit++ fork's runtime sets for a replacement. */
  private static final String REPLACEMENT = "OMPI_PROC_RESTART";

  /** From a death to the middle of spawning a process in its place: a JVM starts, and comes to MPI_Init. */
  private static final long SPAWNING_MILLIS = 150;

  private final String folder;
  private final String[] moments;
  private final int[] victims;
  private final double[] sum = new double[1];
  private int rank = -1;
  private boolean shrunk;
  private final double[] ballast = new double[LARGE];

  /** Of this epoch. */
  private String moment;
  private int victim;

  private Scenario(String folder, String[] moments, int... victims) {
    this.folder = folder;
    this.moments = moments;
    this.victims = victims;
    moment = moments[0];
  }

  /** The value that every rank must report in the end. */
  static double expected(int ranks) {
    return ranks * (STEPS * (STEPS - 1) / 2.0);
  }

  /** And the rank in the job: reported just before a death of which not all recoveries of others tell. */
  static final String DIES = "dies-";

  /** Printed by a process that others have spawned. */
  static final String HAS_PARENTS = "this process has parents";

  /** Printed by a rank in the end: the deaths from which it has seen recoveries. */
  static String listOfFailures(int rank, List<Integer> dead) {
    return "rank " + rank + " has seen the deaths of " + dead;
  }

  /** Arguments: the folder for reports, the moment, the policy, the victims. */
  public static void main(String[] args) throws IOException {
    int[] victims = new int[args.length - 3];
    for (int i = 0; i < victims.length; i++) {
      victims[i] = Integer.parseInt(args[3 + i]);
    }
    Scenario scenario = new Scenario(args[0], args[1].split(","), victims);
    try (Mpi mpi = Mpi.init(args)) {
      boolean first = mpi.parent() == null && JobConfig.STARTED.longValue() == 0 && System.getenv(REPLACEMENT) == null;
      int worldRank = mpi.world().rank();
      if (mpi.parent() != null) {
        System.out.println(HAS_PARENTS);
      }
      Kintsugi.kintsugi_parent_pid(); // loaded now, so that a death is quick
      if (first && scenario.moment.equals("before-run")) {
        Files.createFile(Path.of(args[0], HERE + worldRank));
        if (scenario.isVictim(worldRank)) {
          awaitOthers(args[0], mpi.world().size());
          scenario.tellAndDie(worldRank);
        }
      }
      ReinitPoint point = Reinit.point(mpi, new Reinit.Options().policy(Policy.valueOf(args[2])));
      if (first && scenario.moment.equals("spare") && scenario.isVictim(worldRank)) {
        failSoon(20, () -> scenario.reportFailure(worldRank));
      }
      while (point.enter()) {
        point.attempt(scenario::body);
      }
      if (scenario.rank >= 0) {
        RankJob.report(args[0], String.valueOf(scenario.rank),
            scenario.sum[0] + " " + point.recoveries().size() + " " + scenario.shrunk);
        System.out
            .println(
                listOfFailures(scenario.rank,
                    point.recoveries().stream().flatMap(one -> one.failedRanks().stream()).sorted().toList()));
      }
    }
  }

  /** Waits until all processes have left MPI_Init. A job cannot recover from a death in it. */
  private static void awaitOthers(String folder, int processes) {
    for (int rank = 0; rank < processes; rank++) {
      Meeting.await(Path.of(folder, HERE + rank));
    }
  }

  private boolean isVictim(int rank) {
    for (int victim : victims) {
      if (victim == rank) {
        return true;
      }
    }
    return false;
  }

  private static void die() {
    Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
    throw new IllegalStateException("still alive");
  }

  private void reportFailure(int victim) {
    RankJob.report(folder, DIES + victim, moment);
  }

  private void tellAndDie(int victim) {
    reportFailure(victim);
    die();
  }

  private static int[] pids(Comm world) {
    int[] pids = new int[world.size()];
    world.allGather(Buf.copyOf((int) ProcessHandle.current().pid()), Buf.wrap(pids));
    return pids;
  }

  /**
   * The first victim kills the others, then itself.
   *
   * <p>A victim that kills itself could be rolled back before.
   */
  private void dieTogether(Comm world, boolean dies) {
    int[] pids = pids(world);
    if (dies && world.rank() == victims[0]) {
      for (int victim : victims) {
        reportFailure(victim);
      }
      for (int i = 1; i < victims.length; i++) {
        Kintsugi.kintsugi_kill(pids[victims[i]], SignalNumbers.SIGKILL);
      }
      die();
    }
  }

  /** Rank 0 stops another one, and lets it go on a while later. */
  private static void stopOne(Comm world, int victim) {
    int[] pids = pids(world);
    if (world.rank() == 0) {
      Kintsugi.kintsugi_kill(pids[victim], SignalNumbers.SIGSTOP);
      Thread waker = new Thread(() -> {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STOPPED_MILLIS));
        Kintsugi.kintsugi_kill(pids[victim], SignalNumbers.SIGCONT);
      });
      waker.setDaemon(true);
      waker.start();
    }
  }

  /** Whether this process is to die soon: not before that it leaves the body. */
  private static volatile boolean isAboutToFail;

  private static void failSoon(long millis) {
    failSoon(millis, () -> {});
  }

  private static void failSoon(long millis, Runnable before) {
    isAboutToFail = true;
    Thread killer = new Thread(() -> {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
      before.run();
      die();
    });
    killer.setDaemon(true);
    killer.start();
  }

  private void body(Run run) {
    Comm world = run.world();
    rank = world.rank();
    shrunk = run.isShrunk();
    sum[0] = 0;
    run.checkpoint().protect("sum", sum);
    run.checkpoint().protect("ballast", ballast);
    // All victims of one moment die in the first epoch.
    int death = moments.length == 1 ? 0 : Math.min(run.epoch(), moments.length - 1);
    boolean isOver = run.epoch() >= moments.length;
    moment = moments[death];
    victim = victims.length == 0 ? -1 : victims[death];
    boolean dies = !isOver && (moments.length == 1 ? isVictim(world.rank()) : world.rank() == victim);
    if (moment.equals("in-recovery") && isVictim(world.rank())) {
      // The first victim dies below; the others on their way back to the restart point.
      dies = run.epoch() == 0 && world.rank() == victims[0];
      if (run.epoch() == 0 && !dies) {
        run.pushCleanup(() -> tellAndDie(world.rank()));
      }
    }
    for (long i = run.checkpoint().restore().orElse(0) / VERSIONS_PER_STEP; i < STEPS; i++) {
      run.iteration(i);
      step(world, run, i, dies && i == STEP, !isOver && i == STEP);
      if (i % SAVE_EVERY == 0) {
        run.checkpoint().save((i + 1) * VERSIONS_PER_STEP);
      }
    }
    while (isAboutToFail) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private void step(Comm world, Run run, long i, boolean dies, boolean special) {
    switch (moment) {
      case "before-collective":
        if (dies) {
          die();
        }
        break;
      case "in-recovery":
        if (dies) {
          tellAndDie(world.rank());
        }
        break;
      case "at-once":
        if (special) {
          dieTogether(world, dies);
        }
        break;
      case "stopped":
        if (special) {
          stopOne(world, victims[0]);
          if (victims.length > 1 && world.rank() == victims[1]) {
            failSoon(STOPPED_MILLIS / 10);
          }
        }
        break;
      case "while-spawning":
        if (dies && world.rank() == victims[0]) {
          die();
        }
        if (dies) {
          failSoon(SPAWNING_MILLIS);
        }
        break;
      case "in-collective":
        if (dies) {
          failSoon(3);
        }
        if (special) {
          double[] result = new double[LARGE];
          for (int k = 0; k < 200; k++) {
            world.allReduce(Buf.wrap(ballast), Buf.wrap(result), Op.SUM);
          }
        }
        break;
      case "in-save":
        if (dies) {
          failSoon(3);
        }
        if (special) {
          for (int k = 1; k <= 100; k++) {
            run.checkpoint().save(i * VERSIONS_PER_STEP + k);
          }
        }
        break;
      case "spare":
        if (special) {
          // It dies in the run, and not when the others are about to leave MPI.
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1000));
        }
        break;
      case "computing":
        if (dies) {
          die();
        }
        if (special) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(60));
        }
        break;
      default:
        blockedOnOthers(world, dies, special);
    }
    sum[0] += world.allReduce((double) i, Op.SUM);
    if (moment.equals("after-collective") && dies) {
      die();
    }
  }

  /** Survivors wait for a message of the victim, or for a survivor that waits for it. */
  private void blockedOnOthers(Comm world, boolean dies, boolean special) {
    if (!special) {
      return;
    }
    int[] nothing = new int[1];
    switch (moment) {
      case "in-receive":
        if (dies) {
          failSoon(5);
          world.recv(Buf.wrap(nothing), Comm.ANY_SOURCE, 77);
        } else {
          world.recv(Buf.wrap(nothing), victim, 77);
        }
        break;
      case "in-wait":
        if (dies) {
          die();
        } else {
          world.iRecv(Buf.wrap(nothing), victim, 77).waitFor();
        }
        break;
      case "in-other-communicator":
        // In a pair without the victim, one rank waits for its partner, and the partner waits for
        // the victim. The partner detects the death and revokes the communicator of the first wait.
        try (Comm pair = world.split(world.rank() / 2, 0)) {
          if (dies) {
            die();
          } else if (world.rank() / 2 != victim / 2 && pair.rank() == 0) {
            pair.recv(Buf.wrap(nothing), 1, 77);
          } else {
            world.recv(Buf.wrap(nothing), victim, 77);
          }
        }
        break;
      default:
        break;
    }
  }
}
