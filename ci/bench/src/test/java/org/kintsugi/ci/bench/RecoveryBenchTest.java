// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/** Small runs of what make bench PART=recovery measures: all die, and come back, as they should. */
@Tag("flavours")
@Tag("once")
class RecoveryBenchTest {
  private static final int RANKS = 4;
  private static final int KILLS = 2;
  private static final int ITERATIONS = 30;

  private static RecoveryBench bench() {
    MpiHome mpi = RankJob.mpiOrSkip();
    boolean isUlfm = mpi.flavour() == Flavour.ULFM;
    Path twin = Checkout.FOLDER.resolve("native/target/cmake-" + mpi.flavour() + "/bin/"
        + (isUlfm ? "repair" : "recovery"));
    return new RecoveryBench(mpi, twin.toAbsolutePath().normalize(), RANKS, KILLS, ITERATIONS);
  }

  private static void assertPlausible(List<Double> millis) {
    assertThat(millis).hasSize(KILLS).allMatch(one -> one > 0 && one < 60_000);
  }

  @Test
  void recoversInC() throws IOException {
    assertPlausible(bench().c());
  }

  @Test
  void recoversInJava() throws IOException {
    assertPlausible(bench().java(RankJob.flavour() == Flavour.ULFM ? KILLS : 1));
  }
}
