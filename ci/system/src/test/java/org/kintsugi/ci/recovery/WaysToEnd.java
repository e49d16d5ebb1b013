// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.test.RankJob;

/**
 * Runs in the ranks of {@link WaysToEndTest}: in each epoch one rank ends without closing MPI.
 *
 * <p>It is rank {@value #VICTIM}, and the arguments have the way for each epoch.
 */
final class WaysToEnd {
  static final int VICTIM = 1;
  /** The property that names the library native/test/ends.c. */
  static final String LIBRARY = "kintsugi.test.ends";
  static final int CODE = 3;
  static final int ABORT_CODE = 5;

  private static final int TURNS = 10;

  private WaysToEnd() {}

  private static native void nativeExit(int code);

  private static native void nativeAbort();

  private static native void nativeCrash();

  /** Arguments: the folder for reports, the ways. */
  public static void main(String[] args) {
    List<String> ways = List.of(args).subList(1, args.length);
    int[] place = {-1, 0};
    Mpi mpi = Mpi.init(args);
    Reinit.run(mpi, run -> {
      place[0] = run.world().rank();
      place[1] = run.epoch();
      turns(mpi, run, ways);
    });
    if (place[0] >= 0) {
      RankJob.report(args[0], String.valueOf(place[0]), place[1] + " recoveries");
    }
    if (ways.contains("main")) {
      // Wait until no rank is in the run any more: there this end would be a failure to recover.
      Meeting.of(args[0], "has-reported", place[0], mpi.world().size());
      if (place[0] == VICTIM) {
        return;
      }
    }
    mpi.close();
  }

  private static void turns(Mpi mpi, Run run, List<String> ways) {
    for (int turn = 0; turn < TURNS; turn++) {
      if (turn == TURNS / 2 && run.world().rank() == VICTIM && run.epoch() < ways.size()) {
        if (ways.get(run.epoch()).equals("abort")) {
          mpi.abort(ABORT_CODE);
        }
        end(ways.get(run.epoch()));
      }
      run.world().allReduce(1, Op.SUM);
    }
  }

  static void end(String way) {
    switch (way) {
      case "exit" -> System.exit(CODE);
      case "exit-0" -> System.exit(0);
      case "halt" -> Runtime.getRuntime().halt(CODE);
      case "native-exit" -> {
        System.load(System.getProperty(LIBRARY));
        nativeExit(CODE);
      }
      case "native-abort" -> {
        System.load(System.getProperty(LIBRARY));
        nativeAbort();
      }
      case "native-crash" -> {
        System.load(System.getProperty(LIBRARY));
        nativeCrash();
      }
      case "memory" -> fillMemory();
      case "stack" -> deeper(0);
      case "exception" -> throw new IllegalStateException("on purpose");
      case "main" -> {
        // main does it
      }
      default -> {
        Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), Integer.parseInt(way));
        // The JVM takes a signal on a thread of its own.
        LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(1));
      }
    }
  }

  private static void fillMemory() {
    List<long[]> all = new ArrayList<>();
    while (true) {
      all.add(new long[1 << 20]);
    }
  }

  private static int deeper(int depth) {
    return deeper(depth + 1) + 1;
  }
}
