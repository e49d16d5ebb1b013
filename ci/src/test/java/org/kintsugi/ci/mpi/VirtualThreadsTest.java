// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.ranks.NewerJava;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.launch.MpiHome.Flavour;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.ThreadLevel;

/** Blocking calls on virtual threads that share one carrier: each waits for one that could not run if the carrier was kept. */
class VirtualThreadsTest {
  private static final int MANY = 200;

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
        try (Comm dup = mpi.world().dup()) {
          carried.each(1, i -> carried.collectives(dup), i -> {});
        }
        carried.each(MANY, carried::receiveOne, carried::sendOne);
        mpi.world().barrier();
        RankJob.report(args[0], "rank-" + mpi.world().rank(), "ok " + carried.failures);
      }
    }

    /** So many virtual threads of two kinds; the first kind begins first, and waits for the second. */
    private void each(int count, IntConsumer... kinds) throws ReflectiveOperationException, InterruptedException {
      Method start = Thread.class.getMethod("startVirtualThread", Runnable.class); // Java 21
      List<Thread> threads = new ArrayList<>();
      for (IntConsumer kind : kinds) {
        for (int i = 0; i < count; i++) {
          int number = i;
          threads.add((Thread) start.invoke(null, (Runnable) () -> {
            try {
              kind.accept(number);
            } catch (RuntimeException | Error e) {
              failures.add(e);
            }
          }));
        }
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }

    private void receiveOne(int i) {
      int[] value = new int[1];
      world.recv(Buf.of(value), other, 100 + i);
      assertThat(value).containsExactly(i);
    }

    private void sendOne(int i) {
      world.sSend(Buf.of(i), other, 100 + i);
    }

    private void receiveProbeAndExchange(int i) {
      int[] value = new int[1];
      Status status = world.recv(Buf.of(value), other, 1, new Status());
      assertThat(status.tag()).isEqualTo(1);
      assertThat(world.probe(other, 2).bytes()).isEqualTo(4);
      world.mProbe(other, 2).recv(Buf.of(value));
      world.sendRecv(Buf.of(3), other, 3, Buf.of(value), other, 3);
      assertThat(value).containsExactly(3);
      world.sendRecvReplace(Buf.of(value), other, 4, other, 4, null);
      Request.waitAll(world.iRecv(Buf.of(value), other, 5));
      Request.waitAny(world.iRecv(Buf.of(value), other, 6));
      Request.waitSome(world.iRecv(Buf.of(value), other, 7));
      assertThat(value).containsExactly(7);
    }

    private void send(int i) {
      for (int tag : new int[] {1, 2, 5, 6, 7}) {
        world.sSend(Buf.of(tag), other, tag);
      }
    }

    private void collectives(Comm dup) {
      dup.barrier();
      assertThat(dup.allReduce(2L, Op.SUM)).isEqualTo(4);
      assertThat(dup.allReduce(0.5, Op.SUM)).isEqualTo(1);
      int[] all = {dup.rank(), dup.rank()};
      dup.allGather(Buf.of(all));
      assertThat(all).containsExactly(0, 1);
    }
  }

  @Test
  void aWaitingOneLetsTheOthersRun() {
    RankJob.assumeFlavour(Flavour.ULFM, "the Reinit++ fork has no thread level above FUNNELED");
    RankJob.Outcome outcome = RankJob.of(2, 0).java(NewerJava.orSkip()).timeoutSeconds(60)
        .jvm("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1").run(Carried.class);
    outcome.assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("rank-0", "ok []").containsEntry("rank-1", "ok []");
  }
}
