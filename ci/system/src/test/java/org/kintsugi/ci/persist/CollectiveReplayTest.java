// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.persist.PersistException;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.test.RanksTest;

/** Collectives on a persistent communicator: stored, then replayed with the contributions of then, whatever is handed in. */
@Tag("flavours")
@Tag("once")
class CollectiveReplayTest {
  private static final int[] COUNTS = {1, 2, 3};
  private static final int[] DISPLACEMENTS = {0, 1, 3};

  /** An operation with a contribution made from a number. */
  private interface Operation {
    void on(Comm comm, long[] send, long[] receive);
  }

  private static Map<String, Operation> operations() {
    Map<String, Operation> all = new LinkedHashMap<>();
    all.put("bcast", (c, s, r) -> c.bcast(c.rank() == 1 ? Buf.wrap(s) : Buf.wrap(r), 1));
    all.put("reduce", (c, s, r) -> c.reduce(Buf.wrap(s), Buf.wrap(r), Op.SUM, 2));
    all.put("reduce in place", (c, s, r) -> c.reduce(Buf.wrap(c.rank() == 2 ? inPlace(s, r) : s), Op.MAX, 2));
    all.put("allReduce", (c, s, r) -> c.allReduce(Buf.wrap(s), Buf.wrap(r), Op.SUM));
    all.put("allReduce in place", (c, s, r) -> c.allReduce(Buf.wrap(inPlace(s, r)), Op.SUM));
    all.put("scan", (c, s, r) -> c.scan(Buf.wrap(s), Buf.wrap(r), Op.SUM));
    all.put("exScan", (c, s, r) -> c.exScan(Buf.wrap(s), Buf.wrap(r), Op.SUM));
    all.put("reduceScatterBlock", (c, s, r) -> c.reduceScatterBlock(Buf.wrap(s), Buf.wrap(r, 0, 2), Op.SUM));
    all.put("reduceScatter", (c, s, r) -> c.reduceScatter(Buf.wrap(s), Buf.wrap(r), COUNTS, Op.SUM));
    all.put("gather", (c, s, r) -> c.gather(Buf.wrap(s, 0, 2), Buf.wrap(r), 0));
    all.put("scatter", (c, s, r) -> c.scatter(Buf.wrap(s), Buf.wrap(r, 0, 2), 0));
    all.put("allGather", (c, s, r) -> c.allGather(Buf.wrap(s, 0, 2), Buf.wrap(r)));
    all.put("allToAll", (c, s, r) -> c.allToAll(Buf.wrap(s), Buf.wrap(r)));
    all.put("gatherV", (c, s, r) -> c.gatherV(Buf.wrap(s, 0, COUNTS[c.rank()]), Buf.wrap(r), COUNTS, DISPLACEMENTS, 1));
    all.put("scatterV", (c, s, r) -> c.scatterV(Buf.wrap(s), COUNTS, DISPLACEMENTS, Buf.wrap(r, 0, COUNTS[c.rank()]), 1));
    all.put("allGatherV", (c, s, r) -> c.allGatherV(Buf.wrap(s, 0, COUNTS[c.rank()]), Buf.wrap(r), COUNTS, DISPLACEMENTS));
    int[] two = {2, 2, 2};
    int[] places = {0, 2, 4};
    all.put("allToAllV", (c, s, r) -> c.allToAllV(Buf.wrap(s), two, places, Buf.wrap(r), two, places));
    all.put("iAllReduce", (c, s, r) -> c.iAllReduce(Buf.wrap(s), Buf.wrap(r), Op.SUM).waitFor());
    all.put("iGather", (c, s, r) -> Request.waitAll(c.iGather(Buf.wrap(s, 0, 2), Buf.wrap(r), 0)));
    all.put("allReduceInit", (c, s, r) -> {
      if (c == Mpi.current().world()) {
        c.allReduce(Buf.wrap(s), Buf.wrap(r), Op.SUM); // the fork's MPI has no persistent collectives
        return;
      }
      var request = c.allReduceInit(Buf.wrap(s), Buf.wrap(r), Op.SUM);
      request.start();
      request.waitFor();
      request.close();
    });
    // A collective that is only stored returns this process's own number, in place of a result.
    all.put("bcast of an int in place", (c, s, r) -> r[0] = c.bcast((int) s[0], 1));
    all.put("bcast of a long in place", (c, s, r) -> r[0] = c.bcast(s[0], 1));
    all.put("bcast of a double in place", (c, s, r) -> r[0] = (long) c.bcast((double) s[0], 1));
    all.put("allReduce of an int in place", (c, s, r) -> r[0] = c.allReduce((int) s[0], Op.SUM));
    all.put("allReduce of a long in place", (c, s, r) -> r[0] = c.allReduce(s[0], Op.SUM));
    all.put("allReduce of a double in place", (c, s, r) -> r[0] = (long) c.allReduce((double) s[0], Op.SUM));
    all.put("scan of an int in place", (c, s, r) -> r[0] = c.scan((int) s[0], Op.SUM));
    all.put("scan of a long in place", (c, s, r) -> r[0] = c.scan(s[0], Op.SUM));
    all.put("scan of a double in place", (c, s, r) -> r[0] = (long) c.scan((double) s[0], Op.SUM));
    all.put("exScan of an int in place", (c, s, r) -> r[0] = c.exScan((int) s[0], Op.SUM, -7));
    all.put("exScan of a long in place", (c, s, r) -> r[0] = c.exScan(s[0], Op.SUM, -7L));
    all.put("exScan of a double in place", (c, s, r) -> r[0] = (long) c.exScan((double) s[0], Op.SUM, -7.0));
    return all;
  }

