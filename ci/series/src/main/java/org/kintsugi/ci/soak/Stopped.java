// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Run;

/**
 * A workload: in each epoch one rank is stopped by SIGSTOP for a while.
 *
 * <p>Others communicate with it, die and are replaced before, during or after that. Being stopped
 * is no failure: there must be exactly one recovery for each death. Each rank compares the
 * received values; a wrong value ends the job. {@link RandomFailures} chooses the deaths.
 */
public final class Stopped {
  private static final int TAG = 7;
  private static final int ELEMENTS = 3000;
  private static final int LAST_TURNS = 300;
  private static final double LONGEST_UNTIL_SECONDS = 0.5;
  private static final double SHORTEST_AWAY_SECONDS = 0.3;
  private static final double LONGEST_AWAY_SECONDS = 3;

  private Stopped() {}

  /** Arguments: the folder for reports, the seed, how many die, the shortest and the longest time to a death in ms. */
  public static void main(String[] args) {
    RandomFailures.run(args, (run, deadly) -> {
      stopOne(run, deadly.random(run, 0));
      for (int turn = 0; !deadly.isOver(run, turn / LAST_TURNS); turn++) {
        talk(run.world(), turn);
      }
    });
  }

  /** Has a separate process stop and wake a rank. Another rank might die before it wakes it. */
  private static void stopOne(Run run, SplittableRandom random) {
    int stopped = random.nextInt(run.world().size());
    double until = random.nextDouble(LONGEST_UNTIL_SECONDS);
    double away = random.nextDouble(SHORTEST_AWAY_SECONDS, LONGEST_AWAY_SECONDS);
    if (run.world().rank() == stopped) {
      long self = ProcessHandle.current().pid();
      String script =
          String.format(Locale.ROOT, "sleep %.3f; kill -STOP %d && { sleep %.3f; kill -CONT %d; }", until, self, away, self);
      try {
        new ProcessBuilder("sh", "-c", script).redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD).start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void talk(Comm world, int turn) {
    int next = RandomFailures.next(world);
    int before = RandomFailures.before(world);
    double[] out = new double[ELEMENTS];
    double[] in = new double[ELEMENTS];
    Arrays.fill(out, content(world.rank(), turn));
    world.sendRecv(Buf.wrap(out), next, TAG, Buf.wrap(in), before, TAG);
    RandomFailures.expect(content(before, turn), Buf.wrap(in), 1, "what came in turn " + turn);
    int ranks = world.size();
    RandomFailures.expect(ranks * (ranks - 1) / 2 + (long) ranks * turn, world.allReduce((long) world.rank() + turn, Op.SUM),
        "the sum of turn " + turn);
  }

  private static double content(int rank, int turn) {
    return rank + turn / 1024.0;
  }
}
