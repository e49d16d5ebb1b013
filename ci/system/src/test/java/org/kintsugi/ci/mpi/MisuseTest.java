// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.TypedParts;
import org.kintsugi.test.RanksTest;

/** Misuse is caught in Java, says what was wrong and with which value, and the job stays usable. */
@Tag("flavours")
class MisuseTest {
  private static void assertRefused(ThrowingCallable call, Class<? extends Exception> type, String... words) {
    var assertion = assertThatThrownBy(call).isInstanceOf(type);
    for (String word : words) {
      assertion.hasMessageContaining(word);
    }
  }

  @RanksTest(n = {1, 2})
  void badArgumentsAreNamed(Mpi mpi) {
    Comm world = mpi.world();
    Buf one = Buf.copyOf(1);
    assertRefused(() -> world.send(null, 0, 1), NullPointerException.class, "buf is null");
    assertRefused(() -> world.send(one, world.size(), 1), IllegalArgumentException.class, "dest " + world.size());
    assertRefused(() -> world.send(one, -7, 1), IllegalArgumentException.class, "dest -7");
    assertRefused(() -> world.recv(one, 99, 1), IllegalArgumentException.class, "source 99");
    assertRefused(() -> world.send(one, 0, -3), IllegalArgumentException.class, "tag -3");
    assertRefused(() -> world.bcast(one, 5), IllegalArgumentException.class, "root 5");
    assertRefused(() -> world.allReduce(one, Buf.copyOf(1.0), Op.SUM), IllegalArgumentException.class, "Int", "Double");
    assertRefused(() -> world.allReduce(Buf.copyOf(1, 2), one, Op.SUM), IllegalArgumentException.class, "1 elements");
    assertRefused(() -> world.allGather(one, Buf.wrap(new int[0])), IllegalArgumentException.class, "0 elements");
    assertRefused(() -> Buf.allocateInts(-1), IllegalArgumentException.class, "count -1");
    assertRefused(() -> Buf.wrap(new int[3], 2, 2), IllegalArgumentException.class, "offset 2", "3 elements");
    assertRefused(() -> one.slice(0, 2), IllegalArgumentException.class, "count 2");
    assertRefused(() -> one.getInt(1), IndexOutOfBoundsException.class, "index 1");
    assertRefused(() -> Buf.wrap(ByteBuffer.allocate(4)), IllegalArgumentException.class, "not direct");
    assertRefused(() -> world.split(-5, 0), IllegalArgumentException.class, "color -5");
    assertRefused(() -> world.cart(new int[] {99}, new boolean[] {false}, false), IllegalArgumentException.class, "99");
    assertThat(world.allReduce(1L, Op.SUM)).isEqualTo(world.size());
  }

  @RanksTest(n = 2)
  void badArgumentsAreCalledByTheirOwnNames(Mpi mpi) {
    Comm world = mpi.world();
    int size = world.size();
    Class<IllegalArgumentException> wrong = IllegalArgumentException.class;
    try (CartComm grid = world.cart(new int[] {size}, new boolean[] {true}, false); Group all = world.group()) {
      assertRefused(() -> grid.coords(size), wrong, "rank " + size);
      assertRefused(() -> all.include(0, 1, 0), wrong, "ranks[2] = 0", "twice");
      assertRefused(() -> all.exclude(1, 1), wrong, "ranks[1] = 1", "twice");
      assertThat(all.size()).isEqualTo(size);
    }
    assertRefused(() -> world.intercomm(size, world, 0, 1), wrong, "localLeader " + size);
    Buf three = Buf.wrap(new int[3]);
    assertRefused(() -> world.allReduce(Buf.wrap(new int[4]), three, Op.SUM), wrong, "receive has 3 elements");
    assertRefused(() -> world.allGather(Buf.wrap(new int[4]), three), wrong, "receive has 3 elements");
    assertRefused(() -> world.reduceScatterBlock(three, Buf.wrap(new int[4]), Op.SUM), wrong, "send has 3 elements");
    assertThat(world.allReduce(1L, Op.SUM)).isEqualTo(size);
  }

