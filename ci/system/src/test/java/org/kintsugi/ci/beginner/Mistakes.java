// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.beginner;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.test.RankJob;

/**
 * Programs with one mistake each, as beginners write them, for 3 ranks.
 *
 * <p>A line that a message must name ends with the comment NAMED. The programs were written before
 * the messages for such mistakes.
 */
public final class Mistakes {
  /**
   * The beginning of a report's name, which the rank follows.
   *
   * <p>The report has the time from which on the rank waits, in milliseconds since 1970.
   */
  public static final String SINCE = "since-";

  /** The last iteration that all ranks begin. */
  private static final long LAST_TOGETHER = 9;

  private Mistakes() {}

  /** Each rank takes itself for the root. */
  static final class WrongRoot {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        double[] parameters = {world.rank(), 2, 3};
        world.bcast(Buf.wrap(parameters), world.rank()); // NAMED
        world.barrier();
      }
    }
  }

  /** The grid does not divide by the number of ranks. */
  static final class WrongCount {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int rows = 100 / world.size() + (world.rank() < 100 % world.size() ? 1 : 0);
        double[] sums = new double[rows];
        world.allReduce(Buf.wrap(sums), Op.SUM); // NAMED
      }
    }
  }

  /** The root has floats, the others ints: as many bytes. */
  static final class WrongType {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        if (world.rank() == 0) {
          world.bcast(Buf.wrap(new float[] {1, 2, 3}), 0); // NAMED
        } else {
          world.bcast(Buf.wrap(new int[3]), 0); // NAMED
        }
      }
    }
  }

  /** Rank 0 is after the sum, and the others after the largest. */
  static final class WrongOperation {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        double result = world.allReduce(0.5 * world.rank(), world.rank() == 0 ? Op.SUM : Op.MAX); // NAMED
        System.out.println(result);
      }
    }
  }

  /** The same two collectives, in another order. */
  static final class WrongOrder {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int[] steps = {100};
        if (world.rank() == 0) {
          world.bcast(Buf.wrap(steps), 0); // NAMED
          world.barrier();
        } else {
          world.barrier(); // NAMED
          world.bcast(Buf.wrap(steps), 0);
        }
      }
    }
  }

  /** Only rank 0 wants to know, so only rank 0 asks. */
  static final class ReducesOnOneRank {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        double residual = 1.0 / (1 + world.rank());
        if (world.rank() == 0) {
          System.out.println("residual " + world.allReduce(residual, Op.MAX)); // NAMED
        }
        world.barrier(); // NAMED
      }
    }
  }

  /** The residual is compared without the others': ranks leave the loop at different steps. */
  static final class LeavesTheLoopAlone {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        double residual = 1;
        while (residual > 0.1) {
          world.allReduce(residual, Op.MAX); // NAMED
          residual /= 2 + world.rank();
        }
      } // NAMED
    }
  }

  /** An exception closes MPI, and is printed only after that. */
  static final class ThrowsOnOneRank {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int[] table = {1, 2};
        world.allReduce(table[world.rank()], Op.MAX); // NAMED
      }
    }
  }

  /** One rank goes on with its work meanwhile, and the others wait in the blocking form. */
  static final class BlocksAndDoesNot {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int[] steps = {100};
        if (world.rank() == 1) {
          Request request = world.iBcast(Buf.wrap(steps), 0); // NAMED
          request.waitFor();
        } else {
          world.bcast(Buf.wrap(steps), 0); // NAMED
        }
      }
    }
  }

  /** Rank 2 uses the wrong one of two communicators. */
  static final class WrongCommunicator {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args); Comm library = mpi.world().dup()) {
        library.setName("library");
        if (mpi.world().rank() == 2) {
          library.barrier(); // NAMED
        } else {
          mpi.world().barrier(); // NAMED
        }
      }
    }
  }

  /** The root expects equal parts. */
  static final class WrongParts {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        Buf part = Buf.allocateInts(world.rank() == 2 ? 5 : 4);
        world.gatherV(part, Buf.allocateInts(12), new int[] {4, 4, 4}, new int[] {0, 4, 8}, 0); // NAMED
      }
    }
  }

  /** Each rank sends to the next one, and expects a message from that one. */
  static final class WrongExchange {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int[] counts = new int[3];
        counts[(world.rank() + 1) % 3] = 2;
        Buf received = Buf.allocateInts(6);
        world.allToAllV(Buf.allocateInts(6), counts, new int[] {0, 2, 4}, received, counts, new int[] {0, 2, 4}); // NAMED
      }
    }
  }

  /** One half divides itself further, the other goes on. */
  static final class SplitsOnOneRank {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        if (world.rank() == 0) {
          world.split(0, 0).close(); // NAMED
        }
        world.allReduce(1, Op.SUM); // NAMED
      }
    }
  }

  /** Two models, coupled: one tells its step by a broadcast, the other one comes for a sum. */
  static final class CoupledByOtherCalls {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        boolean isOcean = world.rank() == 0;
        try (Comm model = world.split(isOcean ? 0 : 1, world.rank()); Intercomm other = model.intercomm(0, world,
            isOcean ? 1 : 0, 1)) {
          other.barrier();
          if (isOcean) {
            other.bcast(Buf.wrap(new int[] {7}), Intercomm.ROOT); // NAMED
          } else {
            other.allReduce(Buf.wrap(new int[1]), Buf.wrap(new int[1]), Op.SUM); // NAMED
          }
        }
      }
    }
  }

  /** Two models, coupled: all ranks of the one take themselves for the root. */
  static final class CoupledWithTwoRoots {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        boolean isOcean = world.rank() == 0;
        try (Comm model = world.split(isOcean ? 0 : 1, world.rank()); Intercomm other = model.intercomm(0, world,
            isOcean ? 1 : 0, 1)) {
          other.bcast(Buf.wrap(new int[] {7}), isOcean ? 0 : Intercomm.ROOT); // NAMED
          world.barrier();
        }
      }
    }
  }

  /** A communicator of the survivors of a failure; here no process has failed. */
  static final class LivingInAnotherOrder {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args); Comm living = mpi.world().shrink()) {
        if (living.rank() == 2) {
          living.barrier(); // NAMED
        }
        living.bcast(Buf.wrap(new int[1]), 0); // NAMED
      }
    }
  }

  /** Only those two call it; and then each something else. */
  static final class GroupInAnotherOrder {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        if (world.rank() > 0) {
          try (Group all = world.group(); Group two = all.include(1, 2); Comm pair = world.createGroup(two, 3)) {
            if (pair.rank() == 0) {
              pair.barrier(); // NAMED
            }
            pair.allReduce(1.0, Op.SUM); // NAMED
          }
        }
        world.barrier();
      }
    }
  }

  /** No rank receives the last result. */
  static final class MissingReceive {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        Buf result = Buf.allocateDoubles(1);
        if (world.rank() != 0) {
          world.send(result, 0, 5); // NAMED
        } else {
          for (int rank = 1; rank < world.size() - 1; rank++) {
            world.recv(result, rank, 5);
          }
        }
      }
    }
  }

  /** Sent with one tag, expected with another. */
  static final class WrongTag {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        if (world.rank() == 0) {
          world.send(Buf.allocateInts(10), 1, 7);
        } else if (world.rank() == 1) {
          world.recv(Buf.allocateInts(10), 0, 8); // NAMED
        }
        world.barrier(); // NAMED
      }
    }
  }

  /** All receive from the left before they send to the right. */
  static final class AllReceiveFirst {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int right = (world.rank() + 1) % world.size();
        int left = (world.rank() + world.size() - 1) % world.size();
        Buf halo = Buf.allocateDoubles(100);
        world.recv(halo, left, 1); // NAMED
        world.send(halo, right, 1);
      }
    }
  }

  /** All send long messages before they receive. */
  static final class AllSendFirst {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int right = (world.rank() + 1) % world.size();
        int left = (world.rank() + world.size() - 1) % world.size();
        Buf halo = Buf.allocateDoubles(1_000_000);
        world.send(halo, right, 1); // NAMED
        world.recv(Buf.allocateDoubles(1_000_000), left, 1);
      }
    }
  }

  /** All receive from the neighbour to which they send. */
  static final class ExchangesWithOneNeighbour {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int right = (world.rank() + 1) % world.size();
        world.sendRecv(Buf.allocateDoubles(100), right, 1, Buf.allocateDoubles(100), right, 1); // NAMED
      }
    }
  }

  /** The sender has ints, the receiver floats. */
  static final class WrongTypeOfMessage {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        if (world.rank() == 1) {
          world.send(Buf.wrap(new int[] {1, 2, 3}), 0, 2); // NAMED
        } else if (world.rank() == 0) {
          float[] values = new float[3];
          world.recv(Buf.wrap(values), 1, 2); // NAMED
          System.out.println(values[0]);
        }
      }
    }
  }

  /** The message is longer than the buffer. */
  static final class MessageTooLong {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        if (world.rank() == 1) {
          world.send(Buf.allocateInts(10), 0, 2);
        } else if (world.rank() == 0) {
          world.recv(Buf.allocateInts(5), 1, 2); // NAMED
        }
      }
    }
  }

  /** It is sent, and that is that. */
  static final class NeverWaits {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int right = (world.rank() + 1) % world.size();
        Buf halo = Buf.allocateDoubles(10);
        world.iSend(halo, right, 1); // NAMED
        world.recv(Buf.allocateDoubles(10), Comm.ANY_SOURCE, 1);
      }
    }
  }

  /** The second message is waited for with the first one's request. */
  static final class WaitsTwice {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        Buf value = Buf.allocateInts(1);
        if (world.rank() == 0) {
          world.send(value, 1, 3); // NAMED
          world.send(value, 1, 3); // NAMED
        } else if (world.rank() == 1) {
          Request request = world.iRecv(value, 0, 3);
          request.waitFor();
          request.waitFor();
        }
      }
    }
  }

  /** A persistent request is started before it has ended. */
  static final class StartsTwice {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          int right = (run.world().rank() + 1) % run.world().size();
          Buf halo = Buf.allocateDoubles(100_000);
          PersistentRequest request = run.world().recvInit(halo, right, 1);
          for (int step = 0; step < 3; step++) {
            request.start(); // NAMED
          }
        });
      }
    }
  }

  /** The buffer is closed one line too early. */
  static final class ClosedBuffer {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          Buf result = Buf.allocateDoubles(10);
          result.close();
          run.world().allReduce(result, Op.SUM); // NAMED
        });
      }
    }
  }

  /** Ranks are counted from 1. */
  static final class WrongRank {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          if (run.world().rank() == 0) {
            for (int rank = 1; rank <= run.world().size(); rank++) {
              run.world().send(Buf.allocateInts(1), rank, 0); // NAMED
            }
          } else {
            run.world().recv(Buf.allocateInts(1), 0, 0);
          }
        });
      }
    }
  }

  /** In the body of a run the job's world, with the spares in it. */
  static final class JobsWorldInTheBody {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          double sum = mpi.world().allReduce(1.0, Op.SUM); // NAMED
          System.out.println(sum);
        });
      }
    }
  }

  // CheckTest and StallTest use these two as well; the latter knows from reports since when the ranks wait.

  /** Only rank 0 writes the checkpoint. */
  public static final class SavesOnOneRank {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          double[] x = new double[100];
          run.checkpoint().protect("x", x);
          long first = run.checkpoint().restore().orElse(0);
          for (long i = first; i < 50; i++) {
            run.iteration(i);
            reportTheLast(args, run, i);
            run.world().allReduce(x[0], Op.SUM); // NAMED
            if (i % 10 == 9 && run.world().rank() == 0) {
              run.checkpoint().save(i + 1); // NAMED
            }
          }
        });
      }
    }
  }

  /** One rank is done earlier. */
  public static final class LeavesTheBodyEarly {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> { // NAMED
          for (int i = 0; i < 10 + run.world().rank(); i++) {
            run.iteration(i);
            reportTheLast(args, run, i);
            // No barrier: on the fork the end of a run is one, of the same communicator, and would be taken for its part in it.
            run.world().allReduce(i, Op.MAX); // NAMED
          }
        });
      }
    }
  }

  private static void reportTheLast(String[] args, Run run, long iteration) {
    if (iteration == LAST_TOGETHER) {
      RankJob.report(args[0], SINCE + run.world().rank(), String.valueOf(System.currentTimeMillis()));
    }
  }
}
