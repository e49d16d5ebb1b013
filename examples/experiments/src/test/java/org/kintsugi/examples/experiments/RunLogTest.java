// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogTest {
  @TempDir
  private Path folder;

  private static void add(RunLog log, String key, String outcome) throws IOException {
    log.add(Json.MAPPER.createObjectNode().put("key", key).put("outcome", outcome).put("why", "two\nlines, and é"));
  }

  /** The machine may go down in the middle of a letter. */
  @Test
  void itGoesOnWhereItWas() throws IOException {
    Path file = folder.resolve("log.jsonl");
    try (RunLog log = new RunLog(file)) {
      add(log, "a", "ended");
      add(log, "b", "hung");
    }
    byte[] letter = "é".getBytes(StandardCharsets.UTF_8);
    Files.write(file, "{\"key\":\"half a li".getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    Files.write(file, Arrays.copyOf(letter, 1), StandardOpenOption.APPEND);
    try (RunLog again = new RunLog(file)) {
      assertThat(again.runs()).containsOnlyKeys("a", "b");
      assertThat(again.has("b")).isTrue();
      assertThat(again.has("c")).isFalse();
      add(again, "c", "ended");
    }
    try (RunLog whole = new RunLog(file)) {
      assertThat(whole.runs()).containsOnlyKeys("a", "b", "c");
    }
    assertThat(Files.readAllLines(file)).hasSize(3);
  }

  @Test
  void whatWasNotPossibleIsTriedAgain() throws IOException {
    Path file = folder.resolve("log.jsonl");
    try (RunLog log = new RunLog(file)) {
      add(log, "a", "unavailable");
      assertThat(log.has("a")).isFalse();
      add(log, "a", "ended");
    }
    try (RunLog again = new RunLog(file)) {
      assertThat(again.has("a")).isTrue();
    }
  }

  @Test
  void aSecondStartInTheSameFolderIsRefused() throws IOException {
    Path file = folder.resolve("log.jsonl");
    RunLog first = new RunLog(file);
    assertThatExceptionOfType(ExperimentException.class).isThrownBy(() -> new RunLog(file)).withMessageContaining("is in use")
        .withMessageContaining("--out");
    first.close();
    new RunLog(file).close();
  }

  @Test
  void aDamagedLineIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("log.jsonl"), "{\"key\": \"a\"}\nnonsense\n");
    assertThatExceptionOfType(ExperimentException.class).isThrownBy(() -> new RunLog(file)).withMessageContaining("line 2")
        .withMessageContaining("remove that line");
  }
}
