// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

import java.util.Arrays;

/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104) for short texts.
 *
 * <p>The JDK's own takes 30 to 50 ms of each process's start, to look for the providers of
 * cryptography; this takes 1 to 6 ms. A test compares both.
 */
final class Sha256 {
  /** The length of a digest. */
  static final int BYTES = 32;

  private static final int BLOCK = 64;
  private static final int LENGTH_BYTES = 8;
  private static final int ROUNDS = 64;
  private static final int WORDS = 8;
  private static final byte INNER = 0x36;
  private static final byte OUTER = 0x5c;

  /** The first 32 bits of the fractions of the cube roots of the first 64 primes. */
  private static final int[] CONSTANTS = new int[ROUNDS];

  /** The same of the square roots of the first 8. */
  private static final int[] START = new int[WORDS];

  static {
    int found = 0;
    for (int number = 2; found < ROUNDS; number++) {
      if (isPrime(number)) {
        CONSTANTS[found] = fraction(StrictMath.cbrt(number));
        if (found < WORDS) {
          START[found] = fraction(StrictMath.sqrt(number));
        }
        found++;
      }
    }
  }

  private Sha256() {}

  private static boolean isPrime(int number) {
    for (int divisor = 2; divisor * divisor <= number; divisor++) {
      if (number % divisor == 0) {
        return false;
      }
    }
    return true;
  }

  /** A double has more than 32 bits for the fraction of a number below 2^20. */
  private static int fraction(double root) {
    return (int) (long) ((root - Math.floor(root)) * (1L << Integer.SIZE));
  }

  static byte[] digest(byte... text) {
    int padded = (text.length + 1 + LENGTH_BYTES + BLOCK - 1) / BLOCK * BLOCK;
    byte[] all = Arrays.copyOf(text, padded);
    all[text.length] = (byte) 0x80;
    putLong(all, padded - LENGTH_BYTES, (long) text.length * Byte.SIZE);
    int[] state = START.clone();
    int[] words = new int[ROUNDS];
    for (int at = 0; at < padded; at += BLOCK) {
      compress(state, words, all, at);
    }
    byte[] digest = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      digest[i] = (byte) (state[i / Integer.BYTES] >>> Byte.SIZE * (Integer.BYTES - 1 - i % Integer.BYTES));
    }
    return digest;
  }

  private static void putLong(byte[] bytes, int at, long value) {
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[at + i] = (byte) (value >>> Byte.SIZE * (Long.BYTES - 1 - i));
    }
  }

  private static void compress(int[] state, int[] w, byte[] bytes, int at) {
    for (int i = 0; i < BLOCK / Integer.BYTES; i++) {
      int from = at + i * Integer.BYTES;
      w[i] = bytes[from] << 24 | (bytes[from + 1] & 0xff) << 16 | (bytes[from + 2] & 0xff) << 8 | bytes[from + 3] & 0xff;
    }
    for (int i = BLOCK / Integer.BYTES; i < ROUNDS; i++) {
      int near = Integer.rotateRight(w[i - 2], 17) ^ Integer.rotateRight(w[i - 2], 19) ^ w[i - 2] >>> 10;
      int far = Integer.rotateRight(w[i - 15], 7) ^ Integer.rotateRight(w[i - 15], 18) ^ w[i - 15] >>> 3;
      w[i] = near + w[i - 7] + far + w[i - 16];
    }
    int a = state[0];
    int b = state[1];
    int c = state[2];
    int d = state[3];
    int e = state[4];
    int f = state[5];
    int g = state[6];
    int h = state[7];
    for (int i = 0; i < ROUNDS; i++) {
      int choice = (Integer.rotateRight(e, 6) ^ Integer.rotateRight(e, 11) ^ Integer.rotateRight(e, 25)) + (e & f ^ ~e & g);
      int first = h + choice + CONSTANTS[i] + w[i];
      int second =
          (Integer.rotateRight(a, 2) ^ Integer.rotateRight(a, 13) ^ Integer.rotateRight(a, 22)) + (a & b ^ a & c ^ b & c);
      h = g;
      g = f;
      f = e;
      e = d + first;
      d = c;
      c = b;
      b = a;
      a = first + second;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }

  /** The code by which a text shows that its author has the key. */
  static byte[] hmac(byte[] key, byte... text) {
    byte[] block = Arrays.copyOf(key.length > BLOCK ? digest(key) : key, BLOCK);
    return digest(joined(block, OUTER, digest(joined(block, INNER, text))));
  }

  private static byte[] joined(byte[] block, byte pad, byte... text) {
    byte[] all = Arrays.copyOf(block, BLOCK + text.length);
    for (int i = 0; i < BLOCK; i++) {
      all[i] ^= pad;
    }
    System.arraycopy(text, 0, all, BLOCK, text.length);
    return all;
  }
}
