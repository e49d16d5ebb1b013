// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values are recorded under a known metric, and the page shows the newest one, its bar, and a plot. */
class FiguresTest {
  private static final String SPEED = "{\"metric\":\"speed\",\"section\":\"S\",\"title\":\"how quick\",\"unit\":\"ms\","
      + "\"better\":\"lower\",\"bar\":3,\"command\":\"make bench\"}";
  private static final String RIGHT = "{\"metric\":\"right\",\"section\":\"S\",\"title\":\"jobs\",\"unit\":\"jobs\","
      + "\"better\":\"higher\",\"bar\":\"all\",\"command\":\"make soak\"}";

  @TempDir
  private Path checkout;
  private Path values;

  @BeforeEach
  void define() throws IOException {
    Path folder = Files.createDirectories(checkout.resolve(Metric.FOLDER));
    Files.write(folder.resolve(Metric.DEFINITIONS), List.of(SPEED, RIGHT));
    values = Files.createFile(folder.resolve(Metric.VALUES));
  }

  private Recorder recorder() {
    return new Recorder(checkout, "make bench PART=x");
  }

  @Test
  void theNewestValueIsOnThePageWithAllOthersInAPlot() throws IOException {
    recorder().median("speed", List.of(4.0, 2.0, 9.0));
    recorder().value("speed", 2.5);
    recorder().share("right", 9, 10);
    String page = FigurePage.of(checkout).get("docs/figures.md");
    assertThat(page).contains("| how quick | 2.5 ms | 3 | <svg", ": 4 (2 to 9; 3 measured); ", "`make bench PART=x`",
        "| jobs | 9 of 10 jobs | all: **missed** |  |", "2 figures. Of those with a bar 1 miss it: jobs.");
    recorder().value("speed", 3.25);
    recorder().share("right", 10, 10);
    assertThat(FigurePage.of(checkout).get("docs/figures.md")).contains("| 3.25 ms | 3: **missed** |", "| 10 of 10 jobs | all |");
  }

  @Test
  void aValueSaysWhereAndWhenItWasMeasured() throws IOException {
    recorder().value("speed", 1.23456);
    // The folder is no checkout of git, so there is no commit.
    assertThat(Files.readString(values)).containsPattern("\"value\":1\\.23,\"machine\":\"\\d+ cores, .*, JDK \\d+\","
        + "\"load\":\"load \\d+\",\"date\":\"\\d{4}-\\d\\d-\\d\\d\",\"command\":\"make bench PART=x\",\"bar\":3}");
  }

  @Test
  void nothingElseIsRecorded() throws IOException {
    recorder().value("unknown", 1);
    new Recorder(null, "").value("speed", 1);
    assertThat(values).isEmptyFile();
  }

  @Test
  void linesOfAnotherFormAreRefused() throws IOException {
    for (String line : List.of("{\"metric\":\"unknown\",\"value\":1,\"machine\":\"m\"}",
        "{\"metric\":\"speed\",\"machine\":\"m\"}",
        "{\"metric\":\"speed\",\"value\":1}", "{\"metric\":\"speed\",\"value\":1,\"machine\":\"m\",\"remark\":\"x\"}",
        "{\"metric\":\"speed\",\"value\":1,\"machine\":\"m\",\"note\":\"" + "long ".repeat(30) + "\"}")) {
      Files.writeString(values, line + "\n");
      assertThatIllegalArgumentException().as(line).isThrownBy(() -> FigurePage.of(checkout));
    }
  }
}
