// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.launch.Job;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;

/** Runs in the ranks: saves versions, goes on if one cannot be written, and restores in the end. */
final class TriesToSave {
  /** As the first step: nothing is restored. */
  static final String ANEW = "anew";

  private static final int ELEMENTS = 1 << 17;

  private TriesToSave() {}

  public static void main(String[] args) {
    try (Mpi mpi = Mpi.init(args)) {
      Reinit.run(mpi, run -> {
        int rank = run.world().rank();
        long[] data = new long[ELEMENTS];
        run.checkpoint().protect("data", data);
        boolean anew = args.length > 1 && args[1].equals(ANEW);
        if (!anew) {
          run.checkpoint().restore();
        }
        StringBuilder story = new StringBuilder();
        for (int i = anew ? 2 : 1; i < args.length; i++) {
          story.append(step(run.checkpoint(), args[i], rank, data)).append('\n');
          run.world().barrier();
        }
        data[ELEMENTS - 1] = -1;
        story.append("restored ").append(run.checkpoint().restore().orElse(-1)).append(" with ").append(data[ELEMENTS - 1]);
        RankJob.report(args[0], "rank-" + rank, story.toString());
      });
    }
  }

  private static String step(Checkpoint checkpoint, String what, int rank, long... data) throws IOException {
    if (what.startsWith("remove:")) {
      if (rank == 0) {
        TemporaryFolder.remove(Path.of(what.substring("remove:".length())));
      }
      return what;
    }
    if (what.startsWith("drop:")) {
      checkpoint.drop(Long.parseLong(what.substring("drop:".length())));
      return what;
    }
    if (what.startsWith("until:")) {
      Meeting.await(Path.of(what.substring("until:".length())));
      return "waited";
    }
    long version = Long.parseLong(what);
    data[ELEMENTS - 1] = 10 * version;
    try {
      checkpoint.save(version);
      return "saved " + version;
    } catch (CheckpointException e) {
      return "not saved: " + e.getMessage();
    }
  }

  /** Such a job ended before its work began, by itself, and said why. */
  static void assertRefused(RankJob.Outcome outcome, String... why) {
    assertThat(outcome.exitCode()).as(outcome.output()).isNotZero().isNotEqualTo(Job.TIMED_OUT);
    assertThat(outcome.output()).contains(why);
    assertThat(outcome.reports()).isEmpty();
  }
}
