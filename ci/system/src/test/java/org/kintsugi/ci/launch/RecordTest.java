// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.internal.timeline.JobTimeline;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/** {@code jmpirun --record}: all processes record, also one that gets a SIGKILL, and the timeline shows what has happened. */
@Tag("flavours")
class RecordTest {
  private static final int RANKS = 3;
  private static final int STEPS = 60;
  private static final int FAILS_AT = 40;
  private static final long STEP_MILLIS = 50;

  /** Runs in the ranks: rank 1 is killed after two seconds, so that most of its events have been flushed. */
  static final class Program {
    public static void main(String[] args) throws InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, Program::body);
      }
    }

    private static void body(Run run) throws InterruptedException {
      Comm world = run.world();
      double[] sum = new double[1];
      run.checkpoint().protect("sum", sum);
      for (long step = run.checkpoint().restore().orElse(0); step < STEPS; step++) {
        run.iteration(step);
        TimeUnit.MILLISECONDS.sleep(world.rank() == 0 ? 2 * STEP_MILLIS : STEP_MILLIS);
        sum[0] += world.allReduce(1.0, Op.SUM);
        if (step % 10 == 9) {
          run.checkpoint().save(step + 1);
        }
      }
    }
  }

  @TempDir
  private Path folder;

  @Test
  void theTimelineShowsTheFailureAndEveryProcess() throws IOException {
    Path recording = folder.resolve("recording");
    RankJob.of(RANKS, 1).refill(false).kill("process:1@" + FAILS_AT).timeoutSeconds(120).record(recording).run(Program.class)
        .assertSuccess();
    Path page = folder.resolve("page.html");
    JobTimeline.write(recording, page, 0);
    String text = Files.readString(page);
    boolean isUlfm = RankJob.flavour() == Flavour.ULFM;
    assertThat(text).contains("1 process failure, 1 recovery. The job ended with code 0.", ">rank 1, fails<", ">rank 0<",
        ">rank 2<", "Recovery to epoch 1: rank 1 failed", "continues as rank 1", "</span>roll back</td>", "</span>enter</td>",
        "saves version 10", "restores version 40", "MPI_Allreduce");
    assertThat(text).contains(isUlfm ? List.of(">spare, then rank 1<", "</span>shrink</td>", "</span>agree</td>")
        : List.of("</span>repair by the runtime</td>", "</span>roll call</td>"));
    // The failed process's own events: it was recorded up to about a second before its end.
    List<Integer> iterations = numbers(text, "rank 1, fails: iterations? (?:\\d+ to )?(\\d+)");
    assertThat(iterations).isNotEmpty().allMatch(step -> step < FAILS_AT);
    assertThat(iterations.get(iterations.size() - 1)).isGreaterThan(5);
    // Ranks 1 and 2 wait for rank 0 in half of the time.
    assertThat(numbers(text, "rank 2: iterations? .* (\\d+) % of it in MPI").stream().mapToInt(share -> share).average()
        .orElseThrow()).isBetween(20.0, 80.0);
  }

  private static List<Integer> numbers(String text, String pattern) {
    List<Integer> all = new ArrayList<>();
    for (MatchResult found : Pattern.compile(pattern).matcher(text).results().toList()) {
      all.add(Integer.valueOf(found.group(1)));
    }
    return all;
  }
}
