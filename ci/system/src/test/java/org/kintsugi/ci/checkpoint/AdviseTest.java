// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.ci.ranks.JmpirunProcess.Ended;
import org.kintsugi.ci.ranks.JmpirunProcess;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;

/** {@code jmpirun --advise} on programs whose answer is known. */
@Tag("flavours")
@Tag("once")
class AdviseTest {
  private static final int LIMIT_SECONDS = 300;

  @TempDir
  private Path folder;

  /** Sums that grow by a factor, which is data as well; the table of weights never changes. */
  static final class Growth {
    private static final int STEPS = 12;
    private static final int EVERY = 4;
    private static final int LATCHED = 2;
    private static double latch;

    private Growth() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
        Comm world = run.world();
        Checkpoint checkpoint = run.checkpoint();
        double[] sums = new double[STEPS];
        double[] factor = {1};
        double[] weights = {1.5, 2.5};
        double[] received = new double[1];
        Buf outside = Buf.allocateDoubles(2);
        checkpoint.protect("sums", sums);
        checkpoint.protect("weights", weights);
        if (!args[0].equals("incomplete")) {
          checkpoint.protect("factor", factor);
          checkpoint.protect("outside", outside);
        }
        for (long i = checkpoint.restore().orElse(0); i < STEPS && !args[0].equals("nothing"); i++) {
          run.iteration(i);
          factor[0] = factor[0] * weights[0] + world.rank();
          outside.putDouble(1, outside.getDouble(1) + factor[0]);
          world.allReduce(Buf.wrap(factor), Buf.wrap(received), Op.SUM);
          sums[(int) i] = received[0] + outside.getDouble(1);
          if (args[0].equals("latched")) {
            latch = i == LATCHED ? sums[(int) i] : latch;
            sums[(int) i] += latch;
          }
          if (i % EVERY == EVERY - 1) {
            checkpoint.save(i + 1);
          }
          if (i == EVERY && args[0].equals("failing")) {
            throw new IllegalStateException("the program fails");
          }
        }
        if (world.rank() == 0) {
          System.out.println("sums " + Arrays.stream(sums).sum());
        }
      }));
    }
  }

  private Ended advise(int code, String way, String... options) throws IOException, InterruptedException {
    List<String> line = RankJob.jmpirun(RankJob.mpiOrSkip());
    line.addAll(List.of("-n", "2", "--timeout", "120", "--advise"));
    line.addAll(List.of(options));
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Growth.class.getName(), way));
    Ended ended = JmpirunProcess.run(line, LIMIT_SECONDS);
    assertThat(ended.code()).as(ended.printed()).isEqualTo(code);
    return ended;
  }

  @Test
  void ofACompleteSetNothingIsMissing() throws IOException, InterruptedException {
    Ended ended = advise(0, "complete", "--advise-ignore", "^nothing$");
    assertThat(ended.output()).matches("sums \\S+\\n");
    assertThat(ended.errors()).contains("2 ranks, 12 iterations", "jmpirun: advice: nothing is missing")
        .containsSubsequence("PROTECTED, and needed\n", "  sums, 96 bytes on each rank", "  factor, 8 bytes",
            "  outside, 16 bytes",
            "PROTECTED, but no iteration needs", "  weights, 16 bytes on each rank, 11.8 % of all",
            "--advise-ignore ^nothing$: no location has such a name, but these have others: AdviseTest$Growth.main: i");
  }

  @Test
  void whatIsMissingIsNamedWithTheCallThatProtectsIt() throws IOException, InterruptedException {
    Path json = folder.resolve("advice.json");
    Ended ended = advise(1, "incomplete", "--advise-json", json.toString());
    assertThat(ended.errors()).contains("checkpoint.protect(\"factor\", factor);", "checkpoint.protect(\"outside\", outside);",
        "2 locations are missing").doesNotContain("received", "STATE", "ONCE");
    assertThat(Files.readString(json)).contains("{\"verdict\": \"missing\", \"name\": \"AdviseTest$Growth.main: factor\"");
    assertThat(advise(1, "complete", "--advise-without", "sums").errors()).contains("checkpoint.protect(\"sums\", sums);",
        "1 location is missing");
  }

  /** After a failure it has the same value in a survivor, but not in the process that replaces the failed one. */
  @Test
  void whatASurvivorHasOnlyKeptIsMissing() throws IOException, InterruptedException {
    assertThat(advise(1, "latched").errors()).contains("run again with a failure", "AdviseTest$Growth.latch, double",
        "1 location is missing");
  }

  @Test
  void aRunMayEndEarly() throws IOException, InterruptedException {
    assertThat(advise(0, "complete", "--advise-until", "5").errors()).contains("2 ranks, 6 iterations", "nothing is missing");
    assertThat(advise(1, "failing").errors()).contains("ended with java.lang.IllegalStateException: the program fails",
        "the program ended with");
  }

  @Test
  void withoutALoopNothingCanBeSaid() throws IOException, InterruptedException {
    assertThat(advise(2, "nothing").errors()).contains("the program calls no run.iteration(i)");
    assertThat(advise(2, "complete", "--kill", "process:0@1").errors()).contains("--kill with --advise");
    assertThat(advise(2, "complete", "--advise-classes", "[").errors()).contains("--advise-classes [: ");
    assertThat(advise(2, "complete", "--advise-without", "sum").errors())
        .contains("--advise-without sum: the program protects no item of this name, but factor, outside, sums, weights");
  }
}
