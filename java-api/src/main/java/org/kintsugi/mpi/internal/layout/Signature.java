// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.layout;

/**
 * The sequence of basic types that data consist of, without gaps. It must be the same on both sides
 * of a transfer (MPI 4.1, section 3.3.1).
 *
 * <p>A sequence may have billions of members, so only its length and a polynomial of its members
 * modulo a prime of 61 bits are kept. The polynomial of a concatenation or a repetition follows
 * from those of the parts. Different sequences of the same length have the same value with a
 * probability of length / 2^61; that suffices for a check that finds mistakes.
 */
public final class Signature {
  /** The signature of no data. */
  static final Signature EMPTY = new Signature(0, 0, 1);

  private static final long PRIME = (1L << 61) - 1;
  private static final long BASE = 0x16A5_7C3B_91D4_2E8FL % PRIME;

  private final long length;
  private final long value;
  private final long shift; // BASE to the power of length

  private Signature(long length, long value, long shift) {
    this.length = length;
    this.value = value;
    this.shift = shift;
  }

  /**
   * The signature of one basic element.
   *
   * @param kind a number of the basic type's own, from 1 on
   */
  public static Signature of(int kind) {
    return new Signature(1, kind, BASE);
  }

  /** How many basic elements. */
  public long length() {
    return length;
  }

  /** This signature followed by another one. */
  public Signature then(Signature other) {
    return new Signature(Math.addExact(length, other.length), (times(value, other.shift) + other.value) % PRIME,
        times(shift, other.shift));
  }

  /** This signature, repeated {@code times} times. */
  public Signature repeated(long times) {
    Signature result = EMPTY;
    Signature power = this;
    for (long left = times; left > 0; left >>= 1) {
      if ((left & 1) != 0) {
        result = result.then(power);
      }
      if (left > 1) {
        power = power.then(power);
      }
    }
    return result;
  }

  private static long times(long a, long b) {
    long low = a * b;
    long high = Math.multiplyHigh(a, b);
    // 2 to the 61 is 1 modulo the prime: the product's bits from there on are added to those below.
    long sum = (low & PRIME) + (low >>> 61 | high << 3);
    return sum % PRIME;
  }

  /**
   * The number of basic elements, a point, and a hash of their types. It is the same text for the
   * same signature.
   */
  @Override
  public String toString() {
    return length + "." + Long.toHexString(value);
  }

  public boolean isSameAs(Signature other) {
    return length == other.length && value == other.value;
  }
}
