// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Rollback;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/** Bodies that a rollback interrupts in the middle of some work. */
class InterruptedBodiesTest {
  private static final int RANKS = 4;
  private static final int VICTIM = 3;
  private static final int LARGE = 1 << 20;

  /** Runs in the ranks: the first pass is cut short by a death in the way that the argument says. */
  static final class Leaving {
    private final String how;
    private int cleanedUp;
    private long sum;
    private Comm kept; // over the rollback

    private Leaving(String how) {
      this.how = how;
    }

    public static void main(String[] args) {
      Leaving leaving = new Leaving(args[1]);
      RunResult<Integer> rank;
      try (Mpi mpi = Mpi.init(args)) {
        rank = Reinit.call(mpi, run -> {
          leaving.body(run);
          return run.world().rank();
        });
      }
      if (!rank.stayedSpare()) {
        RankJob.report(args[0], String.valueOf(rank.value()), leaving.sum + ", cleaned up " + leaving.cleanedUp);
      }
    }

    private void body(Run run) {
      Comm world = run.world();
      if (run.epoch() == 0) {
        kept = world;
        run.pushCleanup(() -> cleanedUp++); // before the barrier: others may still be in it when the victim dies
        world.barrier();
        if (world.rank() == VICTIM) {
          Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
        }
        switch (how) {
          case "agreeing":
            while (true) {
              world.agree(true);
            }
          case "swallowing":
            try {
              while (true) {
                world.barrier();
              }
            } catch (Rollback swallowed) {
              return;
            }
          case "swallowing once":
            swallowOnce(world);
            return;
          case "swallowing in the loop":
            swallowInTheLoop(world);
            return;
          default:
            closing(world);
        }
      }
      if (kept != null) { // of a survivor
        assertThatThrownBy(kept::barrier).isInstanceOf(IllegalStateException.class)
            .hasMessage("communicator is stale: epoch 0 of the Reinit run has ended");
      }
      sum = world.allReduce((long) world.rank(), Op.SUM);
    }

    /** As Scala's Try and Kotlin's runCatching do, which take it for the failure of what they were given. */
    private void swallowOnce(Comm world) {
      try {
        while (true) {
          world.barrier();
        }
      } catch (Throwable anything) {
        Thread.onSpinWait(); // and goes on with a value to fall back on
      }
      world.allReduce(1, Op.SUM); // throws the same rollback once more
      cleanedUp += 10;
    }

    private static void swallowInTheLoop(Comm world) {
      while (true) {
        try {
          world.barrier();
        } catch (Throwable anything) {
          Thread.onSpinWait(); // and goes on, as if nothing had happened
        }
      }
    }

    /** Everything is under way, and closed by the rollback, when messages may still be coming in. */
    private static void closing(Comm world) {
      byte[] array = new byte[LARGE];
      int next = (world.rank() + 1) % RANKS;
      int previous = (world.rank() + RANKS - 1) % RANKS;
      try (Buf in = Buf.allocateBytes(LARGE); Buf out = Buf.allocateBytes(LARGE);
          Op op = Op.of(Datatype.LONG, true, (a, b, n) -> b.putLong(0, a.getLong(0) + b.getLong(0)));
          PersistentRequest receive = world.recvInit(Buf.wrap(array), previous, 1);
          PersistentRequest idle = world.recvInit(Buf.wrap(new byte[1]), previous, 2)) {
        idle.isActive();
        receive.start();
        world.iAllReduce(Buf.wrap(new long[1]), Buf.wrap(new long[1]), op);
        world.iRecv(in, previous, 3);
        world.iSend(out, next, 1);
        world.iSend(out, next, 3);
        while (true) {
          world.barrier();
        }
      } finally {
        world.allReduce(1, Op.SUM); // throws the same rollback once more
      }
    }
  }

  private static void assertAllGoOn(String how) {
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).timeoutSeconds(60).run(Leaving.class, how).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).isEqualTo(Map.of("0", "6, cleaned up 1", "1", "6, cleaned up 1",
        "2", "6, cleaned up 1", "3", "6, cleaned up 0"));
  }

  @Test
  void anAgreementIsLeftLikeEveryOtherCall() {
    RankJob.assumeFlavour(Flavour.ULFM, "agree is ULFM's");
    assertAllGoOn("agreeing");
  }

  @Test
  @Tag("flavours")
  void aRollbackThatTheBodyCatchesCleansUpAllTheSame() {
    assertAllGoOn("swallowing");
  }

  @Test
  @Tag("flavours")
  void aBodyThatCatchesItOnceAndGoesOnGetsItAgain() {
    assertAllGoOn("swallowing once");
  }

  @Test
  @Tag("flavours")
  void theMessageSaysWhereABodyCatchesItInItsLoop() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).timeoutSeconds(60).jvm("-Dkintsugi.recovery.timeout.seconds=5")
        .run(Leaving.class, "swallowing in the loop");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.RESTART);
    assertThat(outcome.output())
        .contains("has ended by a rollback, which its body has caught 100 times by now, the last time in "
            + "Comm.barrier, InterruptedBodiesTest.java:");
  }

  @Test
  @Tag("flavours")
  void whatIsClosedOnTheWayOutMayStillBeWrittenTo() {
    assertAllGoOn("closing");
  }
}
