package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.RanksTest;

class RodTest {
  /** Runs on every rank of a job, once with one rank and once with three. */
  @RanksTest(n = {1, 3})
  void neighboursSeeEachOthersOutermostPoints(Mpi mpi) {
    int rank = mpi.world().rank();
    double[] points = new double[102];
    Arrays.fill(points, rank);
    Rod.step(mpi.world(), points, new double[102]);
    assertEquals(rank == 0 ? 0 : rank - 0.25, points[1]);
    assertEquals(rank, points[50]);
    assertEquals(rank == mpi.world().size() - 1 ? rank : rank + 0.25, points[100]);
  }

  private static String heat(RankJob.Outcome outcome) {
    return outcome.assertSuccess().output().lines().filter(line -> line.startsWith("heat ")).findFirst().orElseThrow();
  }

  /** Rank 1 of three is killed in step 55; a spare takes its place, and goes on from step 40. */
  @Test
  void aDeathDoesNotChangeTheHeat() {
    String undisturbed = heat(RankJob.of(3, 0).run(Rod.class));
    RankJob.Outcome outcome = RankJob.of(3, 1).kill("process:1@55").run(Rod.class);
    assertEquals(undisturbed, heat(outcome));
    assertTrue(outcome.output().contains("rank 1 is a new process and goes on from step 40"), outcome.output());
  }
}
