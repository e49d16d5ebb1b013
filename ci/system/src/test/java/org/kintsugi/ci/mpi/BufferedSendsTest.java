// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.ProcessFailedException;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.RevokedException;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.RanksTest;

/** Buffered sends, below and above the limit up to which MPI sends at once. */
@Tag("flavours")
class BufferedSendsTest {
  private static final int ROOM = 64 << 20;
  private static final int[] LENGTHS = {1, 100, 20_000};

  /** Each start sends what the memory has then, however late it is received. */
  @RanksTest(n = 2)
  void aPersistentOneSendsWhatIsThere(Mpi mpi) {
    Comm world = mpi.world();
    int starts = 4;
    mpi.attachBuffer(8 << 20);
    for (int length : LENGTHS) {
      for (boolean isArray : new boolean[] {false, true}) {
        try (Datatype spread = Datatype.vector(length, 1, 2, Datatype.INT)) {
          for (boolean hasGaps : new boolean[] {false, true}) {
            for (boolean isAhead : new boolean[] {false, true}) {
              int room = hasGaps ? 2 * length : length;
              Buf memory = isArray ? Buf.wrap(new int[room]) : Buf.allocateInts(room);
              Buf buf = hasGaps ? memory.as(spread, 1) : memory;
              if (world.rank() == 0) {
                try (PersistentRequest send = world.bSendInit(buf, 1, 5)) {
                  for (int i = 0; i < starts; i++) {
                    for (int k = 0; k < room; k++) {
                      memory.putInt(k, i);
                    }
                    send.start();
                    send.waitFor();
                    if (!isAhead) {
                      world.barrier();
                    }
                  }
                }
                if (isAhead) {
                  world.barrier();
                }
              } else {
                if (isAhead) {
                  world.barrier();
                }
                for (int i = 0; i < starts; i++) {
                  int[] expected = new int[length];
                  Arrays.fill(expected, i);
                  int[] received = new int[length];
                  world.recv(Buf.wrap(received), 0, 5);
                  assertThat(received).isEqualTo(expected);
                  if (!isAhead) {
                    world.barrier();
                  }
                }
              }
            }
          }
        }
      }
    }
    mpi.detachBuffer();
  }

  @RanksTest(n = 2)
  void aPersistentOneIsARequestAsOthers(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    mpi.attachBuffer(8 << 20);
    Buf buf = Buf.allocateInts(20_000);
    buf.putInt(19_999, 7);
    PersistentRequest first = world.bSendInit(buf, other, 1);
    PersistentRequest second = world.bSendInit(Buf.copyOf(8), other, 2);
    buf.close(); // it stays for the request, as for any other
    PersistentRequest.startAll(first, second);
    assertThatThrownBy(first::start).isInstanceOf(IllegalStateException.class).hasMessageContaining("in flight");
    assertThat(Request.waitAny(first, second)).isNotNegative();
    first.cancel();
    Request.waitAll(first, second);
    first.start();
    assertThat(first.test()).isTrue();
    int[] received = new int[20_000];
    for (int i = 0; i < 2; i++) {
      world.recv(Buf.wrap(received), other, 1);
      assertThat(received[19_999]).isEqualTo(7);
    }
    world.recv(Buf.wrap(received), other, 2);
    assertThat(received[0]).isEqualTo(8);
    first.close();
    first.close();
    second.close();
    assertThatThrownBy(first::start).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    mpi.detachBuffer();
  }

  @RanksTest(n = 2)
  void whatDoesNotFitIsAnError(Mpi mpi) {
    Comm world = mpi.world();
    int bytes = 80_000;
    assertThatThrownBy(() -> world.bSend(Buf.allocateBytes(1), 1 - world.rank(), 1)).isInstanceOfSatisfying(MpiException.class,
        thrown -> assertThat(thrown.errorClass()).isEqualTo(MPI.MPI_ERR_BUFFER)).hasMessageContaining("attachBuffer");
    world.bSend(Buf.allocateBytes(8), Comm.PROC_NULL, 1);
    mpi.attachBuffer(2 * (bytes + MPI.MPI_BSEND_OVERHEAD));
    if (world.rank() == 0) {
      Buf buf = Buf.allocateBytes(bytes);
      for (int round = 0; round < 3; round++) {
        world.bSend(buf, 1, 1);
        world.iBSend(buf, 1, 1).waitFor();
        assertThatThrownBy(() -> world.bSend(buf, 1, 1)).hasMessageContaining("MPI_ERR_BUFFER").hasMessageContaining("0 of the");
        world.barrier();
        world.recv(Buf.allocateInts(1), 1, 2); // all is received: there is room again
      }
    } else {
      for (int round = 0; round < 3; round++) {
        world.barrier();
        world.recv(Buf.allocateBytes(bytes), 0, 1);
        world.recv(Buf.allocateBytes(bytes), 0, 1);
        world.send(Buf.copyOf(1), 0, 2);
      }
    }
    mpi.detachBuffer();
    assertThat(world.allReduce(1, Op.SUM)).isEqualTo(2);
  }

