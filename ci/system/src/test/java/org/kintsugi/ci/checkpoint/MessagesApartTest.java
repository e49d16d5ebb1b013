// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.test.RankJob;

/** The program's messages and those of a save or a restore are never taken for each other, whatever is waited for. */
@Tag("flavours")
@Tag("once")
class MessagesApartTest {
  private static final int RANKS = 3;
  private static final int ANY_MESSAGE = 9;
  private static final Set<String> LIBRARIES = Set.of("fti", "scr");

  @TempDir
  private Path folder;

  /** Runs in the ranks: receives are posted before all that a checkpoint can do, and what they are for is sent afterwards. */
  static final class ReceivesAhead {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> RankJob.report(args[0], String.valueOf(run.world().rank()), exchange(run)));
      }
    }

    private static String exchange(Run run) {
      Comm world = run.world();
      int before = (world.rank() + RANKS - 1) % RANKS;
      int behind = (world.rank() + 1) % RANKS;
      Buf tagged = Buf.allocateLongs(1);
      Buf any = Buf.allocateLongs(1);
      Buf sum = Buf.copyOf(1L);
      Request receiveTagged = world.iRecv(tagged, before, 1);
      Request receiveAny = world.iRecv(any, Comm.ANY_SOURCE, Comm.ANY_TAG);
      Request add = world.iAllReduce(sum, Op.SUM);
      long restored = useAll(run.checkpoint());
      world.send(Buf.copyOf(100L + world.rank()), behind, 1);
      world.send(Buf.copyOf(200L + world.rank()), behind, ANY_MESSAGE);
      receiveTagged.waitFor();
      receiveAny.waitFor();
      add.waitFor();
      return (tagged.getLong(0) - before) + " " + (any.getLong(0) - before) + " " + sum.getLong(0) + " " + restored;
    }

    private static long useAll(Checkpoint checkpoint) {
      long[] data = {1};
      checkpoint.protect("data", data);
      checkpoint.restore();
      checkpoint.save(1);
      data[0] = 2;
      checkpoint.saveAsync(2);
      checkpoint.awaitSave();
      data[0] = 0;
      checkpoint.restore();
      checkpoint.drop(1);
      return data[0];
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "xor", "file", "memory,xor:2", "fti", "scr"})
  void receivesThatWaitGetWhatIsSentToThem(String store) {
    if (LIBRARIES.contains(store)) {
      Installed.orSkip(store);
    }
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(60).jvm("-Dkintsugi.checkpoint.store=" + store,
        "-Dkintsugi.checkpoint.dir=" + folder.resolve("shared"), "-Dkintsugi.checkpoint.local.dir=" + folder.resolve("local"))
        .run(ReceivesAhead.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).containsOnly("100 200 3 2");
  }
}