  @RanksTest(n = 1)
  void sizesBeyondALongAreRefusedAndNullIsNamed(Mpi mpi) {
    Class<IllegalArgumentException> wrong = IllegalArgumentException.class;
    long most = Long.MAX_VALUE / 2;
    int ints = Integer.MAX_VALUE;
    assertRefused(() -> Buf.allocateInts(most), wrong, most + " x 4 bytes");
    assertRefused(() -> Buf.copyOf(1L).as(Datatype.LONG, most), wrong, "x 8 bytes");
    try (Datatype wide = Datatype.LONG.resized(0, most)) {
      assertRefused(() -> Datatype.vector(2, 1, ints, wide), wrong, ints + " x " + most);
      assertRefused(() -> Datatype.contiguous(ints, wide), wrong, "x " + most);
      assertRefused(() -> Datatype.indexed(new int[] {1}, new int[] {ints}, wide), wrong, ints + " x " + most);
      assertRefused(() -> Datatype.struct(new int[] {2}, new long[] {most + 2}, new Datatype[] {wide}), wrong, "+ " + most);
      assertRefused(() -> wide.resized(most, most + 2), wrong, most + " + ");
    }
    assertNamesNull(() -> Buf.wrap((int[]) null), "array");
    assertNamesNull(() -> Buf.wrap((double[]) null, 0, 1), "array");
    assertNamesNull(() -> Buf.wrap((ByteBuffer) null), "buffer");
    assertNamesNull(() -> Buf.copyOf((long[]) null), "values");
    assertNamesNull(() -> Buf.copyOf(1).as(null, 1), "datatype");
    assertNamesNull(() -> Datatype.contiguous(1, null), "old");
    assertNamesNull(() -> Datatype.vector(1, 1, 1, null), "old");
    assertNamesNull(() -> Datatype.indexed(null, new int[0], Datatype.INT), "blockLengths");
    assertNamesNull(() -> mpi.world().setName(null), "name");
    assertNamesNull(() -> mpi.world().cart(null, new boolean[0], false), "dims");
    assertNamesNull(() -> CartComm.dims(6, null), "dims");
    assertNamesNull(() -> TypedParts.of(new int[0], null, new Datatype[0]), "displacementBytes");
  }

  private static void assertNamesNull(ThrowingCallable call, String argument) {
    assertRefused(call, NullPointerException.class, argument + " is null");
  }

  @RanksTest(n = 2)
  void theSameBufferOnAllRanksIsInPlaceAtTheRootOnly(Mpi mpi) {
    Comm world = mpi.world();
    int me = world.rank();
    Buf same = Buf.wrap(new int[] {me + 1, me + 1});
    world.reduce(same, same, Op.SUM, 0);
    assertThat(same.getInt(1)).isEqualTo(me == 0 ? 3 : 2);
    Buf part = me == 0 ? Buf.wrap(new int[] {1, 0}) : Buf.copyOf(2);
    world.gather(part, part, 0);
    assertThat(part.getInt(me == 0 ? 1 : 0)).isEqualTo(2);
    world.scatter(part, part, 0);
    assertThat(part.getInt(0)).isEqualTo(me == 0 ? 1 : 2);
    assertRefused(() -> world.gatherV(Buf.allocateLongs(4), Buf.allocateBytes(8), new int[] {4, 4}, new int[] {0, 4}, me),
        IllegalArgumentException.class, "Long", "Byte");
    TypedParts parts = TypedParts.of(new int[] {1, 1}, new int[] {0, 4}, new Datatype[] {Datatype.INT, Datatype.INT});
    assertRefused(() -> world.allToAllW(same, parts, same, parts), IllegalArgumentException.class, "in place");
    assertThat(world.allReduce(1L, Op.SUM)).isEqualTo(2);
  }

  @RanksTest(n = 1)
  void argumentsOfAProgramAreLookedAtFirst(Mpi mpi) {
    assertRefused(() -> mpi.world().spawn("true", new String[] {"a", null}, 1, 0), NullPointerException.class, "arguments[1]");
    assertRefused(() -> mpi.world().spawn(null, new String[0], 1, 0), NullPointerException.class, "command");
  }

  @RanksTest(n = 1)
  void anotherThreadIsRefusedByName(Mpi mpi) throws InterruptedException {
    Comm world = mpi.world();
    int[] value = new int[1];
    Request request = world.iRecv(Buf.wrap(value), 0, 3);
    Group group = world.group();
    Info info = Info.of(Map.of("a", "b"));
    Datatype type = Datatype.contiguous(2, Datatype.INT);
    assertThat(type.handle()).isNotZero();
    Op op = Op.of(Datatype.INT, true, (in, inOut, n) -> {});
    PersistentRequest persistent = world.sendInit(Buf.wrap(value), 0, 4);
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>(Map.of("Comm.barrier", world::barrier,
        "Comm.send", () -> world.send(Buf.wrap(value), 0, 3), "Comm.dup", world::dup, "Comm.group", world::group,
        "Request.waitFor", request::waitFor, "Request.waitAll", () -> Request.waitAll(request),
        "Request.testSome", () -> Request.testSome(request), "Mpi.close", mpi::close));
    calls.putAll(
        Map.of("Group.size", group::size, "Group.include", () -> group.include(0), "Group.union", () -> group.union(group),
            "Group.close", group::close, "Info.create", Info::create, "Info.of", () -> Info.of(Map.of()),
            "Info.set", () -> info.set("a", "c"), "Info.toMap", info::toMap, "Info.close", info::close));
    calls.putAll(Map.of("Datatype.handle", Datatype.contiguous(2, type)::handle, "Datatype.close", type::close,
        "Op.of", () -> Op.of(Datatype.INT, true, (in, inOut, n) -> {}), "Op.close", op::close,
        "PersistentRequest.close", persistent::close));
    Map<String, Throwable> thrown = new LinkedHashMap<>();
    Thread other = new Thread(() -> {
      calls.forEach((name, call) -> thrown.put(name, catchThrowable(call)));
      thrown.put(info.toString(), null);
    }, "somebody-else");
    other.start();
    other.join();
    assertThat(thrown).hasSize(calls.size() + 1).containsKey("Info");
    calls.keySet().forEach(name -> assertThat(thrown.get(name)).as(name).isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(name + " is called on ").hasMessageContaining("somebody-else")
        .hasMessageContaining(Thread.currentThread().getName()).hasMessageContaining("FUNNELED"));
    assertThat(info).hasToString("Info{a=b}");
    List.<AutoCloseable>of(group, info, type, op, persistent)
        .forEach(each -> assertThatCode(each::close).doesNotThrowAnyException());
    // Nothing of it has reached MPI, and the request goes on.
    world.send(Buf.copyOf(7), 0, 3);
    request.waitFor();
    assertThat(value).containsExactly(7);
  }

