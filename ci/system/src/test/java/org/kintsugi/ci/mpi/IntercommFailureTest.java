// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.ProcessFailedException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/** Processes fail in either group of an intercommunicator, and both groups go on without them. (Patch ulfm/0005.) */
@Tag("once")
class IntercommFailureTest {
  private static final int FIRST = 2;
  private static final int RANKS = 6;
  private static final int TAG = 7;

  @BeforeEach
  void onlyThePatchedOpenMpi() {
    RankJob.assumeFlavour(Flavour.ULFM, "failures are reported to the program");
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(),
        "only the Open MPI that make setup builds knows failures of the remote group (native/openmpi/patches/ulfm/0005)");
  }

  /** Runs in the ranks: two groups, of two and four; the last of the second fails, then the last of the first. */
  static final class TwoFailures {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        Comm world = mpi.world();
        int me = world.rank();
        boolean isFirst = me < FIRST;
        Comm group = world.split(isFirst ? 0 : 1, 0);
        Intercomm between = group.intercomm(0, world, isFirst ? FIRST : 0, TAG);
        between.agree(1);
        String story = "";
        if (me == RANKS - 1) {
          die();
        }
        // Each detects it by itself: in the remote group, and in its own.
        story += detect(isFirst ? between : group, RANKS - 1 - FIRST) + " ";
        try (Group failed = between.failedGroup()) {
          story += failed.size() + " " + between.ackFailed() + " ";
        }
        // All groups' flags, after the failure was acknowledged everywhere: a process sees those of the other group.
        story += agree(between, isFirst ? 6 : 3) + " ";
        try (Buf flag = Buf.allocateInts(1)) {
          flag.putInt(0, isFirst ? 12 : 10);
          between.iAgree(flag).waitFor();
          story += flag.getInt(0) + " ";
        }
        // It still delivers messages, from any source too.
        int[] in = new int[1];
        if (me == 0) {
          for (int i = 1; i < RANKS - FIRST; i++) {
            between.recv(Buf.wrap(in), Comm.ANY_SOURCE, TAG);
            story += in[0] + " ";
          }
        } else if (!isFirst) {
          between.send(Buf.copyOf(77), 0, TAG);
        }
        Intercomm left = (Intercomm) between.shrink();
        story += exchange(left) + " ";
        if (me == FIRST - 1) {
          die();
        }
        story += detect(isFirst ? group : left, 1) + " ";
        left.revoke();
        Intercomm last = (Intercomm) left.shrink();
        story += exchange(last);
        Comm merged = last.merge(!isFirst);
        story += " " + merged.allReduce(1L, Op.SUM);
        RankJob.report(args[0], String.valueOf(me), story);
      });
    }

    private static String exchange(Intercomm comm) {
      comm.barrier();
      return comm.size() + "+" + comm.remoteSize() + " get " + comm.allReduce((long) comm.rank() + 1, Op.SUM);
    }

    private static int agree(Comm comm, int value) {
      while (true) {
        try {
          return comm.agree(value);
        } catch (ProcessFailedException notAcknowledgedByAll) {
          comm.ackFailed();
        }
      }
    }

    private static String detect(Comm comm, int failed) {
      try {
        comm.recv(Buf.allocateInts(1), failed, TAG + 1);
        return "received";
      } catch (MpiFaultException failedOrRevoked) {
        // Another rank may have revoked it already.
        return "told";
      }
    }

    private static void die() {
      Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
    }
  }

  @Test
  void bothGroupsGoOn() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(60).run(TwoFailures.class).assertSuccess();
    String first = "told 1 1 3 10 77 77 77 2+3 get 6 told 1+3 get 6 4";
    String second = "told 1 1 6 12 3+2 get 3 told 3+1 get 1 4";
    assertThat(outcome.reports()).as(outcome.output()).isEqualTo(Map.of("0", first, "2", second, "3", second, "4", second));
  }
}