  /** Detaching waits until all is sent. */
  @RanksTest(n = 2)
  void detachingDelivers(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      mpi.attachBuffer(8 << 20);
      for (int i = 0; i < 20; i++) {
        int[] values = new int[20_000];
        Arrays.fill(values, i);
        world.bSend(Buf.wrap(values), 1, i);
      }
      mpi.detachBuffer();
    } else {
      for (int i = 19; i >= 0; i--) {
        int[] values = new int[20_000];
        world.recv(Buf.wrap(values), 0, i);
        assertThat(values[19_999]).isEqualTo(i);
      }
    }
  }

  /** Runs in the ranks: rank 1 dies, and has not received. */
  static final class ToFailedProcesses {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        mpi.attachBuffer(ROOM);
        Comm revoked = world.dup();
        world.barrier();
        if (world.rank() == 1) {
          Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
        }
        String told = "";
        try {
          for (int i = 0; i < 10; i++) {
            world.bSend(Buf.allocateInts(20_000), 1, 5);
          }
          world.recv(Buf.allocateInts(1), 1, 6);
        } catch (MpiFaultException fault) {
          told = "told";
        }
        assertThatThrownBy(() -> world.bSend(Buf.copyOf(1), 1, 5)).isInstanceOf(ProcessFailedException.class);
        sendWhereTheFailureIsKnown(revoked);
        if (world.rank() == 0) {
          int alive = 2;
          world.bSend(Buf.copyOf(4711), alive, 7);
        } else {
          int[] value = new int[1];
          world.recv(Buf.wrap(value), 0, 7);
          assertThat(value[0]).isEqualTo(4711);
        }
        if (args[1].equals("detach")) {
          mpi.detachBuffer();
        }
        RankJob.report(args[0], String.valueOf(world.rank()), told);
      }
    }
  }

  /** Some fail at once, the others are dropped later; each frees its copy once. */
  private static void sendWhereTheFailureIsKnown(Comm comm) {
    for (int i = 0; i < 500; i++) {
      try {
        comm.bSend(Buf.wrap(new int[100_000]), 1, 5);
      } catch (MpiFaultException known) {
        assertThat(known.function()).isEqualTo("MPI_Bsend");
      }
    }
    comm.revoke();
    assertThatThrownBy(() -> comm.bSend(Buf.copyOf(1), comm.rank(), 5)).isInstanceOf(RevokedException.class);
  }

  @Test
  void thoseToAFailedProcessAreDropped() {
    RankJob.assumeFlavour(Flavour.ULFM, "on the fork, failures are recovered from in Reinit runs only");
    for (String end : new String[] {"detach", "close"}) {
      RankJob.Outcome outcome = RankJob.of(3, 0).timeoutSeconds(60).run(ToFailedProcesses.class, end);
      assertThat(outcome.reports()).containsEntry("0", "told").containsEntry("2", "told");
      assertThat(outcome.output()).as("free() finds a block that is free already").doesNotContain("Signal: Aborted");
    }
  }

  /** Runs in the ranks: rank 1 dies in the run with a message of rank 0 on its way to it. */
  static final class ToFailedProcessesInARun {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        mpi.attachBuffer(8 << 20);
        Reinit.run(mpi, run -> {
          Comm world = run.world();
          for (long i = run.checkpoint().restore().orElse(0); i < 5; i++) {
            if (world.rank() == 0) {
              int[] values = new int[20_000];
              Arrays.fill(values, (int) i);
              world.bSend(Buf.wrap(values), 1, 5);
            }
            run.iteration(i);
            if (world.rank() == 1) {
              int[] values = new int[20_000];
              world.recv(Buf.wrap(values), 0, 5);
              assertThat(values[19_999]).isEqualTo((int) i);
            }
            run.checkpoint().save(i + 1);
          }
        });
        if (args[1].equals("detach")) {
          mpi.detachBuffer();
        }
        RankJob.report(args[0], "end-" + mpi.world().rank(), "ok");
      });
    }
  }

  @Test
  void aRunRecoversAndEnds() {
    for (String end : new String[] {"detach", "close"}) {
      RankJob.of(2, 1).kill("process:1@2").timeoutSeconds(60).run(ToFailedProcessesInARun.class, end).assertSuccess();
    }
  }

  /** Runs in the ranks: many messages are under way between all of them when rank 1 fails. */
  static final class RingInARun {
    private static final int MESSAGES = 20;

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        mpi.attachBuffer(ROOM);
        Reinit.run(mpi, run -> {
          Comm world = run.world();
          int next = (world.rank() + 1) % world.size();
          int before = (world.rank() + world.size() - 1) % world.size();
          for (long i = run.checkpoint().restore().orElse(0); i < 10; i++) {
            int[] values = new int[60_000];
            Arrays.fill(values, (int) i);
            for (int message = 0; message < MESSAGES; message++) {
              world.bSend(Buf.wrap(values), next, 5);
            }
            run.iteration(i);
            for (int message = 0; message < MESSAGES; message++) {
              world.recv(Buf.wrap(values), before, 5);
              assertThat(values[59_999]).isEqualTo((int) i);
            }
            run.checkpoint().save(i + 1);
          }
          RankJob.report(args[0], "epoch-of-" + world.rank(), String.valueOf(run.epoch()));
        });
      });
    }
  }

  @Test
  void theNextEpochDoesNotTouchThoseOfTheLast() {
    RankJob.Outcome outcome = RankJob.of(3, 1).kill("process:1@4").timeoutSeconds(60).run(RingInARun.class).assertSuccess();
    assertThat(outcome.reports().values()).as("no other process fails").containsExactly("1", "1", "1");
  }
}
