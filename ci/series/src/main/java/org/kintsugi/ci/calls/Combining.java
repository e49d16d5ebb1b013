// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Op;

/** The operation of a reduction, as a program would write it by hand: on one element, whose basic elements are packed. */
abstract class Combining {
  /** Small enough for a signed byte. */
  private static final int PRIME = 113;

  private final String name;

  Combining(String name) {
    this.name = name;
  }

  /** The left operand and the right one, which the result replaces. */
  abstract void combine(ByteBuffer left, ByteBuffer right, Layout layout);

  /** Writes one element's values, of which results are exact in any order. */
  abstract void fill(SplittableRandom random, Place place, int element, ByteBuffer image);

  /** The library's; a new one is closed by the caller. */
  abstract Op op(Layout layout, Layout.Types types);

  @Override
  public String toString() {
    return name;
  }

  static ByteBuffer packed(Layout layout) {
    return ByteBuffer.allocate((int) layout.size()).order(ByteOrder.nativeOrder());
  }

  // MPI's own

  static final Op[] PREDEFINED = {Op.SUM, Op.PROD, Op.MIN, Op.MAX, Op.LAND, Op.LOR, Op.LXOR, Op.BAND, Op.BOR, Op.BXOR, Op.MINLOC,
      Op.MAXLOC, Op.REPLACE};

  /** Whether MPI has the operation for the type (MPI 4.1, section 6.9.2). */
  static boolean isDefined(Op op, Layout layout) {
    if (!layout.isPredefined()) {
      return false;
    }
    if (layout.isDoubleInt()) {
      return op == Op.MINLOC || op == Op.MAXLOC;
    }
    Basic kind = layout.kinds[0];
    boolean isBitwise = op == Op.BAND || op == Op.BOR || op == Op.BXOR;
    boolean isLogical = op == Op.LAND || op == Op.LOR || op == Op.LXOR;
    boolean isArithmetic = op == Op.SUM || op == Op.PROD || op == Op.MIN || op == Op.MAX;
    return isBitwise && !kind.isFloating() || (isLogical || isArithmetic) && kind != Basic.BYTE && (isArithmetic
        || !kind.isFloating());
  }

  static Combining predefined(Op op) {
    return new Predefined(op);
  }

  private static final class Predefined extends Combining {
    private final Op op;

    Predefined(Op op) {
      super(op.toString());
      this.op = op;
    }

    @Override
    Op op(Layout layout, Layout.Types types) {
      return op;
    }

    @Override
    void combine(ByteBuffer left, ByteBuffer right, Layout layout) {
      Basic kind = layout.kinds[0];
      if (layout.isDoubleInt()) {
        double a = left.getDouble(0);
        double b = right.getDouble(0);
        boolean isLeft = op == Op.MINLOC ? a < b : a > b;
        int index = a == b ? Math.min(left.getInt(8), right.getInt(8)) : isLeft ? left.getInt(8) : right.getInt(8);
        right.putDouble(0, isLeft ? a : b).putInt(8, index);
      } else if (kind.isFloating()) {
        double a = kind.real(left, 0);
        double b = kind.real(right, 0);
        kind.putReal(right, 0, op == Op.SUM ? a + b : op == Op.PROD ? a * b : op == Op.MIN ? Math.min(a, b) : Math.max(a, b));
      } else {
        kind.putWhole(right, 0, whole(kind.whole(left, 0), kind.whole(right, 0)));
      }
    }

    private long whole(long a, long b) {
      boolean isA = a != 0;
      boolean isB = b != 0;
      return op == Op.SUM ? a + b : op == Op.PROD ? a * b : op == Op.MIN ? Math.min(a, b) : op == Op.MAX ? Math.max(a, b)
          : op == Op.BAND ? a & b : op == Op.BOR ? a | b : op == Op.BXOR ? a ^ b
              : (op == Op.LAND ? isA && isB : op == Op.LOR ? isA || isB : isA != isB) ? 1 : 0;
    }

