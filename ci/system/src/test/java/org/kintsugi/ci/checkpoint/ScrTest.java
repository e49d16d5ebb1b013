// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;

/** Checkpoints that SCR keeps: the job is started again, or goes on in place; nodes are lost, files are damaged. */
@Tag("flavours")
class ScrTest {
  private static final int RANKS = 4;
  private static final int STEPS = 12;
  private static final int KILLED = 60;
  private static final int VICTIM = 1;

  private static JsonNode undisturbed;

  @TempDir
  private Path folder;

  /** Runs in the ranks: drops the folder for reports into the application's own option. */
  static final class HpccgRanks {
    public static void main(String[] args) {
      List<String> arguments = new ArrayList<>(List.of(args).subList(1, args.length));
      arguments.addAll(List.of("--json", args[0] + "/report-json"));
      Hpccg.main(arguments.toArray(new String[0]));
    }
  }

  private static RankJob.Outcome hpccg(RankJob job) {
    return job.run(HpccgRanks.class, "12", "12", "12");
  }

  /** The result of a run without a failure; made once. */
  private static JsonNode undisturbed() throws IOException {
    if (undisturbed == null) {
      undisturbed = json(hpccg(RankJob.of(RANKS, 0)));
    }
    return undisturbed;
  }

  private static JsonNode json(RankJob.Outcome outcome) throws IOException {
    return new ObjectMapper().readTree(outcome.assertSuccess().reports().get("json"));
  }

  /** A job in which a process dies and is not replaced. */
  private RankJob.Outcome killed(ScrNodes nodes, String type) {
    return hpccg(nodes.job(RANKS, 0, type).kill("process:" + VICTIM + "@" + KILLED).maxRespawns(0));
  }

  @Tag("once")
  @ParameterizedTest
  @ValueSource(strings = "XOR")
  void aRestartBringsBackWhatALostNodeHad(String type) throws IOException {
    ScrNodes nodes = ScrNodes.separate(folder);
    RankJob.Outcome ended = killed(nodes, type);
    assertThat(ended.exitCode()).as(ended.output()).isEqualTo(ExitCodes.RESTART);
    if (!type.equals("SINGLE")) {
      nodes.lose(VICTIM);
    }
    JsonNode restarted = json(hpccg(nodes.job(RANKS, 0, type)));
    assertGoesOn(restarted);
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = {"SINGLE", "PARTNER", "RS"})
  void aRestartBringsItBackWithTheOtherSchemes(String type) throws IOException {
    aRestartBringsBackWhatALostNodeHad(type);
  }

  /** From a version, as who tells of it has made no iteration before that, to the same bits. */
  private static void assertGoesOn(JsonNode result) throws IOException {
    for (String figure : List.of("residuals", "maxError", "sumX", "iterations")) {
      assertThat(result.get(figure)).as(figure).isEqualTo(undisturbed().get(figure));
    }
    assertThat(result.at("/iterationSeconds/40").asDouble()).as("iteration 40 is not made again").isZero();
    assertThat(result.at("/iterationSeconds/70").asDouble()).isPositive();
  }

  /**
   * On one node, where a replacement finds the files of the failed process.
   *
   * <p>Rank 0 fails, which makes SCR's decisions.
   */
  @Tag("once")
  @ParameterizedTest
  @ValueSource(strings = "XOR") // SINGLE below
  void hpccgRecoversInPlace(String type) throws IOException {
    int spares = RankJob.flavour() == Flavour.ULFM ? 1 : 0;
    JsonNode recovered = json(hpccg(ScrNodes.one(folder).job(RANKS, spares, type).kill("process:0@" + KILLED)));
    assertGoesOn(recovered);
    assertThat(recovered.get("recoveries")).hasSize(1);
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = {"PARTNER", "RS"})
  void hpccgRecoversInPlaceWithTheOtherSchemes(String type) throws IOException {
    hpccgRecoversInPlace(type);
  }

