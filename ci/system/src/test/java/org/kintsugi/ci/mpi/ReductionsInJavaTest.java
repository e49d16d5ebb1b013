// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RanksTest;

/**
 * Operations written in Java, in every form: results, and effects of exceptions.
 *
 * <p>The elements have gaps and bounds of all kinds.
 *
 * <p>An element is a map x -> a x + b. Composition is associative, and not commutative.
 */
@Tag("flavours")
class ReductionsInJavaTest {
  private static final int ELEMENTS = 3;
  private static final long GAP = -77;
  private static final String ON_PURPOSE = "on purpose";

  /** Where an element's two numbers are, in units of {@code long} from its address. */
  private record Layout(Datatype type, int a, int b) {
    int at(int element, int number) {
      return (int) (element * type.extent() / Long.BYTES) + (number == 0 ? a : b);
    }

    Buf buf(int elements, boolean isArray, List<long[]> arrays) {
      int longs = elements == 0 ? 1 : at(elements - 1, 0) + a + b + 8;
      long[] array = new long[longs];
      Arrays.fill(array, GAP);
      arrays.add(array);
      Buf memory = isArray ? Buf.wrap(array) : Buf.allocateLongs(longs);
      for (int i = 0; i < longs; i++) {
        memory.putLong(i, GAP);
      }
      return memory.as(type, elements);
    }

    long[] numbers(Buf buf, int elements) {
      return IntStream.range(0, 2 * elements).mapToLong(i -> buf.getLong(at(i / 2, i % 2))).toArray();
    }

    void fill(Buf buf, int elements, int rank) {
      for (int i = 0; i < elements; i++) {
        buf.putLong(at(i, 0), factor(rank, i));
        buf.putLong(at(i, 1), summand(rank, i));
      }
    }
  }

  private static long factor(int rank, int element) {
    return 3 + 2L * rank + element;
  }

  private static long summand(int rank, int element) {
    return 1 + 7L * rank - 5L * element;
  }

  /** The results of ranks {@code from} to {@code to}, exclusive, from an element on. */
  private static long[] expected(int from, int to, int first, int elements) {
    long[] result = new long[2 * elements];
    for (int i = 0; i < elements; i++) {
      long a = factor(from, first + i);
      long b = summand(from, first + i);
      for (int rank = from + 1; rank < to; rank++) {
        b += a * summand(rank, first + i);
        a *= factor(rank, first + i);
      }
      result[2 * i] = a;
      result[2 * i + 1] = b;
    }
    return result;
  }

  private static List<Layout> layouts() {
    Datatype pair = Datatype.contiguous(2, Datatype.LONG);
    Datatype displaced = Datatype.struct(new int[] {1, 1}, new long[] {16, 40}, new Datatype[] {Datatype.LONG, Datatype.LONG});
    Datatype column = Datatype.vector(2, 1, 16, Datatype.LONG);
    return List.of(new Layout(pair, 0, 1), new Layout(displaced, 2, 5), new Layout(displaced.resized(-16, 64), 2, 5),
        new Layout(column.resized(0, Long.BYTES), 0, 16), new Layout(column.resized(8, 24), 0, 16),
        new Layout(Datatype.struct(new int[] {1, 1}, new long[] {8, 0}, new Datatype[] {Datatype.LONG, Datatype.LONG}), 1, 0));
  }

  private static Op compose(Layout layout, Runnable before) {
    return Op.of(layout.type, false, (in, inOut, count) -> {
      before.run();
      for (int i = 0; i < count; i++) {
        int a = layout.at(i, 0);
        int b = layout.at(i, 1);
        inOut.putLong(b, in.getLong(a) * inOut.getLong(b) + in.getLong(b));
        inOut.putLong(a, in.getLong(a) * inOut.getLong(a));
      }
    });
  }

  /** Null: it has blocked. */
  private interface Call {
    Request run(Buf send, Buf receive, Op op);
  }

  /**
   * A reduction in one of its forms.
   *
   * @param from the first rank of the result's operands
   * @param to the exclusive end
   * @param sent elements of a process
   * @param first the first element of the result
   */
  private record Kind(String name, int from, int to, int sent, int first, int results, Call call) {}