  @RanksTest(n = 2)
  void whatOverlapsIsRefusedAndTheSameMemoryIsInPlace(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    int other = 1 - me;
    int[] ones = {1, 1};
    int[] places = {0, 1};
    try (Buf offHeap = Buf.allocateInts(8)) {
      for (Buf b : List.of(offHeap, Buf.wrap(new int[8]))) {
        List<ThrowingCallable> overlapping = List.of(
            () -> world.allReduce(b.slice(0, 4), b.slice(2, 4), Op.SUM),
            () -> world.iAllReduce(b.slice(2, 4), b.slice(0, 4), Op.SUM),
            () -> world.scan(b.slice(0, 4), b.slice(3, 4), Op.SUM),
            () -> world.reduceScatterBlock(b.slice(0, 4), b.slice(2, 2), Op.SUM),
            () -> world.reduceScatter(b.slice(0, 2), b.slice(1, 1), ones, Op.SUM),
            () -> world.allGather(b.slice(me * 4L, 4), b),
            () -> world.iAllToAll(b.slice(0, 4), b.slice(2, 4)),
            () -> world.allGatherV(b.slice(1, 1), b, ones, places),
            () -> world.allToAllV(b, ones, places, b.slice(1, 4), ones, places),
            () -> world.reduce(b.slice(0, 2), b.slice(1, 2), Op.SUM, me),
            () -> world.gather(b.slice(0, 4), b, me),
            () -> world.iScatter(b, b.slice(4, 4), me),
            () -> world.iGatherV(b.slice(1, 1), b, ones, places, me));
        overlapping.forEach(call -> assertRefused(call, IllegalArgumentException.class, "overlap", "in place"));
        assertRefused(() -> world.sendRecv(b.slice(0, 4), other, 1, b.slice(3, 4), other, 1), IllegalArgumentException.class,
            "overlap",
            "sendRecvReplace");
        assertRefused(() -> world.sendRecv(b, other, 1, b, other, 1), IllegalArgumentException.class, "sendRecvReplace");

        b.putInt(0, me + 1);
        world.allReduce(b.slice(0, 1), b.slice(0, 1), Op.SUM);
        assertThat(b.getInt(0)).isEqualTo(3);
        world.iAllReduce(b.slice(0, 1), b.slice(0, 1), Op.SUM).waitFor();
        assertThat(b.getInt(0)).isEqualTo(6);
        // Buffers after the received part, between the parts, and without a partner.
        world.allReduce(b.slice(4, 1), b.slice(1, 7), Op.SUM);
        world.allGatherV(b.slice(1, 1), b, ones, new int[] {0, 2});
        world.sendRecv(b, Comm.PROC_NULL, 1, b, Comm.PROC_NULL, 1);
        try (Datatype vector = Datatype.vector(4, 1, 2, Datatype.INT)) {
          Buf column = b.as(vector, 1);
          Buf next = b.slice(1, 7).as(vector, 1);
          column.putInt(0, me + 10);
          world.sendRecv(column, other, 1, next, other, 1);
          assertThat(next.getInt(0)).isEqualTo(other + 10);
          assertRefused(() -> world.sendRecv(column, other, 1, b.as(vector, 1), other, 1), IllegalArgumentException.class,
              "overlap");
        }
      }
    }
    assertThat(world.allReduce(1L, Op.SUM)).isEqualTo(n);
  }

  @RanksTest(n = {1, 2})
  void closedThingsAreRefused(Mpi mpi) {
    Comm copy = mpi.world().dup();
    copy.close();
    assertRefused(copy::barrier, IllegalStateException.class, "communicator is closed");
    Buf gone = Buf.allocateInts(1);
    gone.close();
    gone.close();
    assertRefused(() -> gone.getInt(0), IllegalStateException.class, "closed");
    assertRefused(() -> mpi.world().bcast(gone, 0), IllegalStateException.class, "closed");
    assertRefused(() -> Mpi.init(), IllegalStateException.class, "initialised already");
    mpi.world().close();
    assertThat(mpi.world().allReduce(1L, Op.SUM)).isEqualTo(mpi.world().size());
  }
}
