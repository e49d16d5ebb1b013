// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.recording;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What jmpirun writes down about a recorded job: when it began, which processes it has lost, and how it ended.
 *
 * <p>A killed process cannot record its own end. Its connection to jmpirun ends at that moment.
 */
public final class JobLog {
  private static final String FILE = "job.txt";
  private static final String BETWEEN = "\t";

  /** The kinds of lines. */
  public enum Kind {
    /** The job begins. The text is its command line. */
    BEGINS,
    /** The connection of a process has ended without a goodbye. The text is {@code PID HOST}. */
    LOST,
    /** The job has ended. The text is its exit code. */
    ENDS
  }

  /**
   * A line of the log.
   *
   * @param micros since 1970, by the clock of jmpirun's host
   * @param kind of what has happened
   * @param text see {@link Kind}
   */
  public record Line(long micros, Kind kind, String text) {}

  private final Path file;

  JobLog(Path folder) throws IOException {
    file = folder.resolve(FILE);
    Files.createFile(file);
  }

  /** Writes a line, with the present time. A job does not fail because a line is missing. */
  public synchronized void write(Kind kind, String text) {
    Instant now = Instant.now();
    long micros = TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(now.getNano());
    String line = micros + BETWEEN + kind + BETWEEN + text.replaceAll("\\s+", " ") + "\n";
    try {
      Files.writeString(file, line, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
    } catch (IOException e) {
      // The timeline then lacks it. The disk may be full, and ranks report that themselves.
    }
  }

  /** Writes that a process has failed. */
  public void lost(long processId, String host) {
    write(Kind.LOST, processId + " " + host);
  }

  /** The lines of a recording; none if jmpirun has not written any. */
  public static List<Line> read(Path folder) throws IOException {
    List<Line> lines = new ArrayList<>();
    Path file = folder.resolve(FILE);
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        String[] fields = line.split(BETWEEN, 3);
        if (fields.length == 3) {
          lines.add(new Line(Long.parseLong(fields[0]), Kind.valueOf(fields[1]), fields[2]));
        }
      }
    }
    return lines;
  }
}
