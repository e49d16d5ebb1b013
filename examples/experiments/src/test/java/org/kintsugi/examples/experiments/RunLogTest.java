// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogTest {
  @TempDir
  private Path folder;

  private static PlannedRun run(int repetition) {
    return new PlannedRun("e", "smoke", "hpccg", "tiny", 2, "restart", "file", 0, repetition, 1, 10, 60);
  }

  private static void add(RunLog log, PlannedRun run) throws IOException {
    log.add(Json.MAPPER.createObjectNode().put("key", run.key()).put("outcome", "ended").put("why", "two\nlines, and é"));
  }

  @Test
  void itGoesOnWhereItWas() throws IOException {
    Path file = folder.resolve("log.jsonl");
    RunLog log = new RunLog(file);
    add(log, run(1));
    add(log, run(2));
    Files.writeString(file, "{\"key\":\"half a li", StandardOpenOption.APPEND);
    RunLog again = new RunLog(file);
    assertThat(again.runs()).containsOnlyKeys(run(1).key(), run(2).key());
    assertThat(again.has(run(3))).isFalse();
    add(again, run(3));
    assertThat(new RunLog(file).runs()).containsOnlyKeys(run(1).key(), run(2).key(), run(3).key());
    assertThat(Files.readAllLines(file)).hasSize(3);
  }

  @Test
  void aDamagedLineIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("log.jsonl"), "{\"key\": \"a\"}\nnonsense\n");
    assertThatExceptionOfType(ExperimentException.class).isThrownBy(() -> new RunLog(file)).withMessageContaining("line 2")
        .withMessageContaining("remove that line");
  }
}
