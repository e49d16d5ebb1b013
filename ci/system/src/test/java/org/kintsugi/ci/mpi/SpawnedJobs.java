// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.Op;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * Runs in the ranks: they spawn two processes, and one of these ends.
 *
 * <p>The command line is their own, as programs have it. The ranks wait for a spawned process,
 * detect its end there, and go on.
 */
final class SpawnedJobs {
  static final int CODE = 7;
  static final int RANKS = 2;
  private static final int SPAWNED = 2;
  private static final int LAST = SPAWNED - 1;
  private static final int TAG = 3;
  private static final long SPAWNED_MILLIS = 500; // the ranks are through the spawn by then
  private static final int LONG_SECONDS = 100; // it does not live for so long
  static final String EARLY = "-early";
  private static final String LEARNED_OF = "notified, ";

  private SpawnedJobs() {}

  /**
   * Arguments: the folder for reports, a way to end, the seconds that ranks go on.
   *
   * <p>The way is kill or abort. With "-early" the process ends before the one that the ranks wait
   * for has sent anything.
   */
  public static void main(String[] args) {
    try (Mpi mpi = Mpi.init(args)) {
      Intercomm parents = mpi.parent();
      if (parents != null) {
        end(mpi, parents, args[1]);
      } else {
        RankJob.report(args[0], String.valueOf(mpi.world().rank()), await(mpi, args[1], Integer.parseInt(args[2])));
      }
    }
  }

  /** The report of a rank without errors. */
  static String whatIsRight() {
    return LEARNED_OF + RANKS;
  }

  private static void end(Mpi mpi, Intercomm parents, String way) {
    if (way.endsWith(EARLY)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SPAWNED_MILLIS));
    } else {
      parents.barrier();
    }
    int rank = mpi.world().rank();
    if (rank == (way.equals("kill" + EARLY) ? LAST : 0)) {
      if (way.startsWith("abort")) {
        mpi.abort(CODE);
      }
      Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
    } else if (rank == LAST && way.equals("abort" + EARLY)) {
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(LONG_SECONDS));
    }
    try {
      mpi.world().barrier();
    } catch (MpiFaultException itHasEnded) {
      // The other spawned process is notified of the failure, unless it was ended as well.
    }
  }

  private static String await(Mpi mpi, String way, int seconds) {
    ProcessHandle.Info self = ProcessHandle.current().info();
    String learned = "not notified, ";
    // A place for each, whether or not the host has one left.
    try (Info places = Info.of(Map.of("PMIX_MAPBY", "slot:OVERSUBSCRIBE", "PMIX_BINDTO", "none"));
        Intercomm spawned = mpi.world().spawn(self.command().orElseThrow(), self.arguments().orElseThrow(), SPAWNED, places, 0)) {
      try {
        if (!way.endsWith(EARLY)) {
          spawned.barrier(); // which its end may cut short
          spawned.recv(Buf.allocateInts(1), 0, TAG);
        }
        spawned.recv(Buf.allocateInts(1), LAST, TAG);
      } catch (MpiFaultException itHasEnded) {
        learned = LEARNED_OF;
      }
    }
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() - until < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
    return learned + mpi.world().allReduce(1, Op.SUM);
  }
}
