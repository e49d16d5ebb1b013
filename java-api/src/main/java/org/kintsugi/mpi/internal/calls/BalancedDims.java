// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.kintsugi.mpi.CartComm;

/**
 * Divides a number of processes into balanced factors, for {@link CartComm#dims(int, int...)}.
 *
 * <p>Balanced means the smallest difference between the largest and the smallest factor. Of several
 * such divisions it takes the one with the smallest largest factor, then the smallest second
 * largest, and so on. Open MPI's MPI_Dims_create distributes prime factors one by one, and so may
 * miss the best division (72: 12 x 6).
 */
public final class BalancedDims {
  private final long[] divisors;
  /** Failed searches for the present lower bound: the rest, the number of factors, the upper bound. */
  private final Set<List<Long>> failed = new HashSet<>();

  private BalancedDims(int number, int[] primes) {
    List<Long> all = new ArrayList<>(List.of(1L));
    for (int i = 0; i < primes.length; i++) {
      boolean repeats = i > 0 && primes[i] == primes[i - 1];
      if (!repeats) {
        int before = all.size();
        long power = primes[i];
        for (int j = i; j < primes.length && primes[j] == primes[i]; j++, power *= primes[i]) {
          for (int k = 0; k < before; k++) {
            all.add(all.get(k) * power);
          }
        }
      }
    }
    divisors = all.stream().mapToLong(Long::longValue).sorted().toArray();
    assert divisors[divisors.length - 1] == number;
  }

  /**
   * The balanced factors of a number.
   *
   * @param number positive
   * @param count how many factors, at least 1
   * @return in non-increasing order
   */
  public static int[] of(int number, int count) {
    int[] primes = primes(number);
    int[] factors = new int[count];
    if (count >= primes.length) { // each prime is a factor of its own
      Arrays.fill(factors, 1);
      for (int i = 0; i < primes.length; i++) {
        factors[i] = primes[primes.length - 1 - i];
      }
      return factors;
    }
    long[] best = new BalancedDims(number, primes).search(number, count);
    for (int i = 0; i < count; i++) {
      factors[i] = (int) best[i];
    }
    return factors;
  }

  /** The prime factors in ascending order, each as often as it divides the number. */
  private static int[] primes(int number) {
    int[] primes = new int[Integer.SIZE];
    int found = 0;
    int rest = number;
    for (int factor = 2; (long) factor * factor <= rest; factor++) {
      while (rest % factor == 0) {
        primes[found++] = factor;
        rest /= factor;
      }
    }
    if (rest > 1) {
      primes[found++] = rest;
    }
    return Arrays.copyOf(primes, found);
  }

  private long[] search(long number, int count) {
    long[] best = null;
    long spread = number; // between the largest and the smallest factor of the best division
    for (int i = divisors.length - 1; i >= 0; i--) {
      long low = divisors[i];
      if (!isPowerAtMost(low, count, number)) {
        continue;
      }
      failed.clear();
      int high = smallestBound(number, count, low, low + spread);
      if (high < 0) {
        continue;
      }
      long[] factors = smallest(number, count, low, divisors[high]);
      long itsSpread = factors[0] - factors[count - 1];
      if (best == null || itsSpread < spread || itsSpread == spread && Arrays.compare(factors, best) < 0) {
        best = factors;
        spread = itsSpread;
      }
    }
    return best;
  }

  /**
   * The index of the smallest upper bound for which there is a division. The bound is not above a
   * limit. Negative if there is none.
   */
  private int smallestBound(long number, int count, long low, long limit) {
    int from = Arrays.binarySearch(divisors, low);
    int to = Arrays.binarySearch(divisors, limit);
    to = to < 0 ? -to - 2 : to;
    if (!exists(number, count, low, divisors[to])) {
      return -1;
    }
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (exists(number, count, low, divisors[middle])) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return to;
  }

  /**
   * The best division within these bounds. Its largest factor is the smallest, then its second
   * largest, and so on.
   */
  private long[] smallest(long number, int count, long low, long high) {
    long[] factors = new long[count];
    long rest = number;
    long bound = high;
    for (int at = 0; at < count; at++) {
      for (long factor : divisors) {
        if (factor >= low && factor <= bound && rest % factor == 0 && exists(rest / factor, count - at - 1, low, factor)) {
          factors[at] = factor;
          break;
        }
      }
      rest /= factors[at];
      bound = factors[at];
    }
    return factors;
  }

  /**
   * Whether a divisor of the number is the product of {@code count} divisors from {@code low} to
   * {@code high}.
   */
  private boolean exists(long rest, int count, long low, long high) {
    if (count <= 1) {
      return count == 0 ? rest == 1 : rest >= low && rest <= high;
    }
    if (!isPowerAtMost(low, count, rest) || !isPowerAtLeast(high, count, rest)) {
      return false;
    }
    List<Long> key = List.of(rest, (long) count, high);
    if (failed.contains(key)) {
      return false;
    }
    for (int i = divisors.length - 1; i >= 0 && divisors[i] >= low; i--) {
      long largest = divisors[i];
      if (largest <= high && rest % largest == 0) {
        if (!isPowerAtLeast(largest, count, rest)) {
          break;
        }
        if (exists(rest / largest, count - 1, low, largest)) {
          return true;
        }
      }
    }
    failed.add(key);
    return false;
  }

  private static boolean isPowerAtMost(long base, int exponent, long limit) {
    long power = 1;
    for (int i = 0; i < exponent && base > 1; i++) {
      power *= base;
      if (power > limit) {
        return false;
      }
    }
    return power <= limit;
  }

  private static boolean isPowerAtLeast(long base, int exponent, long limit) {
    long power = 1;
    for (int i = 0; i < exponent && power < limit; i++) {
      if (base == 1) {
        return false;
      }
      power *= base;
    }
    return power >= limit;
  }
}
