// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.util.List;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.RevokedException;

/**
 * Runs in the ranks: the revoke benchmark of "Plan B: Interruption of Ongoing MPI Operations to Support Failure Recovery"
 * (Bosilca et al., EuroMPI 2015), in Java and in C, by turns in the same job.
 *
 * <p>All ranks repeat a collective on plan A, a duplicate of the world. The initiator revokes plan A instead of taking part in
 * one more; the others are interrupted in it. All go on with the same collective on plan B, another duplicate. A latency is the
 * longest of all ranks, and the median of the repetitions is printed (the paper has the mean; with more ranks than cores a few
 * repetitions last for a slice of the scheduler).
 */
final class RevokeBench {
  private static final int BEFORE = 10;
  private static final int AFTER = 5;
  private static final int WARM_UP = 100;
  /** 0: a barrier; otherwise an allreduce of this number of doubles. */
  private static final int[] COUNTS = {0, 1, 1 << 10, 1 << 17};
  private static final List<String> STEPS =
      List.of("before", "revoked", "1st after", "2nd after", "3rd after", "4th after", "5th after");

  private final Comm world;
  private final int count;
  private final int initiator;
  private final Buf send;
  private final Buf receive;
  private final Buf mine = Buf.allocateDoubles(STEPS.size());
  private final Buf longest = Buf.allocateDoubles(STEPS.size());

  private RevokeBench(Comm world, int count, int initiator) {
    this.world = world;
    this.count = count;
    this.initiator = initiator;
    send = Buf.allocateDoubles(Math.max(1, count));
    receive = Buf.allocateDoubles(Math.max(1, count));
  }

  /**
   * Prints one line for each figure: {@code name<TAB>variant<TAB>microseconds<TAB>ratio}.
   *
   * @param args the number of repetitions
   */
  public static void main(String[] args) {
    Twins.load();
    int repetitions = Integer.parseInt(args[0]);
    try (Mpi mpi = Mpi.init(args)) {
      Comm world = mpi.world();
      for (int count : COUNTS) {
        new RevokeBench(world, count, 0).measure(repetitions);
      }
      for (int initiator : new int[] {world.size() / 2, world.size() - 1}) {
        new RevokeBench(world, 0, initiator).measure(repetitions);
      }
    }
  }

  private void measure(int repetitions) {
    double[][][] seconds = new double[2][STEPS.size()][repetitions];
    for (int repetition = -WARM_UP; repetition < repetitions; repetition++) {
      for (int variant = 0; variant < 2; variant++) {
        try (Comm planA = world.dup(); Comm planB = world.dup()) {
          world.barrier();
          if (variant == 0) {
            inC(planA, planB);
          } else {
            inJava(planA, planB);
          }
        }
        world.allReduce(mine, longest, Op.MAX);
        for (int step = 0; repetition >= 0 && step < STEPS.size(); step++) {
          seconds[variant][step][repetition] = longest.getDouble(step);
        }
      }
    }
    for (int step = 0; world.rank() == 0 && step < STEPS.size(); step++) {
      String name = (count == 0 ? "barrier" : "allreduce " + 8L * count + " B") + ", initiator " + initiator + ", "
          + STEPS.get(step);
      double inC = Median.of(seconds[0][step]);
      System.out.printf("%s\tC\t%.2f\t1%n", name, inC * 1e6);
      double inJava = Median.of(seconds[1][step]);
      System.out.printf("%s\tJava\t%.2f\t%.3f%n", name, inJava * 1e6, inJava / inC);
    }
    List.of(send, receive, mine, longest).forEach(Buf::close);
  }

  private void inC(Comm planA, Comm planB) {
    int unexpected = Twins.revoke(planA.handle(), planB.handle(), send.address(), receive.address(), count, initiator,
        mine.address());
    if (unexpected > 0) {
      throw new IllegalStateException(unexpected + " calls in C had an unexpected result");
    }
  }

  private void inJava(Comm planA, Comm planB) {
    untilRevoked(planA);
    for (int i = 0; i < AFTER; i++) {
      long start = System.nanoTime();
      collective(planB);
      mine.putDouble(2 + i, since(start));
    }
  }

  /** A rank may still be in the last collective when the initiator has left it: then that one is revoked. */
  private void untilRevoked(Comm planA) {
    double time = 0;
    for (int i = 0; i <= BEFORE; i++) {
      mine.putDouble(0, time);
      boolean isRevoker = i == BEFORE && world.rank() == initiator;
      boolean isRevoked = isRevoker;
      long start = System.nanoTime();
      try {
        if (isRevoker) {
          planA.revoke();
        } else {
          collective(planA);
        }
      } catch (RevokedException expected) {
        isRevoked = true;
      }
      time = since(start);
      if (isRevoked) {
        mine.putDouble(1, time);
        return;
      }
    }
    throw new IllegalStateException("a collective ended that the initiator takes no part in");
  }

  private void collective(Comm comm) {
    if (count == 0) {
      comm.barrier();
    } else {
      comm.allReduce(send, receive, Op.SUM);
    }
  }

  private static double since(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
