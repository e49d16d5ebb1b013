// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.launch.MpiHome.Flavour;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.Request;

/** Messages that a process has not received before it died keep their places in the sender's shared memory. */
class MessagesToTheDeadTest {
  private static final int RANKS = 3;
  private static final int VICTIM = 1;
  private static final int OTHER = 2;
  private static final int SIGKILL = 9;
  /** More than Open MPI has places for by itself: 512. */
  private static final int MESSAGES = 1500;

  /** Runs in the ranks: rank 0 sends to one that dies without receiving anything, and then to another one. */
  static final class SendsOn {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        world.barrier();
        if (world.rank() == VICTIM) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
          Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SIGKILL);
        }
        if (world.rank() == 0) {
          RankJob.report(args[0], "0", end(send(world, VICTIM)) + ", " + end(send(world, OTHER)));
        } else {
          RankJob.report(args[0], "2", String.valueOf(received(world)));
        }
      }
    }

    private static Request[] send(Comm world, int receiver) {
      Request[] requests = new Request[MESSAGES];
      Arrays.setAll(requests, i -> world.iSSend(Buf.of(i), receiver, i));
      return requests;
    }

    private static String end(Request... requests) {
      int failed = 0;
      for (Request request : requests) {
        try {
          request.waitFor();
        } catch (MpiFaultException theReceiverIsDead) {
          failed++;
        }
      }
      return failed + " failed";
    }

    private static int received(Comm world) {
      int right = 0;
      int[] value = new int[1];
      for (int i = 0; i < MESSAGES; i++) {
        world.recv(Buf.of(value), 0, i);
        right += value[0] == i ? 1 : 0;
      }
      return right;
    }
  }

  @Test
  void thereArePlacesForOthers() {
    RankJob.assumeFlavour(Flavour.ULFM, "failures are told to the program");
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(20).run(SendsOn.class);
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("0", MESSAGES + " failed, 0 failed")
        .containsEntry("2", String.valueOf(MESSAGES));
  }
}
