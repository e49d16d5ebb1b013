// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.ci.ranks.JmpirunProcess.Ended;
import org.kintsugi.ci.ranks.JmpirunProcess;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;

/** {@code jmpirun --prove} on programs whose answer is known. */
@Tag("flavours")
@Tag("once")
class ProveTest {
  private static final int LIMIT_SECONDS = 300;

  /** Sums that grow by a factor, which is data as well. */
  static final class Growth {
    private static final int STEPS = 12;
    private static final int EVERY = 4;

    private Growth() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
        Comm world = run.world();
        Checkpoint checkpoint = run.checkpoint();
        double[] sums = new double[STEPS];
        double[] factor = {1};
        checkpoint.protect("sums", sums);
        if (!args[0].equals("incomplete")) {
          checkpoint.protect("factor", factor);
        }
        for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
          run.iteration(i);
          factor[0] = factor[0] * 1.5 + world.rank() + (args[0].equals("unsteady") ? System.nanoTime() % 1000 : 0);
          sums[(int) i] = world.allReduce(factor[0], Op.SUM);
          if (i % EVERY == EVERY - 1 && !args[0].equals("nothing")) {
            checkpoint.save(i + 1);
          }
        }
        if (world.rank() == 0) {
          System.out.println("sums " + Arrays.stream(sums).sum());
        }
      }));
    }
  }

  private String prove(int code, String way, String... options) throws IOException, InterruptedException {
    List<String> line = RankJob.jmpirun(RankJob.mpiOrSkip());
    line.addAll(List.of("-n", "2", "--prove"));
    line.addAll(List.of(options));
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Growth.class.getName(), way));
    Ended ended = JmpirunProcess.run(line, LIMIT_SECONDS);
    assertThat(ended.code()).as(ended.printed()).isEqualTo(code);
    return ended.printed();
  }

  @Test
  void aCompleteSetSurvives() throws IOException, InterruptedException {
    assertThat(prove(0, "complete", "--prove-deaths", "3"))
        .contains("3 failures outlived with the same results: 2 items (factor, sums) in 3 versions on 2 ranks");
  }

  @Test
  void whatIsMissingShowsInWhatIsComputedFromIt() throws IOException, InterruptedException {
    assertThat(prove(1, "incomplete", "--prove-deaths", "2")).contains("failure of rank", "in iteration 4")
        .contains("differs first: \"sums\" of rank 0 in version 8").contains("a line is missing: sums ")
        .contains("after 1 of 2 failures the results differ");
  }

  @Test
  void resultsThatDifferWithoutAFailureProveNothing() throws IOException, InterruptedException {
    assertThat(prove(1, "unsteady")).contains("two runs without a failure differ: \"factor\" of rank 0 in version 4");
    assertThat(prove(2, "nothing")).contains("the program saves nothing");
  }

  @Test
  void aProofMayEndEarly() throws IOException, InterruptedException {
    assertThat(prove(0, "complete", "--prove-deaths", "1", "--prove-until", "8")).contains("in 2 versions on 2 ranks");
    assertThat(prove(2, "complete", "--prove-deaths", "0")).contains("--prove-deaths 0: expected 1 or more");
    assertThat(prove(2, "complete", "--kill", "process:0@1")).contains("--kill with --prove");
  }
}
