// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.ProcessFailedException;
import org.kintsugi.mpi.ProcessFailedPendingException;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * Receives from any source while processes die, one of them perhaps in the middle of its message. A message that is under way is
 * one whose sender has begun it and then stays out of MPI: over TCP the rest needs it.
 */
class AnySourceTest {
  private static final int RECEIVER = 0;
  private static final int SENDER = 1;
  private static final int OTHER = 2;
  private static final int TAG = 7;
  private static final int GO = 99;
  private static final int LENGTH = 1 << 18;
  private static final int VALUE = 4711;
  private static final long PATIENCE_SECONDS = 30;

  @BeforeEach
  void failuresAreReported() {
    RankJob.assumeFlavour(Flavour.ULFM, "only ULFM reports failures to the program");
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(),
        "only the Open MPI that make setup builds asks whom a receive has been matched with "
            + "(native/openmpi/patches/pml-btl/0001)");
  }

  private static void assertReported(String story, Class<?> ranks) {
    RankJob.Outcome outcome = RankJob.of(3, 0).timeoutSeconds(60).mpirun("--mca", "btl", "self,tcp").run(ranks).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).isEqualTo(Map.of("told", story));
  }

  private static void die() {
    Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
  }

  private static void pause(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  /** Begins a long message to the receiver: it is matched there, and its data stay here until MPI is called again. */
  private static Request begin(Comm world) {
    int[] data = new int[LENGTH];
    Arrays.fill(data, VALUE);
    return world.iSend(Buf.wrap(data), RECEIVER, TAG);
  }

  private static boolean isWhole(int[] data) {
    return Arrays.stream(data).allMatch(value -> value == VALUE);
  }

  /** Waits for the end of a pending receive, with a limit. */
  private static String end(Request request) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    try {
      while (!request.test()) {
        if (System.nanoTime() - limit > 0) {
          return "NEVER ENDS";
        }
      }
      return "done";
    } catch (MpiException e) {
      return e.getClass().getSimpleName();
    }
  }

  /** Runs in the ranks: a process dies that has nothing to do with the message under way. */
  static final class ThirdDies {
    public static void main(String[] args) throws IOException, InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        Path seen = Path.of(args[0], "seen");
        Path isOutOfMpi = Path.of(args[0], "is-out-of-mpi");
        Path matched = Path.of(args[0], "matched");
        world.barrier();
        if (world.rank() == OTHER) {
          Meeting.await(matched);
          pause(200);
          die();
        } else if (world.rank() == SENDER) {
          Request request = begin(world);
          while (!Files.exists(seen)) {
            request.test();
          }
          Files.createFile(isOutOfMpi);
          Meeting.await(matched);
          pause(1000);
          request.waitFor();
        } else {
          int[] data = new int[LENGTH];
          Status status = new Status();
          world.probe(SENDER, TAG);
          Files.createFile(seen);
          Meeting.await(isOutOfMpi);
          Request request = world.iRecv(Buf.wrap(data), Comm.ANY_SOURCE, TAG); // what is there is matched at once
          Files.createFile(matched);
          try {
            request.waitFor(status);
            RankJob.report(args[0], "told", "from " + status.source() + ", " + (isWhole(data) ? "whole" : "NOT WHOLE"));
          } catch (ProcessFailedException e) {
            RankJob.report(args[0], "told", "LOST: " + e.getMessage());
          }
        }
      }
    }
  }

  @Test
  void aMessageUnderWayArrivesWhenAnotherProcessDies() {
    assertReported("from 1, whole", ThirdDies.class);
  }

  /** Runs in the ranks: one has died before, which is acknowledged; then the sender dies in the middle of its message. */
  static final class SenderDies {
    public static void main(String[] args) throws InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        Victim.diesWhenAllAreThere(world, OTHER);
        if (world.rank() == SENDER) {
          world.recv(Buf.wrap(new int[1]), RECEIVER, GO);
          begin(world);
          pause(2000); // until it is matched
          die();
        } else {
          Request request = world.iRecv(Buf.wrap(new int[LENGTH]), Comm.ANY_SOURCE, TAG);
          String first = end(request);
          world.ackFailed();
          world.send(Buf.copyOf(0), SENDER, GO);
          RankJob.report(args[0], "told", first + ", " + end(request));
        }
      }
    }
  }

  @Test
  void aReceiveWhoseSenderDiesEnds() {
    assertReported("ProcessFailedPendingException, ProcessFailedException", SenderDies.class);
  }

  /** Runs in the ranks: the message arrives while no rank looks at the pending receive. */
  static final class ComesWhilePending {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        Victim.diesWhenAllAreThere(world, OTHER);
        if (world.rank() == SENDER) {
          world.recv(Buf.wrap(new int[1]), RECEIVER, GO);
          world.send(Buf.copyOf(VALUE), RECEIVER, TAG);
          world.send(Buf.copyOf(VALUE), RECEIVER, GO);
        } else {
          int[] value = new int[1];
          Request request = world.iRecv(Buf.wrap(value), Comm.ANY_SOURCE, TAG);
          String first = end(request);
          world.send(Buf.copyOf(0), SENDER, GO);
          world.recv(Buf.wrap(new int[1]), SENDER, GO);
          String then = end(request);
          RankJob.report(args[0], "told", first + ", " + then + " with " + value[0]);
        }
      }
    }
  }

  @Test
  void aPendingReceiveGetsItsMessage() {
    assertReported("ProcessFailedPendingException, done with " + VALUE, ComesWhilePending.class);
  }

  /** Runs in the ranks: who does not want to wait for what may never come cancels it. */
  static final class Cancels {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        Victim.diesWhenAllAreThere(world, OTHER);
        if (world.rank() == RECEIVER) {
          Request request = world.iRecv(Buf.wrap(new int[1]), Comm.ANY_SOURCE, TAG);
          String first = end(request);
          request.cancel();
          Status status = new Status();
          String then;
          try {
            request.waitFor(status);
            then = status.isCancelled() ? "cancelled" : "NOT CANCELLED";
          } catch (ProcessFailedPendingException e) {
            then = "PENDING";
          }
          RankJob.report(args[0], "told", first + ", " + then);
        }
      }
    }
  }

  @Test
  void aPendingReceiveCanBeCancelled() {
    assertReported("ProcessFailedPendingException, cancelled", Cancels.class);
  }
}
