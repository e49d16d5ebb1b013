// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Request;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.test.RankJob;

/**
 * A process failure among several requests rolls the run back, whatever else is among them.
 *
 * <p>In front there are a completed and a pending request of another communicator than the run's.
 */
class ErrorWithoutIndexTest {
  /** One way to wait in each epoch, which the failure of rank 1 ends. */
  enum Form {
    WAIT_ANY, TEST_ANY, WAIT_SOME, TEST_SOME, WAIT_ALL, TEST_ALL;

    void waitFor(Request... requests) {
      switch (this) {
        case WAIT_ANY -> Request.waitAny(requests);
        case TEST_ANY -> {
          while (Request.testAny(requests) < 0) {
            Thread.onSpinWait();
          }
        }
        case WAIT_SOME -> Request.waitSome(requests);
        case TEST_SOME -> {
          while (Request.testSome(requests).length == 0) {
            Thread.onSpinWait();
          }
        }
        case WAIT_ALL -> Request.waitAll(requests);
        default -> {
          // MPI_Testall looks no further than the first that is pending.
          while (!Request.testAll(requests[0], requests[2])) {
            Thread.onSpinWait();
          }
        }
      }
    }
  }

  /** Runs in the ranks. */
  static final class Program {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> Reinit.run(mpi, run -> body(mpi, run, args[0])));
    }

    private static void body(Mpi mpi, Run run, String folder) {
      Comm world = run.world();
      if (run.epoch() == Form.values().length) {
        RankJob.report(folder, "rank " + world.rank(), "recovered " + run.epoch() + " times");
        return;
      }
      if (world.rank() == 1) {
        world.recv(Buf.allocateInts(1), 0, 1);
        run.iteration(run.epoch()); // and dies
      }
      Request completed = mpi.self().iRecv(Buf.allocateInts(1), 0, 1);
      mpi.self().send(Buf.allocateInts(1), 0, 1);
      completed.waitFor();
      Request pending = mpi.self().iRecv(Buf.allocateInts(1), 0, 2);
      Request fromAny = world.iRecv(Buf.allocateInts(1), Comm.ANY_SOURCE, 3);
      try {
        world.send(Buf.allocateInts(1), 1, 1);
        Form.values()[run.epoch()].waitFor(completed, pending, fromAny);
      } finally {
        pending.cancel();
        pending.waitFor();
      }
    }
  }

  @Test
  void rollsBackInEveryFormOfWaiting() {
    int forms = Form.values().length;
    RankJob job = RankJob.of(2, forms).timeoutSeconds(60);
    for (int form = 0; form < forms; form++) {
      job.kill("process:1@" + form);
    }
    RankJob.Outcome outcome = job.run(Program.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(2);
    assertThat(outcome.reports().values()).as(outcome.output()).containsOnly("recovered " + forms + " times");
  }
}
