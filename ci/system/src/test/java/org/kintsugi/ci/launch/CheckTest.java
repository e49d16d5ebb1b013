// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kintsugi.ci.ranks.NamedLines.assertNames;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.beginner.Mistakes;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.test.RankJob;

/** With {@code jmpirun --check} ranks that do not call the same learn it at once, and a right program runs as without. */
@Tag("flavours")
@Tag("once")
class CheckTest {
  private static final int RANKS = 3;
  private static final int LIMIT_SECONDS = 120;

  /** Runs in the ranks: the ranks of one half of the world call different collectives, on a communicator with a name. */
  static final class DiffersInAPart {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        try (Comm part = world.split(world.rank() % 2, 0)) {
          part.setName("even and odd");
          part.barrier();
          if (world.rank() == 2) {
            part.iBarrier().waitFor();
          } else {
            part.barrier();
          }
        }
      }
    }
  }

  /** Runs in the ranks: all kinds of collectives as they should be, with deaths. */
  static final class IsRight {
    public static void main(String[] args) {
      long[] sum = {0};
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.call(mpi, run -> {
          run.checkpoint().protect("sum", sum);
          long first = run.checkpoint().restore().orElse(0);
          Comm world = run.world();
          Comm part = world.split(world.rank() % 2, 0);
          Comm copy = part.dup();
          Buf own = Buf.allocateInts(world.rank() + 1);
          Buf all = Buf.allocateInts(6);
          for (long i = first; i < 40; i++) {
            run.iteration(i);
            sum[0] += world.allReduce(i, Op.SUM);
            copy.barrier();
            Request barrier = part.iBarrier();
            // Longer than a message that goes before it is waited for: the other one needs this process's progress.
            Buf large = Buf.allocateDoubles(200_000);
            int next = (world.rank() + 1) % RANKS;
            Request sent = world.iSend(large, next, 3);
            if (world.rank() == 0) {
              world.barrier();
            }
            world.recv(Buf.allocateDoubles(200_000), (world.rank() + RANKS - 1) % RANKS, 3);
            if (world.rank() != 0) {
              world.barrier();
            }
            sent.waitFor();
            barrier.waitFor();
            world.gatherV(own, all, new int[] {1, 2, 3}, new int[] {0, 1, 3}, (int) (i % RANKS));
            world.allGatherV(own, all, new int[] {1, 2, 3}, new int[] {0, 1, 3});
            world.bcast(all, 1);
            run.checkpoint().save(i + 1);
          }
          if (world.rank() == 0) {
            RankJob.report(args[0], "sum", sum[0] + " " + run.epoch());
          }
          return null;
        });
      }
    }
  }

  /** Runs in the ranks: a message that nobody receives, one of another type, one by a wildcard, and a request left alone. */
  static final class LeavesMessages {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int other = 1 - world.rank();
        Buf ints = Buf.allocateInts(5);
        if (world.rank() == 0) {
          world.send(ints, other, 1);
          world.send(ints, other, 2);
          world.send(ints, other, 3);
        } else {
          world.recv(Buf.allocateFloats(10), other, 2);
          world.recv(ints, Comm.ANY_SOURCE, 3);
          Request forgotten = world.iRecv(Buf.allocateDoubles(1), other, 9);
          assertThat(forgotten.isActive()).isTrue();
        }
        // In each of these ways a message is what the other one expects.
        Datatype pair = Datatype.contiguous(2, Datatype.INT);
        Request sent = world.iSend(Buf.allocateInts(4).as(pair, 2), other, 4);
        world.probe(other, 4);
        world.recv(Buf.allocateInts(6), other, 4);
        sent.waitFor();
        world.sendRecv(ints, other, 5, Buf.allocateInts(5), other, 5);
        world.sendRecvReplace(ints, other, 6, other, 6, null);
        try (PersistentRequest out = world.sendInit(ints, other, 7);
            PersistentRequest in = world.recvInit(Buf.allocateInts(5), other, 7)) {
          for (int i = 0; i < 3; i++) {
            PersistentRequest.startAll(out, in);
            Request.waitAll(out, in);
          }
        }
        sent = world.iSend(ints, other, 8);
        world.mProbe(other, 8).recv(Buf.allocateInts(5));
        Request received = world.iRecv(Buf.wrap(new double[50_000]), other, 8);
        world.send(Buf.wrap(new double[50_000]), other, 8);
        Request.waitAll(sent, received);
        Request none = world.iRecv(ints, other, 10);
        none.cancel();
        none.waitFor();
      }
    }
  }

  private static String ended(Class<?> program, int spares) {
    RankJob.Outcome outcome = RankJob.of(RANKS, spares).timeoutSeconds(LIMIT_SECONDS).check().run(program);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.DIFFERENT_CALLS);
    assertThat(outcome.output()).contains("jmpirun: the job is ended (--check)");
    return outcome.output();
  }

  @Tag("series")
  @Test
  void aSaveOnOneRankOnly() throws IOException {
    String output = ended(Mistakes.SavesOnOneRank.class, 1);
    assertThat(output).contains("the ranks of the run's world do not call the same (call 12 on it):");
    assertNames(output, "rank 0: Checkpoint\\.save \\(Checkpoint\\.save\\)", Mistakes.class, "checkpoint().save(i + 1)");
    assertNames(output, "ranks 1-2: MPI_Allreduce \\(Comm\\.allReduce\\), SUM, 1 x Double", Mistakes.class,
        "allReduce(x[0], Op.SUM)");
  }

  @Tag("series")
  @Test
  void aRankThatReturnsEarly() throws IOException {
    String output = ended(Mistakes.LeavesTheBodyEarly.class, 1);
    assertNames(output, "rank 0: end of the body \\(Reinit\\.run\\)", Mistakes.class, "Reinit.run(mpi, run -> {");
    assertNames(output, "ranks 1-2: MPI_Allreduce \\(Comm\\.allReduce\\), MAX", Mistakes.class, "allReduce(i, Op.MAX)");
  }

  @Test
  void aCommunicatorThatTheProgramHasMade() throws IOException {
    String output = ended(DiffersInAPart.class, 0);
    assertThat(output).contains("the ranks of \"even and odd\" do not call the same (call 2 on it):",
        "all ranks use the same form");
    assertNames(output, "rank 0: MPI_Barrier", CheckTest.class, "part.barrier()");
    assertNames(output, "rank 1: MPI_Ibarrier", CheckTest.class, "part.iBarrier()");
  }

  @Test
  void messagesThatNobodyReceivesAndRequestsThatNobodyWaitsFor() throws IOException {
    String output = RankJob.of(2, 0).timeoutSeconds(LIMIT_SECONDS).check().run(LeavesMessages.class).assertSuccess().output();
    assertNames(output,
        "rank 0 has sent rank 1 1 message on mpi\\.world\\(\\) with tag 1 that nobody has received: Comm\\.send, ",
        CheckTest.class, "send(ints, other, 1)");
    assertNames(output,
        "rank 0 has sent rank 1 1 message on mpi\\.world\\(\\) with tag 2 of Int \\(.*\\), received as Float \\(Comm\\.recv, ",
        CheckTest.class, "allocateFloats(10), other, 2");
    assertThat(output.lines().filter(line -> line.contains("has sent"))).as(output).hasSize(2);
    assertThat(output).containsOnlyOnce("kintsugi: leak: a request is still under way");
  }

  @Test
  void whoWaitsDrivesTheMessagesThatOthersWaitFor() {
    // Between processes on one host the receiver copies a long message by itself; over TCP the sender has to do its part.
    RankJob.Outcome outcome =
        RankJob.of(RANKS, 0).timeoutSeconds(LIMIT_SECONDS).check().mpirun("--mca", "btl", "tcp,self", "--mca",
            "btl_tcp_if_include", "lo").run(IsRight.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("sum", RANKS * (40 * 39 / 2) + " 0");
  }

  @Test
  void aRightProgramWithDeaths() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 2).timeoutSeconds(LIMIT_SECONDS).check().kill("process:1@10").kill("process:0@25")
        .run(IsRight.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("sum", RANKS * (40 * 39 / 2) + " 2");
    assertThat(outcome.output()).doesNotContain("do not call the same", "do not meet");
  }
}
