// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.ci.soak.ProxyRank;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.examples.reference.ReferenceCase;
import org.kintsugi.test.RankJob;

/**
 * Proxy applications against the figures of the originals, and with deaths. Few and short cases, or with
 * {@code -Dkintsugi.test.reference=all} ({@code make reference}) all with up to 8 ranks.
 */
class ProxyAppsTest {
  private static final boolean ALL = "all".equals(System.getProperty("kintsugi.test.reference"));
  private static final int MOST_RANKS = 8;
  private static final Set<String> SHORT = Set.of("comd -x 12 -y 12 -z 12 -N 50 -n 10 -i 2 -j 1 -k 1 on 2 ranks",
      "comd -e -x 8 -y 8 -z 8 -N 10 -n 1 -i 1 -j 1 -k 1 on 1 ranks", "minife -nx 16 -ny 12 -nz 10 on 4 ranks",
      "minivite -p 3 -l -n 1024 -w on 4 ranks", "amg -problem 2 -n 10 10 10 -P 2 1 1 on 2 ranks");

  /** The folder that the original's potential is in; the repository must not bring it. */
  private static final String POTENTIALS = System.getenv("KINTSUGI_POTENTIALS");

  static List<ReferenceCase> cases() throws IOException {
    List<ReferenceCase> cases = new ArrayList<>();
    for (String app : List.of("lulesh", "comd", "minife", "minivite", "amg")) {
      cases.addAll(ReferenceCase.all(app));
    }
    return cases.stream().filter(one -> one.ranks() <= MOST_RANKS && (ALL || SHORT.contains(one.toString()))).toList();
  }