  private static Call blocking(BlockingCall call) {
    return (send, receive, op) -> {
      call.run(send, receive, op);
      return null;
    };
  }

  private interface BlockingCall {
    void run(Buf send, Buf receive, Op op);
  }

  private static List<Kind> kinds(Comm world) {
    int n = world.size();
    int me = world.rank();
    int root = n - 1;
    int[] counts = IntStream.range(0, n).toArray(); // rank 0 gets nothing
    int sum = IntStream.of(counts).sum();
    int before = IntStream.range(0, me).sum();
    int atRoot = me == root ? ELEMENTS : 0;
    int afterFirst = me == 0 ? 0 : ELEMENTS;
    List<Kind> kinds = new ArrayList<>(List.of(
        new Kind("reduce", 0, n, ELEMENTS, 0, atRoot, blocking((s, r, op) -> world.reduce(s, r, op, root))),
        new Kind("iReduce", 0, n, ELEMENTS, 0, atRoot, (s, r, op) -> world.iReduce(s, r, op, root)),
        new Kind("allReduce", 0, n, ELEMENTS, 0, ELEMENTS, blocking(world::allReduce)),
        new Kind("iAllReduce", 0, n, ELEMENTS, 0, ELEMENTS, world::iAllReduce),
        new Kind("scan", 0, me + 1, ELEMENTS, 0, ELEMENTS, blocking(world::scan)),
        new Kind("iScan", 0, me + 1, ELEMENTS, 0, ELEMENTS, world::iScan),
        new Kind("exScan", 0, me, ELEMENTS, 0, afterFirst, blocking(world::exScan)),
        new Kind("iExScan", 0, me, ELEMENTS, 0, afterFirst, world::iExScan),
        new Kind("reduceScatterBlock", 0, n, ELEMENTS * n, ELEMENTS * me, ELEMENTS, blocking(world::reduceScatterBlock)),
        new Kind("iReduceScatterBlock", 0, n, ELEMENTS * n, ELEMENTS * me, ELEMENTS, world::iReduceScatterBlock),
        new Kind("reduceScatter", 0, n, sum, before, me, blocking((s, r, op) -> world.reduceScatter(s, r, counts, op))),
        new Kind("iReduceScatter", 0, n, sum, before, me, (s, r, op) -> world.iReduceScatter(s, r, counts, op))));
    if (Flavour.current() != Flavour.REINIT) {
      kinds.addAll(List.of(
          new Kind("reduceInit", 0, n, ELEMENTS, 0, atRoot, (s, r, op) -> world.reduceInit(s, r, op, root)),
          new Kind("allReduceInit", 0, n, ELEMENTS, 0, ELEMENTS, world::allReduceInit),
          new Kind("scanInit", 0, me + 1, ELEMENTS, 0, ELEMENTS, world::scanInit),
          new Kind("exScanInit", 0, me, ELEMENTS, 0, afterFirst, world::exScanInit),
          new Kind("reduceScatterBlockInit", 0, n, ELEMENTS * n, ELEMENTS * me, ELEMENTS, world::reduceScatterBlockInit),
          new Kind("reduceScatterInit", 0, n, sum, before, me, (s, r, op) -> world.reduceScatterInit(s, r, counts, op))));
    }
    return kinds;
  }