  /** The contribution in the buffer of the result. */
  private static long[] inPlace(long[] send, long[] receive) {
    System.arraycopy(send, 0, receive, 0, send.length);
    return receive;
  }

  private static long[] contribution(Comm comm, long seed) {
    long[] send = new long[6];
    Arrays.setAll(send, i -> seed * 1000 + comm.rank() * 10 + i);
    return send;
  }

  private static long[] result(Comm comm, Operation operation, long seed) {
    long[] receive = new long[6];
    Arrays.fill(receive, -1);
    operation.on(comm, contribution(comm, seed), receive);
    return receive;
  }

  private static PersistentComm make(Comm comm, String name, String... pairs) {
    try (Info info = Info.create()) {
      info.set("kintsugi_persist_name", name);
      for (int i = 0; i < pairs.length; i += 2) {
        info.set("kintsugi_persist_" + pairs[i], pairs[i + 1]);
      }
      return PersistentComm.of(comm, "collectives", info);
    }
  }

  @RanksTest(n = {3})
  void everyOperationIsReplayed(Mpi mpi) {
    Comm world = mpi.world();
    operations().forEach((name, operation) -> {
      try (PersistentComm p = make(world, name)) {
        long[] untouched = result(p.comm(), operation, 1);
        if (!name.contains("in place")) {
          assertThat(untouched).as(name + " is stored and not delivered").containsOnly(-1);
        }
        result(p.comm(), operation, 2);
      }
      long[] expected = result(world, operation, 2);
      try (PersistentComm p = make(world, name)) {
        assertThat(result(p.comm(), operation, 99)).as(name + " is replayed").isEqualTo(expected);
        long[] next = result(p.comm(), operation, 3);
        if (!name.contains("in place")) {
          assertThat(next).as(name + " is stored again").containsOnly(-1);
        }
      }
      long[] third = result(world, operation, 3);
      try (PersistentComm p = make(world, name)) {
        assertThat(result(p.comm(), operation, 99)).as(name + " of the second run").isEqualTo(third);
      }
    });
  }

