// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RanksTest;

/** MPI's operations on all predefined types: the results are Java's, or the pair is refused by name. */
@Tag("flavours")
class PredefinedOperationsTest {
  private static final List<Datatype> TYPES = List.of(Datatype.BYTE, Datatype.SHORT, Datatype.CHAR, Datatype.INT,
      Datatype.LONG, Datatype.FLOAT, Datatype.DOUBLE, Datatype.DOUBLE_INT);
  private static final List<Op> OPS = List.of(Op.SUM, Op.PROD, Op.MIN, Op.MAX, Op.LAND, Op.LOR, Op.LXOR, Op.BAND, Op.BOR,
      Op.BXOR, Op.MINLOC, Op.MAXLOC, Op.REPLACE);
  private static final long[] INTEGERS = {0, 1, -1, 2, -2, 127, -128, 255, 32767, -32768, 65535, Integer.MAX_VALUE,
      Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 0x5555555555555555L, 12345, -98765};
  private static final double[] REALS = {0, 1, -1, 0.5, -2.25, 1024, -3, 7, 0.125, -0.75, 4, -8, 16, -16, 3, 5, -5, 9};
  /** More than the widest vector instructions take at once, and not a multiple of it. */
  private static final int LENGTH = 73;

  private static boolean isReal(Datatype type) {
    return type == Datatype.FLOAT || type == Datatype.DOUBLE;
  }

  private static boolean isDefined(Op op, Datatype type) {
    int index = OPS.indexOf(op);
    if (type == Datatype.DOUBLE_INT) {
      return op == Op.MINLOC || op == Op.MAXLOC;
    }
    boolean isBitwise = index >= OPS.indexOf(Op.BAND) && index <= OPS.indexOf(Op.BXOR);
    return type == Datatype.BYTE ? isBitwise : isReal(type) ? index <= OPS.indexOf(Op.MAX) : index <= OPS.indexOf(Op.BXOR);
  }

  private static long cast(Datatype type, long value) {
    return type == Datatype.BYTE ? (byte) value : type == Datatype.SHORT ? (short) value : type == Datatype.CHAR ? (char) value
        : type == Datatype.INT ? (int) value : value;
  }

  private static long combine(Op op, long a, long b) {
    boolean left = a != 0;
    boolean right = b != 0;
    return switch (op.toString()) {
      case "SUM" -> a + b;
      case "PROD" -> a * b;
      case "MIN" -> Math.min(a, b);
      case "MAX" -> Math.max(a, b);
      case "LAND" -> left && right ? 1 : 0;
      case "LOR" -> left || right ? 1 : 0;
      case "LXOR" -> left != right ? 1 : 0;
      case "BAND" -> a & b;
      case "BOR" -> a | b;
      default -> a ^ b;
    };
  }

  private static double combine(Op op, double a, double b) {
    return switch (op.toString()) {
      case "SUM" -> a + b;
      case "PROD" -> a * b;
      case "MIN" -> Math.min(a, b);
      default -> Math.max(a, b);
    };
  }

  private static void put(Datatype type, Buf buf, int i, int rank) {
    long integer = INTEGERS[(i + 5 * rank) % INTEGERS.length];
    double real = REALS[(i + 5 * rank) % REALS.length];
    if (type == Datatype.BYTE) {
      buf.putByte(i, (byte) integer);
    } else if (type == Datatype.SHORT) {
      buf.putShort(i, (short) integer);
    } else if (type == Datatype.CHAR) {
      buf.putChar(i, (char) integer);
    } else if (type == Datatype.INT) {
      buf.putInt(i, (int) integer);
    } else if (type == Datatype.LONG) {
      buf.putLong(i, integer);
    } else if (type == Datatype.FLOAT) {
      buf.putFloat(i, (float) real);
    } else {
      buf.putDouble(i, real);
    }
  }

  private static Object get(Datatype type, Buf buf, int i) {
    return type == Datatype.BYTE ? (Object) (long) buf.getByte(i) : type == Datatype.SHORT ? (Object) (long) buf.getShort(i)
        : type == Datatype.CHAR ? (Object) (long) buf.getChar(i) : type == Datatype.INT ? (Object) (long) buf.getInt(i)
            : type == Datatype.LONG ? (Object) buf.getLong(i)
                : type == Datatype.FLOAT ? (Object) (double) buf.getFloat(i) : (Object) buf.getDouble(i);
  }

  private static Object expected(Op op, Datatype type, int i, int ranks) {
    if (isReal(type)) {
      double result = REALS[i % REALS.length];
      for (int rank = 1; rank < ranks; rank++) {
        result = combine(op, result, REALS[(i + 5 * rank) % REALS.length]);
      }
      return result;
    }
    long result = cast(type, INTEGERS[i % INTEGERS.length]);
    for (int rank = 1; rank < ranks; rank++) {
      result = cast(type, combine(op, result, cast(type, INTEGERS[(i + 5 * rank) % INTEGERS.length])));
    }
    return result;
  }

  private static Buf memory(Datatype type, boolean isArray) {
    int bytes = (int) (LENGTH * type.extent());
    return (isArray ? Buf.wrap(new byte[bytes]) : Buf.allocateBytes(bytes)).as(type, LENGTH);
  }