  /** What came of a call: "right", or its exception; fails if a number is wrong. */
  private static String outcome(Layout layout, Kind kind, boolean isArray, boolean inPlace, Op op, int me, boolean mayFail) {
    List<long[]> arrays = new ArrayList<>();
    Buf send = layout.buf(kind.sent, isArray, arrays);
    layout.fill(send, kind.sent, me);
    // In a reduction to blocks the receive buffer is shorter, unless it works in place.
    boolean isPart = kind.name.toLowerCase().contains("scatter");
    Buf receive = inPlace ? send : layout.buf(isPart ? kind.results : kind.sent, isArray, arrays);
    String what = kind.name + (inPlace ? ", in place" : "") + (isArray ? ", arrays" : "") + " of " + layout.type;
    String outcome = "right";
    try {
      Request request = kind.call.run(send, receive, op);
      if (request instanceof PersistentRequest persistent) {
        try (persistent) {
          persistent.start();
          persistent.waitFor();
          if (!mayFail && !inPlace) {
            persistent.start();
            persistent.waitFor();
          }
        }
      } else if (request != null) {
        request.waitFor();
      }
    } catch (ArithmeticException thrown) {
      assertThat(mayFail).as(what).isTrue();
      assertThat(thrown).hasMessage(ON_PURPOSE);
      return "thrown here";
    } catch (MpiException thrown) {
      assertThat(mayFail).as(what).isTrue();
      assertThat(thrown.errorClass()).as(what).isEqualTo(MPI.MPI_ERR_OP);
      assertThat(thrown).hasMessageContaining("on another process");
      return "thrown elsewhere";
    }
    if (kind.results > 0) {
      assertThat(layout.numbers(receive, kind.results)).as(what)
          .isEqualTo(expected(kind.from, kind.to, kind.first, kind.results));
    }
    requireGaps(layout, receive, receive.count(), what);
    if (!inPlace) {
      Buf sent = layout.buf(kind.sent, true, arrays);
      layout.fill(sent, kind.sent, me);
      assertThat(layout.numbers(send, kind.sent)).as(what).isEqualTo(layout.numbers(sent, kind.sent));
    }
    return outcome;
  }

  private static void requireGaps(Layout layout, Buf buf, long elements, String what) {
    boolean[] isElement = new boolean[(int) (buf.bytes() / Long.BYTES)];
    for (int i = 0; i < elements; i++) {
      isElement[layout.at(i, 0)] = true;
      isElement[layout.at(i, 1)] = true;
    }
    for (int i = 0; i < isElement.length; i++) {
      if (!isElement[i]) {
        assertThat(buf.getLong(i)).as("gap %d of %s", i, what).isEqualTo(GAP);
      }
    }
  }

  @RanksTest(n = {1, 2, 3, 4})
  void everyFormOnEveryLayout(Mpi mpi) {
    Comm world = mpi.world();
    for (Layout layout : layouts()) {
      try (Op op = compose(layout, () -> {})) {
        for (Kind kind : kinds(world)) {
          for (int i = 0; i < 4; i++) {
            assertThat(outcome(layout, kind, i % 2 == 1, i > 1, op, world.rank(), false)).isEqualTo("right");
          }
        }
      }
    }
  }

  /** It throws on one rank: there, and wherever its result goes, the call fails. No wrong number comes out. */
  @RanksTest(n = {2, 3, 4})
  void anExceptionOnOneRank(Mpi mpi) {
    Comm world = mpi.world();
    int failures = 0;
    for (int victim = 0; victim < world.size(); victim++) {
      boolean isVictim = world.rank() == victim;
      AtomicInteger thrown = new AtomicInteger();
      for (Layout layout : layouts().subList(0, 2)) {
        try (Op op = compose(layout, () -> {
          if (isVictim) {
            thrown.incrementAndGet();
            throw new ArithmeticException(ON_PURPOSE);
          }
        })) {
          for (Kind kind : kinds(world)) {
            for (int i = 0; i < 4; i++) {
              thrown.set(0);
              String outcome = outcome(layout, kind, i % 2 == 1, i > 1, op, world.rank(), true);
              assertThat(outcome.equals("thrown here")).as("%s: %s", kind.name, outcome).isEqualTo(thrown.get() > 0);
              failures += outcome.equals("thrown elsewhere") ? 1 : 0;
            }
          }
        }
      }
    }
    assertThat(world.allReduce(failures, Op.SUM)).isPositive();
  }

  /** The same request is right when the operation throws no more. */
  @RanksTest(n = 3)
  void aPersistentReductionGoesOnAfterAnException(Mpi mpi) {
    if (Flavour.current() == Flavour.REINIT) {
      return;
    }
    Comm world = mpi.world();
    boolean[] throwing = {true};
    int[] value = {0};
    int[] sum = {-1};
    try (Op op = Op.of(Datatype.INT, true, (in, inOut, count) -> {
      if (throwing[0] && world.rank() == 0) {
        throw new ArithmeticException(ON_PURPOSE);
      }
      for (int i = 0; i < count; i++) {
        inOut.putInt(i, in.getInt(i) + inOut.getInt(i));
      }
    }); PersistentRequest request = world.allReduceInit(Buf.wrap(value), Buf.wrap(sum), op)) {
      for (int round = 0; round < 6; round++) {
        throwing[0] = round % 2 == 0;
        value[0] = world.rank() + round;
        sum[0] = -1;
        request.start();
        try {
          request.waitFor();
          assertThat(sum[0]).isEqualTo(3 + 3 * round);
        } catch (ArithmeticException | MpiException thrown) {
          assertThat(throwing[0]).isTrue();
          assertThat(sum[0]).as("no result").isEqualTo(-1);
        }
        world.barrier();
      }
    }
  }

