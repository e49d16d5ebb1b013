// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What is refused before MPI is asked. */
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
}
