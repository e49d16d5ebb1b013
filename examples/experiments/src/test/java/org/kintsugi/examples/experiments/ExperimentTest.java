// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentTest {
  private static final Path FOLDER = Path.of("experiments");

  @TempDir
  private Path folder;

  @Test
  void eachExperimentHasAllSizesAndNamesWhatTheCatalogKnows() throws IOException {
    Catalog catalog = Catalog.read();
    for (String name : List.of("match-scaling", "match-inputs", "match-failures", "match-hpccg", "reinit-scaling",
        "reinit-nodes")) {
      Path file = FOLDER.resolve(name + ".json");
      Experiment experiment = Experiment.read(file);
      assertThat(file).hasFileName(experiment.name() + ".json");
      assertThat(experiment.sizes()).containsOnlyKeys("smoke", "laptop", "paper");
      for (String size : experiment.sizes().keySet()) {
        List<PlannedRun> runs = experiment.runs(size, catalog);
        Set<String> keys = runs.stream().map(run -> run.key(catalog)).collect(Collectors.toSet());
        assertThat(keys).as(file + ", " + size).hasSameSizeAs(runs).isNotEmpty();
      }
    }
  }

  @Test
  void theApplicationsAreThere() throws IOException {
    for (Catalog.Application application : Catalog.read().applications().values()) {
      assertThat(application.main())
          .satisfies(main -> assertThat(Class.forName(main).getMethod("main", String[].class)).isNotNull());
    }
  }

  @Test
  void allDesignsMeetTheSameFailures() throws IOException {
    Catalog catalog = Catalog.read();
    List<PlannedRun> runs = Experiment.read(FOLDER.resolve("match-scaling.json")).runs("laptop", catalog);
    Set<String> seen = new HashSet<>();
    for (PlannedRun run : runs) {
      seen.add(run.problem() + " " + run.faults().word() + " " + run.repetition() + " " + run.injected(catalog));
      for (PlannedRun.Fault fault : run.injected(catalog)) {
        assertThat(fault.rank()).isBetween(0, run.ranks() - 1);
        assertThat(fault.iteration()).isBetween(2, catalog.input(run.application(), run.input()).iterations() - 1);
      }
    }
    long places = runs.stream().map(run -> run.problem() + " " + run.faults().word() + " " + run.repetition()).distinct().count();
    assertThat(seen).hasSize((int) places);
  }

  @Test
  void designsTakeTurnsInOrdersOfTheirOwn() throws IOException {
    List<PlannedRun> runs = Experiment.read(FOLDER.resolve("match-inputs.json")).runs("laptop", Catalog.read());
    Set<List<String>> orders = new HashSet<>();
    for (int i = 0; i < runs.size(); i += 5) {
      orders.add(runs.subList(i, i + 5).stream().map(PlannedRun::design).toList());
    }
    assertThat(orders).hasSizeGreaterThan(20).allSatisfy(order -> assertThat(order).doesNotHaveDuplicates());
  }

  /** Seeds of repetitions differ by 1, and the failures must not. */
  @Test
  void failuresComeToAllRanks() throws IOException {
    Catalog catalog = Catalog.read();
    Set<Integer> ranks = new HashSet<>();
    for (int repetition = 1; repetition <= 20; repetition++) {
      ranks.add(new PlannedRun("e", "s", "amg", "small", 8, "restart", "file", Faults.of("1"), 0, repetition, 20, 10, 60)
          .injected(catalog).get(0).rank());
    }
    assertThat(ranks).hasSizeGreaterThan(4);
  }

  /** The launcher runs on the first node. */
  @Test
  void theFirstNodeDoesNotFail() throws IOException {
    Catalog catalog = Catalog.read();
    Set<Integer> ranks = new HashSet<>();
    for (int repetition = 1; repetition <= 40; repetition++) {
      PlannedRun run =
          new PlannedRun("e", "s", "amg", "small", 8, "restart", "file", Faults.of("node"), 2, repetition, 20, 10, 60);
      assertThat(run.injected(catalog)).hasSize(1);
      assertThat(run.injected(catalog).get(0).word()).startsWith("node:");
      ranks.add(run.injected(catalog).get(0).rank());
    }
    assertThat(ranks).containsExactlyInAnyOrder(2, 3, 4, 5, 6, 7);
    assertThat(new PlannedRun("e", "s", "amg", "small", 2, "restart", "file", Faults.of("node"), 2, 1, 20, 10, 60)
        .impossible(catalog)).contains("no two or more nodes of 2");
    assertThatExceptionOfType(ExperimentException.class).isThrownBy(() -> Faults.of("-1")).withMessageContaining("faults -1")
        .withMessageContaining("node");
  }

  @Test
  void energyIsTheSumOfTheProcessorsAndMayBeginAgainAtZero() throws IOException {
    counter("intel-rapl:0", 9_000_000);
    counter("intel-rapl:1", 1_000_000);
    counter("intel-rapl:0:0", 5); // a part of the first
    EnergyMeter meter = new EnergyMeter(folder);
    counter("intel-rapl:0", 500_000);
    counter("intel-rapl:1", 3_000_000);
    assertThat(meter.joules()).isEqualTo(1.5 + 2);
    assertThat(new EnergyMeter(folder.resolve("none")).joules()).as("a machine without counters").isNull();
  }

  private void counter(String domain, long microjoules) throws IOException {
    Path at = Files.createDirectories(folder.resolve(domain));
    Files.writeString(at.resolve("energy_uj"), microjoules + "\n");
    Files.writeString(at.resolve("max_energy_range_uj"), "10000000\n");
  }

  @Test
  void aDesignThatEndsTheJobNeedsVersionsThatOutliveIt() throws IOException {
    Catalog catalog = Catalog.read();
    assertThat(
        new PlannedRun("e", "s", "hpccg", "tiny", 2, "restart", "memory", Faults.of("1"), 0, 1, 1, 10, 60).impossible(catalog))
        .contains("do not outlive it");
    assertThat(
        new PlannedRun("e", "s", "hpccg", "tiny", 2, "restart", "file", Faults.of("1"), 0, 1, 1, 10, 60).impossible(catalog))
        .isNull();
    assertThat(
        new PlannedRun("e", "s", "lulesh", "tiny", 4, "restart", "file", Faults.of("0"), 0, 1, 1, 10, 60).impossible(catalog))
        .contains("cube");
  }

  @Test
  void designsMayHaveEnginesOfTheirOwn() throws IOException {
    List<PlannedRun> runs = Experiment.read(FOLDER.resolve("reinit-scaling.json")).runs("smoke", Catalog.read());
    assertThat(runs).extracting(PlannedRun::engine).containsExactlyInAnyOrder("file", "memory", "memory");
    assertThat(runs).filteredOn(run -> run.design().equals("restart")).extracting(PlannedRun::engine).containsExactly("file");
  }

  @Test
  void mistakesAreNamed() throws IOException {
    Path misspelt = Files.writeString(folder.resolve("mine.json"), """
        {"name": "mine", "title": "Mine", "paper": "none", "claims": "match", "over": "ranks", "checkpointEvery": 1, "sizes": {},
        "tittle": "x"}""");
    assertThatExceptionOfType(ExperimentException.class).isThrownBy(() -> Experiment.read(misspelt))
        .withMessageContaining("mine.json, line 2").withMessageContaining("tittle");
    Path incomplete = Files.writeString(folder.resolve("half.json"), "{\"name\": \"half\"}");
    assertThatExceptionOfType(ExperimentException.class).isThrownBy(() -> Experiment.read(incomplete))
        .withMessageContaining("half.json").withMessageContaining("needs name, title");
    assertThatExceptionOfType(ExperimentException.class).isThrownBy(() -> new Studies().read(folder.resolve("none"), null))
        .withMessageContaining("none").withMessageContaining("expected a name");
    Experiment scaling = Experiment.read(FOLDER.resolve("match-scaling.json"));
    assertThatExceptionOfType(ExperimentException.class).isThrownBy(() -> scaling.size("huge"))
        .withMessageContaining("--size huge").withMessageContaining("laptop");
    assertThatExceptionOfType(ExperimentException.class).isThrownBy(() -> Catalog.read().design("hope"))
        .withMessageContaining("design hope").withMessageContaining("ulfm-spares");
  }
}