  @RanksTest(n = {2, 3})
  void singleNumbers(Mpi mpi) {
    Comm world = mpi.world();
    int me = world.rank();
    try (Op op = Op.of(Datatype.LONG, true, (in, inOut, count) -> {
      if (me == world.size() - 1) {
        throw new ArithmeticException(ON_PURPOSE);
      }
      inOut.putLong(0, in.getLong(0) + inOut.getLong(0));
    })) {
      for (int form = 0; form < 3; form++) {
        try {
          long result = form == 0 ? world.allReduce((long) me, op) : form == 1 ? world.scan((long) me, op)
              : world.exScan((long) me, op, 0L);
          long sum = form == 0 ? (long) world.size() * (world.size() - 1) / 2 : me * (me - 1) / 2 + (form == 1 ? me : 0);
          assertThat(result).as("form %d", form).isEqualTo(sum);
        } catch (ArithmeticException here) {
          assertThat(me).isEqualTo(world.size() - 1);
        } catch (MpiException elsewhere) {
          assertThat(elsewhere).hasMessageContaining("on another process");
        }
        world.barrier();
      }
    }
  }

  @RanksTest(n = {2, 3, 4})
  void betweenTwoGroups(Mpi mpi) {
    Comm world = mpi.world();
    int side = world.rank() == 0 ? 0 : 1;
    int others = side == 0 ? 1 : 0;
    int end = side == 0 ? world.size() : 1; // of the other group
    int[] victim = {-1};
    try (Comm local = world.split(side, 0); Intercomm bridge = local.intercomm(0, world, side == 0 ? 1 : 0, 9)) {
      int root = side == 1 ? 0 : Intercomm.ROOT;
      List<Kind> kinds = List.of(
          new Kind("allReduce", others, end, ELEMENTS, 0, ELEMENTS, blocking(bridge::allReduce)),
          new Kind("iAllReduce", others, end, ELEMENTS, 0, ELEMENTS, bridge::iAllReduce),
          new Kind("reduce", 1, world.size(), ELEMENTS, 0, side == 0 ? ELEMENTS : 0,
              blocking((s, r, o) -> bridge.reduce(side == 1 ? s : null, side == 0 ? r : null, o, root))));
      for (Layout layout : layouts()) {
        try (Op op = compose(layout, () -> {
          if (world.rank() == victim[0]) {
            throw new ArithmeticException(ON_PURPOSE);
          }
        })) {
          for (victim[0] = -1; victim[0] < world.size(); victim[0]++) {
            for (Kind kind : kinds) {
              for (boolean isArray : new boolean[] {false, true}) {
                String outcome = outcome(layout, kind, isArray, false, op, world.rank(), victim[0] >= 0);
                assertThat(victim[0] < 0 && !outcome.equals("right")).isFalse();
              }
            }
          }
        }
      }
    }
  }

  /** The operation and the datatype are closed while MPI works on them, and so are the buffers. */
  @RanksTest(n = 2)
  void allMayBeClosedMeanwhile(Mpi mpi) {
    Comm world = mpi.world();
    Datatype type = Datatype.vector(2, 1, 3, Datatype.LONG);
    Layout layout = new Layout(type, 0, 3);
    long[] result = new long[4];
    Request request;
    Buf memory = Buf.allocateLongs(4);
    layout.fill(memory.as(type, 1), 1, world.rank());
    try (Op op = compose(layout, () -> {})) {
      request = world.iAllReduce(memory.as(type, 1), Buf.wrap(result).as(type, 1), op);
    }
    memory.close();
    type.close();
    request.waitFor();
    assertThat(new long[] {result[0], result[3]}).isEqualTo(expected(0, 2, 0, 1));
    assertThat(result[1]).isZero();
  }
}