    @Override
    void fill(SplittableRandom random, Place place, int element, ByteBuffer image) {
      int at = place.at(element * place.each());
      Basic kind = place.kind(0);
      if (place.layout().isDoubleInt()) {
        image.putDouble(at, random.nextInt(3)).putInt(place.at(element * 2 + 1), random.nextInt(-9, 9));
      } else if (kind.isFloating()) {
        boolean isExtreme = random.nextInt(9) == 0 && (op == Op.MIN || op == Op.MAX);
        double value = op == Op.PROD ? Math.scalb(random.nextBoolean() ? 1.0 : -1.0, random.nextInt(-1, 2))
            : isExtreme ? (random.nextBoolean() ? 1 : -1) * Double.POSITIVE_INFINITY : 0.25 * random.nextInt(-1000, 1000);
        kind.putReal(image, at, value == 0 ? 0.0 : value); // which zero comes out is not defined
      } else {
        long value = random.nextInt(4) == 0 ? random.nextInt(-2, 3) : random.nextLong();
        boolean isLogical = op == Op.LAND || op == Op.LOR || op == Op.LXOR;
        kind.putWhole(image, at, isLogical && random.nextBoolean() ? random.nextInt(2) : value);
      }
    }
  }

  // The program's own, modulo a prime

  /** How many basic elements the operation combines with each other. */
  private interface Rule {
    /** @return the result's number {@code i} */
    long apply(long[] left, long[] right, int i);
  }

  /** Adds each basic element. */
  static Combining sum() {
    return new Own("own sum", true, 1, (a, b, i) -> a[0] + b[0]);
  }

  /** Puts two maps x -> ax + b after each other: not commutative. */
  static Combining affine() {
    return new Own("own affine maps", false, 2, (a, b, i) -> i == 0 ? a[0] * b[0] : a[0] * b[1] + a[1]);
  }

  /** Multiplies matrices of 2 x 2: not commutative. */
  static Combining matrix() {
    return new Own("own 2x2 matrices", false, 4,
        (a, b, i) -> a[i / 2 * 2] * b[i % 2] + a[i / 2 * 2 + 1] * b[2 + i % 2]);
  }

  private static final class Own extends Combining {
    private final boolean isCommutative;
    private final int numbers;
    private final Rule rule;

    Own(String name, boolean isCommutative, int numbers, Rule rule) {
      super(name);
      this.isCommutative = isCommutative;
      this.numbers = numbers;
      this.rule = rule;
    }

    @Override
    Op op(Layout layout, Layout.Types types) {
      return Op.of(types.of(layout), isCommutative, (in, inOut, count) -> reduce(layout, in, inOut, count));
    }

    /** As {@link #combine}, on what the library hands over. */
    private void reduce(Layout layout, Buf in, Buf inOut, int count) {
      ByteBuffer left = packed(layout);
      ByteBuffer right = packed(layout);
      for (int element = 0; element < count; element++) {
        copy(in, layout, element, left);
        copy(inOut, layout, element, right);
        combine(left, right, layout);
        int from = 0;
        for (int i = 0; i < layout.at.length; i++) {
          for (int j = 0; j < layout.kinds[i].bytes; j++) {
            inOut.putByte(element * layout.extent() + layout.at[i] + j, right.get(from++));
          }
        }
      }
    }

    private static void copy(Buf from, Layout layout, int element, ByteBuffer to) {
      int next = 0;
      for (int i = 0; i < layout.at.length; i++) {
        for (int j = 0; j < layout.kinds[i].bytes; j++) {
          to.put(next++, from.getByte(element * layout.extent() + layout.at[i] + j));
        }
      }
    }

    @Override
    void combine(ByteBuffer left, ByteBuffer right, Layout layout) {
      int at = 0;
      for (int first = 0; first < layout.kinds.length; first += numbers) {
        long[] a = new long[numbers];
        long[] b = new long[numbers];
        int end = at;
        for (int i = 0; i < numbers; i++) {
          a[i] = layout.kinds[first + i].whole(left, end);
          b[i] = layout.kinds[first + i].whole(right, end);
          end += layout.kinds[first + i].bytes;
        }
        for (int i = 0; i < numbers; i++) {
          layout.kinds[first + i].putWhole(right, at, Math.floorMod(rule.apply(a, b, i), (long) PRIME));
          at += layout.kinds[first + i].bytes;
        }
      }
    }

    @Override
    void fill(SplittableRandom random, Place place, int element, ByteBuffer image) {
      for (int i = 0; i < place.each(); i++) {
        int basic = element * place.each() + i;
        place.kind(basic).putWhole(image, place.at(basic), random.nextInt(PRIME));
      }
    }
  }
}
