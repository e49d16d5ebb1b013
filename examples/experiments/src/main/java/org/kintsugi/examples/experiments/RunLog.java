// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The results of an experiment: a file with one line of JSON for each run, in the order in which they were made.
 *
 * <p>A line is on disk before the next run begins. The file ends with a part of a line if the machine went down while it was
 * written: that part is cut off, and its run is made again.
 */
final class RunLog {
  private final Path file;
  private final Map<String, JsonNode> runs = new LinkedHashMap<>();

  RunLog(Path file) throws IOException {
    this.file = file;
    if (Files.exists(file)) {
      read();
    }
  }

  private void read() throws IOException {
    String text = Files.readString(file);
    int whole = text.lastIndexOf('\n') + 1;
    int number = 0;
    for (String line : text.substring(0, whole).lines().toList()) {
      number++;
      try {
        JsonNode run = Json.MAPPER.readTree(line);
        runs.put(run.path("key").asText(), run);
      } catch (JsonProcessingException e) {
        throw new ExperimentException(file + ", line " + number + ": " + e.getOriginalMessage()
            + "; remove that line, and its run is made again, or name another folder with --out");
      }
    }
    if (whole < text.length()) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(text.substring(0, whole).getBytes(StandardCharsets.UTF_8).length);
      }
    }
  }

  boolean has(PlannedRun run) {
    return runs.containsKey(run.key());
  }

  /** By key, the oldest first. */
  Map<String, JsonNode> runs() {
    return runs;
  }

  void add(JsonNode run) throws IOException {
    ByteBuffer line = ByteBuffer.wrap((Json.MAPPER.writeValueAsString(run) + "\n").getBytes(StandardCharsets.UTF_8));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
        StandardOpenOption.APPEND)) {
      while (line.hasRemaining()) {
        channel.write(line);
      }
      channel.force(true);
    }
    runs.put(run.path("key").asText(), run);
  }
}