  @RanksTest(n = {1, 2, 3})
  void everyOperationOnEveryType(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    boolean hasInits = Flavour.current() != Flavour.REINIT;
    for (Datatype type : TYPES) {
      for (Op op : OPS) {
        for (int form = 0; form < (hasInits ? 8 : 6); form++) {
          Buf send = memory(type, form % 2 == 1);
          Buf receive = memory(type, form % 2 == 0);
          String what = op + " on " + type + ", form " + form;
          if (!isDefined(op, type)) {
            int refused = form;
            assertThatThrownBy(() -> run(world, refused, send, receive, op)).as(what).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(op.toString()).hasMessageContaining(type.toString());
          } else if (type != Datatype.DOUBLE_INT) {
            for (int i = 0; i < LENGTH; i++) {
              put(type, send, i, world.rank());
              put(type, receive, i, world.rank());
            }
            run(world, form, send, receive, op);
            int ranks = form == 3 ? world.rank() + 1 : n;
            for (int i = 0; i < LENGTH && (form != 2 || world.rank() == 0); i++) {
              Object result = get(type, receive, i);
              Object right = expected(op, type, i, ranks);
              assertThat(isReal(type) ? (Double) result + 0.0 : result).as("%s, element %d", what, i)
                  .isEqualTo(isReal(type) ? (Double) right + 0.0 : right);
            }
          }
        }
      }
    }
    // The forms of one number have no narrower types: what is passed is widened, and the result is right.
    assertThat(world.allReduce((byte) -1, Op.SUM)).isEqualTo(-n);
    assertThat(world.allReduce((short) (world.rank() - 5), Op.MIN)).isEqualTo(-5);
    assertThat(world.allReduce((char) 0xffff, Op.MAX)).isEqualTo(0xffff);
    assertThat(world.allReduce(0.5f, Op.SUM)).isEqualTo(0.5 * n);
    assertThatThrownBy(() -> world.allReduce(1.0, Op.BAND)).hasMessageContaining("BAND").hasMessageContaining("Double");
    assertThatThrownBy(() -> world.scan(1.0, Op.LOR)).hasMessageContaining("LOR");
    assertThatThrownBy(() -> world.exScan(1, Op.MAXLOC, 0)).hasMessageContaining("MAXLOC");
    try (Datatype pair = Datatype.contiguous(2, Datatype.INT)) {
      assertThatThrownBy(() -> world.allReduce(Buf.copyOf(1, 2).as(pair, 1), Op.SUM))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("SUM").hasMessageContaining("basic");
    }
    assertThat(world.allReduce(1, Op.SUM)).isEqualTo(n);
  }

  private static void run(Comm world, int form, Buf send, Buf receive, Op op) {
    switch (form) {
      case 0 -> world.allReduce(send, receive, op);
      case 1 -> world.iAllReduce(send, receive, op).waitFor();
      case 2 -> world.reduce(send, receive, op, 0);
      case 3 -> world.scan(send, receive, op);
      case 4 -> world.allReduce(receive, op);
      case 5 -> world.iAllReduce(receive, op).waitFor();
      case 6 -> start(world.allReduceInit(send, receive, op));
      default -> start(world.allReduceInit(receive, op));
    }
  }

  private static void start(PersistentRequest request) {
    try (request) {
      request.start();
      request.waitFor();
    }
  }

  @RanksTest(n = {1, 3})
  void placesOfExtremes(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    int me = world.rank();
    double[][] values = {{-1, -2, -3}, {5, 5, 5}, {0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY}};
    for (Op op : List.of(Op.MINLOC, Op.MAXLOC)) {
      for (double[] value : values) {
        Buf pair = Buf.allocateBytes(16).as(Datatype.DOUBLE_INT, 1);
        pair.putDouble(0, value[me]);
        pair.putInt(2, me);
        world.allReduce(pair, op);
        int place = 0;
        for (int rank = 1; rank < n; rank++) {
          if (op == Op.MINLOC ? value[rank] < value[place] : value[rank] > value[place]) {
            place = rank;
          }
        }
        assertThat(pair.getDouble(0)).isEqualTo(value[place]);
        assertThat(pair.getInt(2)).isEqualTo(place);
      }
    }
  }

  /** What the Javadoc of {@link Op#MAX} says: one of the operands comes out. Which one, MPI does not define. */
  @RanksTest(n = {2, 3})
  void notANumberAndZeros(Mpi mpi) {
    Comm world = mpi.world();
    int n = world.size();
    for (Op op : List.of(Op.MIN, Op.MAX)) {
      for (int place = 0; place < n; place++) {
        for (int length : new int[] {1, 17}) {
          double[] values = new double[length];
          double[] zeros = new double[length];
          Arrays.fill(values, world.rank() == place ? Double.NaN : world.rank() + 1);
          Arrays.fill(zeros, world.rank() == place ? -0.0 : 0.0);
          world.allReduce(Buf.wrap(values), op);
          world.allReduce(Buf.wrap(zeros), op);
          for (int i = 0; i < length; i++) {
            assertThat(Double.isNaN(values[i]) || values[i] >= 1 && values[i] <= n).as("%s, NaN on rank %d", op, place).isTrue();
            assertThat(zeros[i] == 0).isTrue();
          }
        }
      }
    }
  }
}