  /**
   * Libraries that another thread loads meanwhile are not unloaded with SCR.
   *
   * <p>SCR can be loaded again all the same.
   */
  @Tag("series")
  @Test
  void aLibraryThatComesBesideScrIsNotTakenForAPartOfIt() throws IOException {
    int spares = RankJob.flavour() == Flavour.ULFM ? 1 : 0;
    JsonNode recovered = json(hpccg(ScrNodes.one(folder).job(RANKS, spares, "SINGLE").kill("process:0@" + KILLED)
        .mpirun("-x", "LD_PRELOAD=" + TestLibrary.of(RankJob.flavour(), "bystander"),
            "-x", "KINTSUGI_BYSTANDER=" + TestLibrary.of(RankJob.flavour(), "clock"))));
    assertGoesOn(recovered);
    assertThat(recovered.get("recoveries")).hasSize(1);
  }

  /** Two processes die, the first between two saves, the second inside one; on ulfm their nodes are lost with them. */
  @Tag("once")
  @ParameterizedTest
  @ValueSource(strings = "SINGLE")
  void aRecoveryInPlaceOutlivesASecondDeathInASave(String type) throws IOException {
    ScrNodes nodes = ScrNodes.separate(folder);
    // On the fork spares are JVMs that wait on the first rank's node, and nodes are per process here: none, then.
    int spares = RankJob.flavour() == Flavour.ULFM ? 2 : 0;
    RankJob.Outcome outcome =
        nodes.job(RANKS, spares, type).run(ScrRanks.class, String.valueOf(STEPS), "2@4", "0@8+5000").assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    // With SINGLE a spare on another node cannot get the failed process's files.
    boolean lost = type.equals("SINGLE") && RankJob.flavour() == Flavour.ULFM;
    String[] first = outcome.reports().get("1").split(" ");
    assertThat(first[3]).isEqualTo("0");
    assertThat(Integer.parseInt(first[4])).as(outcome.reports().toString()).isEqualTo(lost ? 0 : 4);
    assertThat(Integer.parseInt(first[5])).isGreaterThanOrEqualTo(lost ? 0 : 8);
    String last = first[first.length - 1];
    assertThat(outcome.reports().values()).allSatisfy(report -> assertThat(report).endsWith(" " + last));
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = {"PARTNER", "XOR", "RS"})
  void aRecoveryInPlaceOutlivesASecondFailureWithTheOtherSchemes(String type) throws IOException {
    aRecoveryInPlaceOutlivesASecondDeathInASave(type);
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = {"PARTNER", "XOR"})
  void aSpareOnAnotherRanksNodeServesARecoveryWithTheOtherSchemes(String type) throws IOException {
    aSpareOnAnotherRanksNodeServesARecovery(type);
  }