  private static JsonNode run(RankJob job, String app, String... arguments) throws IOException {
    return ProxyRank.result(ProxyRank.run(job.timeoutSeconds(240), app, arguments).assertSuccess());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void comesAsNearToTheOriginalAsItHasTo(ReferenceCase reference) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(reference.arguments()));
    if (arguments.contains("-e")) {
      assumeTrue(POTENTIALS != null, "embedded atoms need the original's file Cu_u6.eam (pots/ of github.com/ECP-copa/CoMD): "
          + "put its folder into KINTSUGI_POTENTIALS");
      arguments.addAll(List.of("-d", POTENTIALS));
    }
    JsonNode result = run(RankJob.of(reference.ranks(), 0), reference.app(), arguments.toArray(new String[0]));
    assertThat(reference.differences(result)).isEmpty();
    assertThat(ReferenceCase.of(reference.app(), result)).as("what make validate-app takes it for").isEqualTo(reference);
  }

  /**
   * Bytes of heap that an iteration may take: what wraps the arrays of its messages, whatever the size of the problem. Half
   * of the iterations must keep to it: some begin a solve, or print, which the slower the machine is the more of them do.
   */
  private static void assertTakesNoHeap(JsonNode result, long most) {
    long[] bytes = new long[result.get("iterationBytes").size() - 1];
    Arrays.setAll(bytes, i -> result.get("iterationBytes").get(i + 1).asLong());
    assertThat(bytes).hasSizeGreaterThan(10);
    Arrays.sort(bytes);
    assertThat(bytes[bytes.length / 2]).as("bytes of heap in an iteration: %s", Arrays.toString(bytes))
        .isLessThanOrEqualTo(most);
  }

  private static void assertSameBits(String app, int ranks, String kill, long heap, String... arguments) throws IOException {
    assertSameBits(app, ranks, kill, heap, List.of(arguments), List.of(arguments));
  }

  private static JsonNode assertSameBits(String app, int ranks, String kill, long heap, List<String> arguments,
      List<String> ofTheKilled) throws IOException {
    JsonNode undisturbed = run(RankJob.of(ranks, 1), app, arguments.toArray(new String[0]));
    assertTakesNoHeap(undisturbed, heap);
    JsonNode killed = run(RankJob.of(ranks, 1).kill(kill), app, ofTheKilled.toArray(new String[0]));
    assertThat(killed.get("recoveries")).hasSize(1);
    assertThat(undisturbed.get("recoveries")).isEmpty();
    assertThat(killed.get("figures")).isEqualTo(undisturbed.get("figures"));
    assertThat(killed.get("iterations")).isEqualTo(undisturbed.get("iterations"));
    return undisturbed;
  }

  /** And the same picture, with what it shows in its title. @return the result of an undisturbed run */
  private static JsonNode assertSameBitsAndPicture(String app, int ranks, String kill, long heap, String title, Path folder,
      String... arguments) throws IOException {
    Path undisturbed = folder.resolve("undisturbed.svg");
    Path killed = folder.resolve("killed.svg");
    JsonNode result =
        assertSameBits(app, ranks, kill, heap, withPicture(undisturbed, arguments), withPicture(killed, arguments));
    assertThat(Files.readString(undisturbed)).contains(title);
    assertThat(Files.readString(killed)).isEqualTo(Files.readString(undisturbed));
    return result;
  }

  private static List<String> withPicture(Path file, String... arguments) {
    return Stream.concat(Stream.of(arguments), Stream.of("--picture", file.toString())).toList();
  }

  @Test
  @Tag("flavours")
  @Tag("once")
  void aBlastThatLosesAProcessGivesTheSameBits(@TempDir Path folder) throws IOException {
    ReferenceCase reference = ReferenceCase.all("lulesh").stream()
        .filter(one -> one.toString().equals("lulesh -s 5 -i 20 on 8 ranks")).findFirst().orElseThrow();
    // Rank 0 draws.
    JsonNode undisturbed =
        assertSameBitsAndPicture("lulesh", 8, "process:0@15", 0, "after 20 cycles", folder, "-s", "5", "-i", "20");
    assertThat(reference.differences(undisturbed)).isEmpty();
  }

  /** On 27 ranks there are no figures on file, but those of the same mesh on one rank. */
  @Tag("series")
  @Test
  void aBlastOn27RanksIsThatOfTheSameMeshOnOne() throws IOException {
    JsonNode onOne = ReferenceCase.all("lulesh").stream().filter(one -> one.toString().equals("lulesh -s 15 -i 20 on 1 ranks"))
        .findFirst().orElseThrow().figures();
    JsonNode figures = run(RankJob.of(27, 0), "lulesh", "-s", "5", "-i", "20").get("figures");
    assertThat(figures.get("iteration_count")).isEqualTo(onOne.get("iteration_count"));
    for (String name : List.of("final_origin_energy", "energy_of_element_1_of_rank_0")) {
      double expected = onOne.get(name).asDouble();
      assertThat(figures.get(name).asDouble()).as(name).isCloseTo(expected, within(1e-12 * expected));
    }
  }

  @ParameterizedTest(name = "{0}")
  @Tag("flavours")
  @Tag("once") // the fork has the last one below
  @CsvSource({
      "comd, process:1@25, 100, after 30 steps (30 fs), -x 12 -y 8 -z 8 -N 30 -i 2 -r 0.1",
      "minivite, process:1@5, 1600, communities of 1024 vertices, -p 3 -l -n 1024 --checkpoint-every 3"
  })
  void whatLosesAProcessGivesTheSameBitsAndPicture(String app, String kill, long heap, String title, String arguments,
      @TempDir Path folder) throws IOException {
    assertSameBitsAndPicture(app, 2, kill, heap, title, folder, arguments.split(" "));
  }

  @ParameterizedTest(name = "{0}")
  @Tag("flavours")
  @Tag("once")
  @CsvSource("minife, process:1@8, 0, -nx 12 --checkpoint-every 3")
  void aRunThatLosesAProcessGivesTheSameBitsWithoutAPicture(String app, String kill, long heap, String arguments)
      throws IOException {
    assertSameBits(app, 2, kill, heap, arguments.split(" "));
  }

  @ParameterizedTest(name = "{0}")
  @Tag("flavours")
  @CsvSource("amg, process:1@37, 0, -problem 2 -n 4 4 4 -P 2 1 1")
  void whatLosesAProcessGivesTheSameBits(String app, String kill, long heap, String arguments) throws IOException {
    assertSameBits(app, 2, kill, heap, arguments.split(" "));
  }

  /** It sees no other process when it checks its arguments, among which is what the others have by default. */
  @Test
  void aProcessThatIsStartedLaterHasTheSameArguments() throws IOException {
    String[] arguments = "-problem 2 -n 4 4 4".split(" ");
    JsonNode undisturbed = run(RankJob.of(2, 0), "amg", arguments);
    JsonNode recovered = run(RankJob.of(2, 0).kill("process:1@37").jvm("-Dkintsugi.reinit.policy=SPAWN"), "amg", arguments);
    assertThat(recovered.get("recoveries")).hasSize(1);
    assertThat(recovered.get("figures")).isEqualTo(undisturbed.get("figures"));
    assertThat(recovered.get("iterations")).isEqualTo(undisturbed.get("iterations"));
  }

  @ParameterizedTest
  @CsvSource("comd -x 6 -y 6 -z 6 -N 10 -n 5 -T 300, comd -x 6 -y 6 -z 6 -N 10 -n 5 -T 600, 1, "
      + "those of a run with other arguments")
  void anotherProblemsCheckpointsAreRefused(String one, String other, int ranks, String why, @TempDir Path folder) {
    inTheFolder(one, ranks, folder).assertSuccess();
    assertThat(inTheFolder(one, ranks, folder).assertSuccess().output()).contains("of an earlier run");
    RankJob.Outcome outcome = inTheFolder(other, ranks, folder);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(2);
    assertThat(outcome.output()).as("once, and no stack trace").containsOnlyOnce(why).doesNotContain("\tat ");
  }

  @Tag("series")
  @ParameterizedTest
  @CsvSource("hpccg 6 6 6 --iterations 15, hpccg 6 6 7 --iterations 15, 2, cannot be used")
  void checkpointsOfAnotherLengthAreRefused(String one, String other, int ranks, String why, @TempDir Path folder) {
    anotherProblemsCheckpointsAreRefused(one, other, ranks, why, folder);
  }

  private static RankJob.Outcome inTheFolder(String line, int ranks, Path folder) {
    String[] words = line.split(" ");
    return ProxyRank.run(
        RankJob.of(ranks, ranks - 1).jvm("-Dkintsugi.checkpoint.store=file", "-Dkintsugi.checkpoint.dir=" + folder),
        words[0], Arrays.copyOfRange(words, 1, words.length));
  }

  /** Runs in the ranks: HPCCG, whose line goes on with other words on one process, as where one host lacks a file. */
  static final class WrongOnOneRank {
    public static void main(String[] args) {
      String line = "8 8 8" + (System.getenv("OMPI_COMM_WORLD_RANK").equals(args[1]) ? " " + args[2] : "");
      Hpccg.main(line.split(" "));
    }
  }

  /** Only on ULFM. For the fork each exit code other than 0 is a failure, and the job's is 1. */
  @Test
  void whatOneRankRefusesEndsAll() {
    RankJob.Outcome outcome = RankJob.of(3, 0).run(WrongOnOneRank.class, "1", "--json /proc/none/a.json");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(2);
    assertThat(outcome.output()).containsOnlyOnce("there is no folder /proc/none").containsOnlyOnce("--help");
  }

  @Test
  void aFaultOfASpareIsReportedAndEndsNothing() {
    RankJob.Outcome outcome = RankJob.of(2, 1).run(WrongOnOneRank.class, "2", "--json /proc/none/a.json").assertSuccess();
    assertThat(outcome.output()).contains("HPCCG on 2 ranks").containsOnlyOnce("could not have taken a rank's place")
        .containsOnlyOnce("there is no folder /proc/none");
  }

  @Test
  void fewerRanksAreRefused() {
    RankJob.Outcome outcome =
        ProxyRank.run(RankJob.of(1, 0).jvm("-Dkintsugi.reinit.policy=SHRINK"), "minivite", "-l", "-n", "64");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(2);
    assertThat(outcome.output()).containsOnlyOnce("SPAWN and RESTART would do");
  }

  @ParameterizedTest
  @CsvSource({
      "hpccg 8 8 8 --picture {}/a.svg, Unknown option", "minife --picture {}/a.svg, Unknown option",
      "amg --picture {}/a.svg, Unknown option", "minivite -l -n 64 --picture {}/none/a.svg, there is no folder"
  })
  void aPictureIsRefusedBeforeTheWork(String line, String why, @TempDir Path folder) {
    String[] words = line.replace("{}", folder.toString()).split(" ");
    RankJob.Outcome outcome = ProxyRank.run(RankJob.of(1, 0), words[0], Arrays.copyOfRange(words, 1, words.length));
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(2);
    assertThat(outcome.output()).contains("--picture", folder.toString()).containsOnlyOnce(why);
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({"lulesh -s 5, 2 ranks do not: 1 or 8 would do", "comd -n 0, -n 0 is not positive",
      "comd -x 0, -x 0 is not positive"})
  void whatNoRankCanDoIsSaidOnce(String line, String why) {
    String[] words = line.split(" ");
    RankJob.Outcome outcome = ProxyRank.run(RankJob.of(2, 1), words[0], Arrays.copyOfRange(words, 1, words.length));
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(2);
    assertThat(outcome.output()).containsOnlyOnce(why).doesNotContain("\tat ");
  }
}