  @RanksTest(n = {3})
  void aHistoryOfReductions(Mpi mpi) {
    Comm world = mpi.world();
    for (String order : new String[] {"oldest", "newest"}) {
      String[] pairs = {"history", "3", "order", order};
      try (PersistentComm p = make(world, order, pairs)) {
        for (long i = 1; i <= 5; i++) {
          assertThat(p.comm().allReduce(i, Op.SUM)).as("stored only").isEqualTo(i);
        }
        if (world.rank() == 1) {
          p.comm().allReduce(6L, Op.SUM); // the others died before it
        }
      }
      try (PersistentComm p = make(world, order, pairs)) {
        // Rank 1 has kept calls 4 to 6, the others 3 to 5: calls 4 and 5 are everybody's.
        assertThat(p.comm().allReduce(0L, Op.SUM)).isEqualTo(order.equals("oldest") ? 12 : 15);
        assertThat(p.comm().allReduce(0L, Op.SUM)).isEqualTo(order.equals("oldest") ? 15 : 12);
        assertThat(p.comm().allReduce(7L, Op.SUM)).as("stored again").isEqualTo(7);
      }
    }
    try (PersistentComm p = make(world, "apart")) {
      for (long i = 0; i <= world.rank(); i++) {
        p.comm().allReduce(i, Op.SUM);
      }
    }
    try (PersistentComm p = make(world, "apart")) {
      assertThatThrownBy(() -> p.comm().allReduce(0L, Op.SUM)).isInstanceOf(PersistException.class)
          .hasMessageContaining("do not fit together").hasMessageContaining("ALL_REDUCE");
    }
    try (PersistentComm p = make(world, "resumed")) {
      p.comm().allReduce(1L, Op.SUM);
    }
    try (PersistentComm p = make(world, "resumed")) {
      p.resume();
      assertThat(p.comm().allReduce(5L, Op.SUM)).as("nothing is replayed after resume").isEqualTo(5);
    }
    try (PersistentComm p = make(world, "other size")) {
      p.comm().allReduce(Buf.copyOf(1L), Buf.wrap(new long[1]), Op.SUM);
    }
    try (PersistentComm p = make(world, "other size")) {
      assertThatThrownBy(() -> p.comm().allReduce(Buf.wrap(new long[2]), Buf.wrap(new long[2]), Op.SUM))
          .isInstanceOf(PersistException.class).hasMessageContaining("8 bytes").hasMessageContaining("16");
    }
  }

  @RanksTest(n = {3})
  void transparentlyItIsStoredAndDelivered(Mpi mpi) {
    Comm world = mpi.world();
    int next = (world.rank() + 1) % 3;
    int before = (world.rank() + 2) % 3;
    String[] pairs = {"transparent", "true"};
    for (int pass = 0; pass < 2; pass++) {
      try (PersistentComm p = make(world, "transparent", pairs)) {
        if (pass > 0) {
          long[] stored = new long[1];
          p.comm().recv(Buf.wrap(stored), before, 1);
          assertThat(stored[0]).as("the newest of the first run").isEqualTo(before * 10L + 4);
        }
        for (long i = 0; i < 5; i++) {
          long[] got = {-1};
          Request received = p.comm().iRecv(Buf.wrap(got), before, 1);
          p.comm().send(Buf.copyOf(world.rank() * 10 + i), next, 1);
          received.waitFor();
          assertThat(got[0]).as("delivered").isEqualTo(before * 10L + i);
          p.comm().sendRecv(Buf.copyOf(-i), next, 2, Buf.wrap(got), before, 2);
          assertThat(got[0]).isEqualTo(pass > 0 ? i == 0 ? -4 : -(i - 1) : -i);
        }
        if (pass > 0) {
          long[] last = new long[1];
          p.comm().recv(Buf.wrap(last), before, 2); // one more than was sent: the first came from the store
          assertThat(last[0]).isEqualTo(-4);
        }
        assertThat(p.comm().allReduce(2L, Op.SUM)).as("performed").isEqualTo(6);
        p.comm().barrier();
      }
    }
  }

  /** A program that is run again from its beginning: sends that are stored are not repeated, receives are answered. */
  @RanksTest(n = {2})
  void withAllOfItsHistoryAProgramIsRunAgain(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    String[] pairs = {"transparent", "true", "history", "all"};
    long[] sums = new long[3];
    int[] steps = {4, 9, 9}; // the first run ends early
    for (int pass = 0; pass < 3; pass++) {
      try (PersistentComm p = make(world, "logged", pairs)) {
        long[] got = new long[1];
        for (int i = 0; i < steps[pass] + (pass == 0 ? world.rank() : 0); i++) {
          p.comm().send(Buf.copyOf(100L * i + world.rank()), other, 7);
          if (pass > 0 || i < 4) {
            p.comm().recv(Buf.wrap(got), other, 7);
            sums[pass] = sums[pass] * 3 + got[0];
          }
        }
        if (pass == 0 && world.rank() == 0) {
          // Its partner was one step ahead: what it sent is on its way, and is lost with the run.
          p.comm().recv(Buf.wrap(got), other, 7);
        }
        p.comm().barrier();
      }
    }
    long expected = 0;
    for (int i = 0; i < 9; i++) {
      expected = expected * 3 + 100L * i + other;
    }
    assertThat(sums[1]).isEqualTo(expected);
    assertThat(sums[2]).isEqualTo(expected);
  }
}
