// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.NewerJava;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Rollback;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * Blocking calls on virtual threads that share one carrier.
 *
 * <p>Each waits for a thread that could not run if the carrier were blocked.
 */
@Execution(ExecutionMode.SAME_THREAD)
class VirtualThreadsTest {
  private static final int MANY = 10_000;

  /** Runs in the ranks. */
  static final class Carried {
    private final Comm world;
    private final int other;
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    private Carried(Comm world) {
      this.world = world;
      other = 1 - world.rank();
    }

    public static void main(String[] args) throws ReflectiveOperationException, InterruptedException {
      try (Mpi mpi = Mpi.init(ThreadLevel.MULTIPLE, args)) {
        Carried carried = new Carried(mpi.world());
        carried.each(1, carried::receiveProbeAndExchange, carried::send);
        carried.each(1, i -> carried.makeCommunicators(), i -> carried.letOneAfterTheOtherBeMade());
        carried.waitInterrupted();
        try (Comm dup = mpi.world().dup()) {
          carried.each(1, i -> carried.collectives(dup), i -> {});
        }
        carried.meetOnUnlikeThreads();
        carried.each(MANY, carried::receiveOne, carried::sendOne);
        mpi.world().barrier();
        RankJob.report(args[0], "rank-" + mpi.world().rank(), "ok " + carried.failures);
      }
    }

    private Thread start(Runnable body) throws ReflectiveOperationException {
      Method start = Thread.class.getMethod("startVirtualThread", Runnable.class); // Java 21
      return (Thread) start.invoke(null, (Runnable) () -> {
        try {
          body.run();
        } catch (RuntimeException | Error e) {
          failures.add(e);
        }
      });
    }

    /**
     * Runs {@code count} virtual threads of each kind.
     *
     * <p>The threads of the first kind start first, and wait for those of the second.
     */
    private void each(int count, IntConsumer... kinds) throws ReflectiveOperationException, InterruptedException {
      List<Thread> threads = new ArrayList<>();
      for (IntConsumer kind : kinds) {
        for (int i = 0; i < count; i++) {
          int number = i;
          threads.add(start(() -> kind.accept(number)));
        }
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }

    /**
     * Makes communicators: rank 0 waits in each call for rank 1.
     *
     * <p>Rank 1 makes its call only after a message of another thread of rank 0.
     */
    private void makeCommunicators() {
      try (Group group = world.group()) {
        List<UnaryOperator<Comm>> ways = List.of(Comm::dup, all -> all.split(0, 0), all -> all.create(group), Comm::shrink,
            all -> all.cart(new int[] {2}, new boolean[1], false), all -> all.agree(true) ? all.dup() : null);
        for (UnaryOperator<Comm> way : ways) {
          if (world.rank() == 1) {
            world.recv(Buf.wrap(new int[1]), other, 8);
          }
          try (Comm made = way.apply(world)) {
            assertThat(made.size()).isEqualTo(2);
          }
        }
      }
    }

    private void letOneAfterTheOtherBeMade() {
      for (int i = 0; world.rank() == 0 && i < 6; i++) {
        world.sSend(Buf.copyOf(i), other, 8);
      }
    }

    /** An interrupt neither ends a blocking call nor lets it keep the carrier. */
    private void waitInterrupted() throws ReflectiveOperationException, InterruptedException {
      Thread waiting = start(() -> {
        Thread.currentThread().interrupt();
        int[] value = new int[1];
        world.recv(Buf.wrap(value), other, 9);
        world.iBarrier().waitFor();
        assertThat(value).containsExactly(9);
        assertThat(Thread.interrupted()).isTrue();
      });
      start(() -> world.sSend(Buf.copyOf(9), other, 9)).join();
      waiting.join();
    }

    private void receiveOne(int i) {
      int[] value = new int[1];
      world.recv(Buf.wrap(value), other, 100 + i);
      assertThat(value).containsExactly(i);
    }

    private void sendOne(int i) {
      world.sSend(Buf.copyOf(i), other, 100 + i);
    }

    private void receiveProbeAndExchange(int i) {
      int[] value = new int[1];
      Status status = world.recv(Buf.wrap(value), other, 1, new Status());
      assertThat(status.tag()).isEqualTo(1);
      assertThat(world.probe(other, 2).bytes()).isEqualTo(4);
      world.mProbe(other, 2).recv(Buf.wrap(value));
      world.sendRecv(Buf.copyOf(3), other, 3, Buf.wrap(value), other, 3);
      assertThat(value).containsExactly(3);
      world.sendRecvReplace(Buf.wrap(value), other, 4, other, 4, null);
      Request.waitAll(world.iRecv(Buf.wrap(value), other, 5));
      Request.waitAny(world.iRecv(Buf.wrap(value), other, 6));
      Request.waitSome(world.iRecv(Buf.wrap(value), other, 7));
      assertThat(value).containsExactly(7);
    }

    private void send(int i) {
      for (int tag : new int[] {1, 2, 5, 6, 7}) {
        world.sSend(Buf.copyOf(tag), other, tag);
      }
    }

    /** The collectives of a virtual thread match those of another rank's platform thread. */
    private void meetOnUnlikeThreads() throws ReflectiveOperationException, InterruptedException {
      for (int virtual = 0; virtual < 2; virtual++) {
        if (world.rank() == virtual) {
          start(() -> collectives(world)).join();
        } else {
          collectives(world);
        }
      }
    }

    private void collectives(Comm dup) {
      dup.barrier();
      assertThat(dup.allReduce(2L, Op.SUM)).isEqualTo(4);
      assertThat(dup.allReduce(0.5, Op.SUM)).isEqualTo(1);
      int[] all = {dup.rank(), dup.rank()};
      dup.allGather(Buf.wrap(all));
      assertThat(all).containsExactly(0, 1);
    }
  }

  /**
   * Runs in the ranks: many virtual threads wait for a process that dies.
   *
   * <p>It dies when half of its own threads have ended. In the next epoch all succeeds.
   */
  static final class Bereft {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(ThreadLevel.MULTIPLE, args)) {
        Reinit.run(mpi, run -> {
          Carried carried = new Carried(run.world());
          AtomicInteger sent = new AtomicInteger();
          boolean isToDie = run.world().rank() == 1 && run.epoch() == 0;
          carried.each(MANY, carried::receiveOne, i -> {
            carried.sendOne(i);
            if (isToDie && sent.incrementAndGet() == MANY / 2) {
              Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
            }
          });
          carried.failures.removeIf(failure -> failure instanceof Rollback);
          RankJob.report(args[0], "rank-" + run.world().rank() + "-" + run.epoch(), "ok " + carried.failures);
          run.world().barrier();
        });
      }
    }
  }

  private static RankJob onOneCarrier(int spares) {
    RankJob.assumeFlavour(Flavour.ULFM, "the Reinit++ fork has no thread level above FUNNELED");
    return RankJob.of(2, spares).java(NewerJava.orSkip()).timeoutSeconds(180)
        .jvm("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");
  }

  @Test
  void manyOutliveADeath() {
    RankJob job = onOneCarrier(1);
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(),
        "only the Open MPI that make setup builds drops sends queued to failed processes (native/openmpi/patches/pml-btl/0003)");
    RankJob.Outcome outcome = job.run(Bereft.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("rank-0-0", "ok []").containsEntry("rank-0-1", "ok []")
        .containsEntry("rank-1-1", "ok []").hasSize(3);
  }

  @Test
  void aWaitingOneLetsTheOthersRun() {
    RankJob.Outcome outcome = onOneCarrier(0).run(Carried.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("rank-0", "ok []").containsEntry("rank-1", "ok []");
  }
}