  /**
   * Nodes that do not allow the redundancy end a job at its start.
   *
   * <p>A job that has a version to go on from goes on without the redundancy.
   */
  @ParameterizedTest
  @ValueSource(strings = "RS")
  void aSpareOnAnotherRanksNodeServesARecovery(String type) throws IOException {
    Assumptions.assumeTrue(RankJob.flavour() == Flavour.ULFM, "on the fork a replacement is on the failed process's node");
    RankJob.Outcome outcome = ScrNodes.shared(folder, RANKS).job(RANKS, 1, type)
        .run(ScrRanks.class, String.valueOf(STEPS), "1@4").assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).allSatisfy(report -> assertThat(report).endsWith(" 4"));
    // A new process has the job's settings, and must accept those that SCR got here instead.
    assertThat(outcome.output()).contains("SCR with " + type + " needs sets of").contains("until the next one")
        .doesNotContain("say one thing");
  }

  @Tag("once")
  @Test
  void flushedFilesAreInAFolderOfTheirOwnersOnly() throws IOException {
    SavesAndRestores.in(ScrNodes.one(folder).job(2, 0, "XOR", "-Dkintsugi.scr.flush=1"), false, "7").assertSuccess();
    Path prefix = folder.resolve("shared").resolve("scr");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(prefix))).isEqualTo("rwx------");
    assertThat(prefix.resolve("kintsugi.7")).isDirectory();
  }

  private static RankJob.Outcome job(ScrNodes nodes, int ranks, boolean restores, String... versions) {
    return SavesAndRestores.in(nodes.job(ranks, 0, "XOR", "-Dkintsugi.scr.flush=0"), restores, versions);
  }

  /** SCR would hand it out: it looks at names and lengths. */
  @Tag("series")
  @Tag("once")
  @Test
  void aDamagedFileIsPassedOverForTheVersionBefore() throws IOException {
    ScrNodes nodes = ScrNodes.one(folder);
    RankJob.Outcome saved = job(nodes, 3, false, "7", "8").assertSuccess();
    assertThat(saved.output()).containsOnlyOnce("SCR sees one node (3 ranks under one host name)");
    Path file = nodes.newest(VICTIM);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.seek(open.length() / 2);
      open.write(99);
    }
    RankJob.Outcome restored = job(nodes, 3, true, "8");
    SavesAndRestores.assertRestored(restored, 3, "7 right");
    assertThat(restored.output()).contains("rank 1 passes over version 8").contains("the checksum differs");
    SavesAndRestores.assertRestored(job(nodes, 3, true), 3, "8 right");
  }

  @Tag("once")
  @Test
  void anotherNumberOfRanksIsRefusedAndNothingIsLost() {
    ScrNodes nodes = ScrNodes.one(folder);
    job(nodes, 3, false, "7").assertSuccess();
    RankJob.Outcome refused = job(nodes, 2, true);
    assertThat(refused.exitCode()).as(refused.output()).isNotZero().isNotEqualTo(ExitCodes.TIMED_OUT);
    assertThat(refused.output()).contains("are of 3 ranks, and this job has 2");
    SavesAndRestores.assertRestored(job(nodes, 3, true), 3, "7 right");
  }

  @Tag("once")
  @Test
  void anEarlierRunsVersionIsNotTakenForThisOnes() {
    ScrNodes nodes = ScrNodes.one(folder);
    job(nodes, 2, false, "40", "50").assertSuccess();
    job(nodes, 2, false, "10").assertSuccess();
    SavesAndRestores.assertRestored(job(nodes, 2, true), 2, "10 right");
  }

  /** The cache on the nodes stays, under the identity of the folder that was removed. */
  @Tag("once")
  @Test
  void aFolderThatWasRemovedAndMadeAgainHasNoVersions() throws IOException {
    ScrNodes nodes = ScrNodes.one(folder);
    job(nodes, 2, false, "7").assertSuccess();
    TemporaryFolder.remove(folder.resolve("shared"));
    SavesAndRestores.assertRestored(job(nodes, 2, true, "3"), 2, "-1 right");
    SavesAndRestores.assertRestored(job(nodes, 2, true), 2, "3 right");
  }

  @Tag("once")
  @Test
  void whatWasFlushedOutlivesAllNodes() throws IOException {
    ScrNodes nodes = ScrNodes.separate(folder);
    SavesAndRestores.in(nodes.job(2, 0, "XOR", "-Dkintsugi.scr.flush=1"), false, "7", "8").assertSuccess();
    nodes.lose(0);
    nodes.lose(1);
    SavesAndRestores.assertRestored(SavesAndRestores.in(nodes.job(2, 0, "XOR", "-Dkintsugi.scr.flush=1"), true), 2, "8 right");
  }

  @Tag("once")
  @Test
  void oneFolderForSeveralNodesIsRefused() throws IOException {
    RankJob.Outcome refused = SavesAndRestores.in(ScrNodes.sharing(folder).job(2, 0, "XOR"), true);
    assertThat(refused.exitCode()).as(refused.output()).isNotZero().isNotEqualTo(ExitCodes.TIMED_OUT);
    assertThat(refused.output()).contains("is one folder for several nodes").contains("kintsugi.checkpoint.local.dir");
  }

  @Test
  void whereScrIsMissingItIsSaidWhatAndWhere() {
    RankJob.Outcome refused = RankJob.of(1, 0).mpirun("-x", "SCR_HOME=/nowhere/scr")
        .jvm("-Dkintsugi.checkpoint.store=scr", "-Dkintsugi.checkpoint.dir=" + folder)
        .run(SavesAndRestores.class, "true");
    assertThat(refused.exitCode()).as(refused.output()).isNotZero().isNotEqualTo(ExitCodes.TIMED_OUT);
    assertThat(refused.output()).contains("libscr.so").contains("/nowhere/scr").contains("SCR_HOME");
  }
}
