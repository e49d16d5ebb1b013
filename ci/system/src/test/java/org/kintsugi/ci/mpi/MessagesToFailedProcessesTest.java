// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.network.SoftwareRoute;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.Request;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * Messages to a failed process no longer use up slots in the sender's shared memory.
 *
 * <p>The limit of slots is Open MPI's own here, which jmpirun lifts, so that it is reached at once.
 * See the patches pml-btl/0006 and pml-btl/0003; without them all of these jobs hang or crash.
 */
class MessagesToFailedProcessesTest {
  private static final String PLACES = "512";
  /** More messages than there are slots. */
  private static final int MESSAGES = 1500;
  /** Fewer messages to each process that dies than there are slots. */
  private static final int FEWER = 300;
  private static final String LEFT_THE_BARRIER = "has-left-the-barrier";

  /** Runs in the ranks: rank 0 sends to all but the last, which die without receiving anything, and then to the last one. */
  static final class SendsOn {
    public static void main(String[] args) {
      int messages = Integer.parseInt(args[1]);
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        int last = world.size() - 1;
        world.barrier();
        Meeting.of(args[0], LEFT_THE_BARRIER, world.rank(), world.size());
        if (world.rank() == 0) {
          String dead = IntStream.range(1, last).mapToObj(victim -> end(send(world, victim, messages)) + ", ")
              .collect(Collectors.joining());
          RankJob.report(args[0], "0", dead + end(send(world, last, MESSAGES)));
        } else if (world.rank() == last) {
          RankJob.report(args[0], "last", String.valueOf(received(world, MESSAGES)));
        } else {
          dieIn(500);
        }
      }
    }
  }

  /**
   * Runs in the ranks: rank 0 waits for a slot when rank 1 dies, the receiver.
   *
   * <p>Rank 0 has used up its slots for messages to rank 2, which does not receive. Later sends
   * must not use the request that still waits: what is queued after it would be lost.
   */
  static final class Waits {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        world.barrier();
        Meeting.of(args[0], LEFT_THE_BARRIER, world.rank(), world.size());
        if (world.rank() == 1) {
          dieIn(500);
        } else if (world.rank() == 2) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1500));
          RankJob.report(args[0], "2", received(world, MESSAGES) + ", " + received(world, MESSAGES) + ", "
              + received(world, MESSAGES));
        } else {
          Request[] requests = send(world, 2, MESSAGES);
          String dead = "sent";
          try {
            world.sSend(Buf.copyOf(-1), 1, 0);
          } catch (MpiFaultException theReceiverIsDead) {
            dead = "failed";
          }
          Request[] more = send(world, 2, MESSAGES);
          for (int i = 0; i < MESSAGES; i++) {
            world.sSend(Buf.copyOf(i), 2, i);
          }
          RankJob.report(args[0], "0", dead + ", " + end(requests) + ", " + end(more));
        }
      }
    }
  }

  /**
   * Runs in the ranks: rank 0 sends to rank 1, which has died, before it has made any call in which it could detect that.
   *
   * <p>The network finds out with the first messages. Later ones must not look for another network that is not there.
   */
  static final class DoesNotKnow {
    private static final int SENDS = 12;

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        world.barrier();
        Meeting.of(args[0], LEFT_THE_BARRIER, world.rank(), world.size());
        if (world.rank() == 1) {
          dieIn(100);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1000));
        if (world.rank() == 0) {
          Request[] requests = new Request[SENDS];
          Arrays.setAll(requests, i -> world.iSend(Buf.copyOf(i), 1, i));
          end(requests);
        }
        try (Comm left = world.shrink()) {
          RankJob.report(args[0], String.valueOf(world.rank()), left.size() + " are left");
        }
      }
    }
  }

  private static void dieIn(int milliseconds) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
  }

  private static Request[] send(Comm world, int receiver, int messages) {
    Request[] requests = new Request[messages];
    Arrays.setAll(requests, i -> world.iSSend(Buf.copyOf(i), receiver, i));
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

  private static int received(Comm world, int messages) {
    int right = 0;
    int[] value = new int[1];
    for (int i = 0; i < messages; i++) {
      world.recv(Buf.wrap(value), 0, i);
      right += value[0] == i ? 1 : 0;
    }
    return right;
  }

  private static RankJob job(int ranks) {
    RankJob.assumeFlavour(Flavour.ULFM, "only ULFM reports failures to the program");
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(),
        "only the Open MPI that make setup builds reuses slots of failed processes "
            + "(native/openmpi/patches/pml-btl/0006 and pml-btl/0003)");
    return RankJob.of(ranks, 0).mpirun("--mca", "btl_sm_free_list_max", PLACES).timeoutSeconds(60);
  }

  /** Over UCX the sender crashes without the patch pml-btl/0012. */
  @ParameterizedTest
  @EnumSource(value = SoftwareRoute.class, names = {"TCP", "OFI_NET", "UCX_TCP"})
  void aSenderThatDoesNotKnowOfTheFailureLivesOn(SoftwareRoute route) {
    RankJob job = job(3);
    assumeTrue(route.isIn(RankJob.mpiOrSkip(Flavour.ULFM)), route::whyNot);
    RankJob.Outcome outcome = route.addTo(job).run(DoesNotKnow.class);
    assertThat(outcome.reports()).as(outcome.output()).containsOnly(entry("0", "2 are left"), entry("2", "2 are left"));
  }

  @Test
  void thereArePlacesForOthers() {
    RankJob.Outcome outcome = job(3).run(SendsOn.class, String.valueOf(MESSAGES));
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("0", MESSAGES + " failed, 0 failed")
        .containsEntry("last", String.valueOf(MESSAGES));
  }

  @Test
  void deathsDoNotAddUp() {
    RankJob.Outcome outcome = job(5).run(SendsOn.class, String.valueOf(FEWER));
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("0", (FEWER + " failed, ").repeat(3) + "0 failed")
        .containsEntry("last", String.valueOf(MESSAGES));
  }

  @Test
  void whatWaitsForThePlaceOfAnotherIsDropped() {
    RankJob.Outcome outcome = job(3).run(Waits.class);
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("0", "failed, 0 failed, 0 failed")
        .containsEntry("2", MESSAGES + ", " + MESSAGES + ", " + MESSAGES);
  }
}
