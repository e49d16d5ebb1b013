// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.ci.checkpoint.Installed;
import org.kintsugi.ci.checkpoint.ScrNodes;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.persist.PersistException;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * Messages that SCR keeps, over restarts and recoveries in place.
 *
 * <p>Nodes are lost. Settings that SCR cannot support are refused.
 */
@Tag("flavours")
@Tag("once")
class ScrStoreTest {
  private static final int RANKS = 3;

  @TempDir
  private Path folder;

  private RankJob job(ScrNodes nodes, int spares, String... more) {
    List<String> options = new ArrayList<>(List.of("-Dkintsugi.persist.dir=" + folder.resolve("persist")));
    options.add("-Dkintsugi.checkpoint.store=memory");
    options.addAll(List.of(more));
    return nodes.job(RANKS, spares, "XOR", options.toArray(new String[0]));
  }

  private static void assertAll(RankJob.Outcome outcome, String story) {
    assertThat(outcome.output()).doesNotContain("WRONG");
    assertThat(outcome.assertSuccess().reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as(outcome.output()).containsOnly(story);
  }

  /** A process dies, and is not replaced. */
  private RankJob.Outcome ended(ScrNodes nodes, String interval) {
    RankJob.Outcome outcome =
        job(nodes, 0).kill("process:1@8").maxRespawns(0).run(ScrStoreRanks.class, "12", interval, "keep");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.RESTART);
    return outcome;
  }

  /** The interval, and the round of the data set that a death in round 8 leaves as the newest. */
  @ParameterizedTest
  @CsvSource("3,6")
  void aNewStartGoesBackToTheLastDataSet(String interval, int round) {
    ScrNodes nodes = ScrNodes.one(folder);
    ended(nodes, interval);
    assertAll(job(nodes, 0).run(ScrStoreRanks.class, "12", interval, "forget"), "from " + round);
    assertAll(job(nodes, 0).run(ScrStoreRanks.class, "2", interval, "keep"), "begins");
  }

  @Tag("series")
  @ParameterizedTest
  @CsvSource("1,8")
  void aNewStartGoesBackToTheLastDataSetWithOneInEachRound(String interval, int round) {
    aNewStartGoesBackToTheLastDataSet(interval, round);
  }

  @Test
  void aLostNodesMessagesAreRebuilt() throws IOException {
    ScrNodes nodes = ScrNodes.separate(folder);
    ended(nodes, "1");
    nodes.lose(1);
    assertAll(job(nodes, 0).run(ScrStoreRanks.class, "12", "1", "keep"), "from 8");
  }

  /** Every third time that SCR is asked it says yes: the last one before the death is round 6. */
  @Tag("series")
  @Test
  void adviceFollowsTheSettingsOfScr() {
    ScrNodes nodes = ScrNodes.one(folder);
    RankJob.Outcome advised = job(nodes, 0).mpirun("-x", "SCR_CHECKPOINT_INTERVAL=3").kill("process:1@8").maxRespawns(0)
        .run(ScrStoreRanks.class, "12", "advice", "keep");
    assertThat(advised.exitCode()).as(advised.output()).isEqualTo(ExitCodes.RESTART);
    assertAll(job(nodes, 0).run(ScrStoreRanks.class, "12", "advice", "keep"), "from 6");
  }

  @Tag("series")
  @ParameterizedTest
  @CsvSource("1,5,9")
  void allGoBackInPlaceWithADataSetInEachRound(String interval, int first, int second) {
    allGoBackInPlaceToTheLastDataSet(interval, first, second);
  }

  @ParameterizedTest
  @CsvSource("4,4,8")
  void allGoBackInPlaceToTheLastDataSet(String interval, int first, int second) {
    int spares = RankJob.flavour() == Flavour.ULFM ? 2 : 0;
    RankJob.Outcome outcome = job(ScrNodes.one(folder), spares).kill("process:2@5").kill("process:0@9")
        .run(ScrStoreRanks.class, "12", interval, "keep");
    assertThat(outcome.output()).doesNotContain("WRONG");
    outcome.assertSuccess();
    String all = "begins from " + first + " from " + second;
    assertThat(outcome.reports()).as(outcome.output())
        .isEqualTo(Map.of("0", "from " + second, "1", all, "2", "from " + first + " from " + second));
  }

  /** Runs in the ranks: reports which calls are refused, with their messages. */
  static final class Refusals {
    public static void main(String[] args) throws IOException {
      try (Mpi mpi = Mpi.init(args)) {
        StringBuilder said = new StringBuilder();
        for (Comm comm : new Comm[] {mpi.self(), mpi.world()}) {
          try (Info info = Info.of(Map.of("kintsugi_persist_store", "scr"));
              PersistentComm p = PersistentComm.of(comm, "refused", info)) {
            said.append("made for ").append(p.comm().size()).append("; ");
          } catch (PersistException e) {
            said.append(e.getMessage()).append("; ");
          }
        }
        RankJob.report(args[0], String.valueOf(mpi.world().rank()), said.toString());
      }
    }
  }

  @Tag("series")
  @Test
  void communicatorsOfSomeProcessesAndTwoUsersOfScrAreRefused() {
    ScrNodes nodes = ScrNodes.one(folder);
    RankJob.Outcome some = job(nodes, 0).run(Refusals.class).assertSuccess();
    assertThat(some.reports().get("1")).startsWith("rank 0 of 1 is rank 1 of 3 in the world").contains("collective over it")
        .endsWith("; made for 3; ");
    RankJob.Outcome both = job(nodes, 0, "-Dkintsugi.checkpoint.store=scr").run(Refusals.class).assertSuccess();
    assertThat(both.reports().get("0")).contains("-Dkintsugi.checkpoint.store=scr: there is one SCR in a process")
        .doesNotContain("made");
  }

  @Test
  void whereScrIsMissingItIsSaidWhatAndWhere() {
    RankJob.Outcome missing = RankJob.of(1, 0).mpirun("-x", "SCR_HOME=/nowhere/scr").run(Refusals.class).assertSuccess();
    assertThat(missing.reports().get("0")).contains("libscr.so").contains("/nowhere/scr").contains("kintsugi_persist_store=scr");
  }

  @Tag("series")
  @Test
  void aForeignDataSetIsNotTakenForMessages() throws IOException {
    ScrNodes nodes = ScrNodes.one(folder);
    Installed.orSkip("scr");
    String prefix = "SCR_PREFIX=" + folder.resolve("both");
    nodes.job(RANKS, 0, "XOR").mpirun("-x", prefix).run(SavesOne.class).assertSuccess();
    RankJob.Outcome refused = job(nodes, 0).mpirun("-x", prefix).run(Refusals.class).assertSuccess();
    assertThat(refused.reports().get("0")).contains("is not of persistent communicators").doesNotContain("made");
    try (Stream<Path> left = Files.walk(folder.resolve("local"))) {
      assertThat(left.filter(file -> file.toString().endsWith(".ckpt"))).as("nothing of it is lost").isNotEmpty();
    }
  }

  /** Runs in the ranks: a checkpoint, which is no message. */
  static final class SavesOne {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        org.kintsugi.reinit.Reinit.run(mpi, run -> {
          run.checkpoint().protect("x", new double[] {1});
          run.checkpoint().save(1);
        });
      }
    }
  }
}
