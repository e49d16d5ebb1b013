// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The results of an experiment: a file with one line of JSON for each run, in the order in which they were made.
 *
 * <p>One process at a time has it: two that write would overwrite each other's lines. A line is on disk before the next run
 * begins. The file ends with a part of a line if the machine went down while it was
 * written: that part is overwritten by the next result, and its run is made again.
 */
final class RunLog implements AutoCloseable {
  private static final String UNAVAILABLE = Outcome.UNAVAILABLE.word();

  private final Path file;
  private final Map<String, JsonNode> runs = new LinkedHashMap<>();
  private final FileChannel channel;
  private int whole; // bytes of whole lines

  /** Opens the file, which is made if it does not exist. */
  RunLog(Path file) throws IOException {
    this.file = file;
    channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      requireAlone();
      read();
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** The lock ends with the channel, or with this process. */
  private void requireAlone() throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException inThisProcess) {
      lock = null;
    }
    if (lock == null) {
      throw new ExperimentException(file + " is in use: this experiment runs already in that folder; wait for its end, or name "
          + "another folder with --out");
    }
  }

  private void read() throws IOException {
    // By the same channel: where a process closes another one of the same file, the lock of POSIX ends.
    ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(channel.size()));
    while (content.hasRemaining() && channel.read(content) >= 0) {
      // until all is read
    }
    byte[] bytes = Arrays.copyOf(content.array(), content.position());
    int number = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        read(new String(bytes, whole, i - whole, StandardCharsets.UTF_8), ++number);
        whole = i + 1;
      }
    }
  }

  private void read(String line, int number) {
    try {
      put(Json.MAPPER.readTree(line));
    } catch (JsonProcessingException e) {
      throw new ExperimentException(file + ", line " + number + ": " + e.getOriginalMessage()
          + "; remove that line, and its run is made again, or name another folder with --out");
    }
  }

  private void put(JsonNode run) {
    runs.put(run.path("key").asText(), run);
  }

  /** Whether the run was made. One that was not possible is tried again: its MPI may have been installed since. */
  boolean has(String key) {
    return runs.containsKey(key) && !runs.get(key).path("outcome").asText().equals(UNAVAILABLE);
  }

  /** By key, the oldest first. */
  Map<String, JsonNode> runs() {
    return runs;
  }

  void add(JsonNode run) throws IOException {
    ByteBuffer line = ByteBuffer.wrap((Json.MAPPER.writeValueAsString(run) + "\n").getBytes(StandardCharsets.UTF_8));
    channel.truncate(whole);
    while (line.hasRemaining()) {
      whole += channel.write(line, whole);
    }
    channel.force(true);
    put(run);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
