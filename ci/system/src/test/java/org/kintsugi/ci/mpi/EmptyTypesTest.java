// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.TypedParts;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RanksTest;

/** Datatypes of no elements, in every operation: messages of no bytes are matched as any others, and nothing is written. */
@Tag("flavours")
class EmptyTypesTest {
  private static final int COUNT = 5;

  private static List<Datatype> empties() {
    Datatype none = Datatype.contiguous(0, Datatype.DOUBLE);
    Datatype nothing = Datatype.struct(new int[0], new long[0], new Datatype[0]);
    return List.of(none, Datatype.vector(0, 1, 1, Datatype.INT), Datatype.vector(2, 0, 3, Datatype.INT), nothing,
        Datatype.struct(new int[] {2, 0}, new long[] {0, 8}, new Datatype[] {none, Datatype.INT}), none.resized(0, 16),
        nothing.resized(-8, 8), Datatype.contiguous(3, none), Datatype.indexed(new int[] {0}, new int[] {4}, Datatype.LONG));
  }

  private static Buf of(boolean isArray, Datatype type, long count) {
    return (isArray ? Buf.wrap(new byte[1024]) : Buf.allocateBytes(1024)).as(type, count);
  }

  @RanksTest(n = {1, 2, 3})
  void messages(Mpi mpi) {
    Comm world = mpi.world();
    int next = (world.rank() + 1) % world.size();
    int before = (world.rank() + world.size() - 1) % world.size();
    mpi.attachBuffer(10_000);
    for (Datatype type : empties()) {
      for (int count : new int[] {0, 1, COUNT}) {
        for (boolean isArray : new boolean[] {false, true}) {
          Buf out = of(isArray, type, count);
          Buf in = of(isArray, type, count);
          Status status = new Status();
          world.sendRecv(out, next, 1, in, before, 1, status);
          assertThat(status.bytes()).isZero();
          assertThat(status.count(in.datatype())).isZero();
          world.sendRecvReplace(out, next, 2, before, 2, status);
          Request.waitAll(world.iSend(out, next, 3), world.iSSend(out, next, 4), world.iBSend(out, next, 5),
              world.iRecv(in, before, 4), world.iRecv(Buf.allocateDoubles(0), before, 3), world.iRecv(in, before, 5));
          world.bSend(out, next, 6);
          assertThat(world.probe(before, 6).bytes()).isZero();
          world.recv(in, before, 6);
          world.bSend(out, next, 7);
          world.mProbe(before, 7).recv(in);
          try (PersistentRequest send = world.sendInit(out, next, 8); PersistentRequest receive = world.recvInit(in, before, 8);
              PersistentRequest buffered = world.bSendInit(out, next, 9)) {
            for (int i = 0; i < 2; i++) {
              PersistentRequest.startAll(send, receive, buffered);
              Request.waitAll(send, receive, buffered);
              world.recv(in, before, 9);
            }
          }
        }
      }
    }
    mpi.detachBuffer();
  }

  @RanksTest(n = {1, 2, 3})
  void collectives(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    boolean hasInits = Flavour.current() != Flavour.REINIT;
    for (Datatype type : empties()) {
      for (int count : new int[] {0, 1, COUNT}) {
        for (boolean isArray : new boolean[] {false, true}) {
          Buf part = of(isArray, type, count);
          Buf whole = of(isArray, type, (long) count * n);
          Buf other = of(isArray, type, (long) count * n);
          int[] counts = new int[n];
          Arrays.fill(counts, count);
          int[] places = new int[n];
          Arrays.setAll(places, i -> i * count);
          AtomicInteger calls = new AtomicInteger();
          try (Op op = Op.of(type, false, (in, inOut, c) -> calls.incrementAndGet())) {
            world.bcast(part, 0);
            world.iBcast(part, n - 1).waitFor();
            world.gather(part, whole, 0);
            world.scatter(whole, part, 0);
            world.allGather(part, whole);
            world.allToAll(whole, other);
            world.gatherV(part, whole, counts, places, 0);
            world.scatterV(whole, counts, places, part, 0);
            world.allGatherV(part, whole, counts, places);
            world.allToAllV(whole, counts, places, other, counts, places);
            Request.waitAll(world.iGather(part, whole, 0), world.iAllToAllV(whole, counts, places, other, counts, places));
            Request.waitAll(world.iScatter(whole, part, 0), world.iAllGatherV(part, whole, counts, places));
            Request.waitAll(world.iAllGather(part, whole), world.iAllToAll(whole, other));
            Datatype[] types = new Datatype[n];
            Arrays.fill(types, type);
            TypedParts parts = TypedParts.of(counts, new int[n], types);
            world.allToAllW(whole, parts, other, parts);
            world.allGather(whole);
            world.allToAll(whole);
            Buf result = of(isArray, type, count);
            world.reduce(part, result, op, 0);
            world.allReduce(part, result, op);
            world.iAllReduce(part, op).waitFor();
            world.scan(part, result, op);
            world.exScan(part, result, op);
            world.reduceScatterBlock(whole, part, op);
            world.reduceScatter(whole, part, counts, op);
            if (hasInits) {
              run(world.bcastInit(part, 0));
              run(world.gatherInit(part, whole, 0));
              run(world.allGatherInit(part, whole));
              run(world.allToAllInit(whole, other));
              run(world.allToAllVInit(whole, counts, places, other, counts, places));
              run(world.allReduceInit(part, result, op));
              run(world.reduceScatterInit(whole, part, counts, op));
            }
          }
        }
      }
    }
    assertThat(world.allReduce(1, Op.SUM)).isEqualTo(n);
  }

  private static void run(PersistentRequest request) {
    try (request) {
      request.start();
      request.waitFor();
      request.start();
      request.waitFor();
    }
  }

  @RanksTest(n = {1, 3})
  void neighbours(Mpi mpi) {
    Comm world = mpi.world();
    try (CartComm ring = world.cart(new int[] {world.size()}, new boolean[] {true}, false)) {
      for (Datatype type : empties()) {
        for (int count : new int[] {0, 1, COUNT}) {
          Buf part = of(true, type, count);
          Buf both = of(false, type, 2L * count);
          Buf other = of(true, type, 2L * count);
          ring.neighbourAllGather(part, both);
          ring.neighbourAllToAll(both, other);
          Request.waitAll(ring.iNeighbourAllGather(part, both), ring.iNeighbourAllToAll(other, other.count() == 0 ? both : both));
          if (Flavour.current() != Flavour.REINIT) {
            run(ring.neighbourAllGatherInit(part, both));
            run(ring.neighbourAllToAllInit(both, other));
          }
        }
      }
    }
    assertThat(world.allReduce(1, Op.SUM)).isEqualTo(world.size());
  }
}
