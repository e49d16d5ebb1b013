// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Divisions of processes over a grid, for which MPI is not asked. */
class CartCommTest {
  private static void assertRefused(String why, int processes, int... dims) {
    assertThatThrownBy(() -> CartComm.dims(processes, dims)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void dimensionsThatMakeNoGridAreNamed() {
    assertRefused("processes 0 is not positive", 0, 0, 0);
    assertRefused("dims[1] = -2 is negative", 4, 0, -2);
    assertRefused("dims [3, 0] cannot be 4 processes: the fixed ones multiply to 3, which does not divide them", 4, 3, 0);
    assertRefused("dims [2, 1] cannot be 4 processes: the fixed ones multiply to 2; a 0 among them", 4, 2, 1);
    assertRefused("cannot be 4 processes", 4, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 0);
  }

  @Test
  void dimensionsAreAsCloseAsTheyCanBe() {
    assertThat(CartComm.dims(72, 0, 0)).containsExactly(9, 8);
    assertThat(CartComm.dims(432, 0, 0, 0)).containsExactly(9, 8, 6);
    assertThat(CartComm.dims(4620, 0, 0, 0)).as("not 21 x 20 x 11").containsExactly(22, 15, 14);
    assertThat(CartComm.dims(16, 0, 0, 0)).containsExactly(4, 2, 2);
    assertThat(CartComm.dims(7, 0, 0)).containsExactly(7, 1);
    assertThat(CartComm.dims(1)).isEmpty();
    assertThat(CartComm.dims(1, 0, 0)).containsExactly(1, 1);
  }

  @Test
  void fixedDimensionsStay() {
    assertThat(CartComm.dims(144, 0, 2, 0)).containsExactly(9, 2, 8);
    assertThat(CartComm.dims(6, 6, 0)).containsExactly(6, 1);
    assertThat(CartComm.dims(6, 3, 2)).containsExactly(3, 2);
    int[] asked = {0, 3};
    assertThat(CartComm.dims(12, asked)).containsExactly(4, 3);
    assertThat(asked).as("is not changed").containsExactly(0, 3);
  }

  /** Every division is looked at. */
  @Test
  void noDivisionIsMoreBalanced() {
    for (int directions = 1; directions <= 4; directions++) {
      for (int processes = 1; processes <= 1000; processes++) {
        int[] best = best(processes, new int[directions], 0, processes, null);
        assertThat(CartComm.dims(processes, new int[directions])).as("%d in %d directions", processes, directions)
            .isEqualTo(best);
      }
    }
  }

  private static int[] best(int rest, int[] factors, int at, int bound, int[] best) {
    int last = factors.length - 1;
    if (at == last) {
      factors[at] = rest;
      int spread = factors[0] - rest;
      boolean isBetter = rest <= bound && (best == null || spread < best[0] - best[last]
          || spread == best[0] - best[last] && Arrays.compare(factors, best) < 0);
      return isBetter ? factors.clone() : best;
    }
    int[] found = best;
    for (int factor = 1; factor <= Math.min(rest, bound); factor++) {
      if (rest % factor == 0) {
        factors[at] = factor;
        found = best(rest / factor, factors, at + 1, factor, found);
      }
    }
    return found;
  }

  @Test
  @Timeout(10)
  void largeNumbersAndManyDirections() {
    int manyDivisors = 1_396_755_360;
    for (int directions : new int[] {1, 2, 3, 4, 6, 8, 12, 16, 1000}) {
      for (int processes : new int[] {manyDivisors, 1 << 30, Integer.MAX_VALUE, Integer.MAX_VALUE - 1}) {
        int[] dims = CartComm.dims(processes, new int[directions]);
        long product = 1;
        for (int i = 0; i < directions; i++) {
          product *= dims[i];
          assertThat(i == 0 || dims[i] <= dims[i - 1]).as("non-increasing").isTrue();
        }
        assertThat(product).isEqualTo(processes);
      }
    }
    assertThat(CartComm.dims(1 << 30, new int[3])).containsExactly(1024, 1024, 1024);
    assertThat(CartComm.dims(manyDivisors, 0, 0)).containsExactly(37_620, 37_128);
  }
}
