// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.kintsugi.runtime.JobConfig;

/**
 * What each process of a job did when, in a file of its own in one folder. The files outlive the processes, killed ones
 * included, so that the time from a process failure until all ranks go on can be measured in the same way for every kind of
 * recovery, also if the job is started again.
 *
 * <p>A file has {@link #ENTRIES} records of {@link #RECORD} bytes, all numbers little-endian. Record 0 is the latest iteration
 * that the process began, or the first one that it did not make. Each further one is an entry into the loop. A record is the
 * rank, how often the job was started again before, the epoch, the iteration, the time of day and the time in saves so far, both
 * in microseconds, of 8 bytes each; a time of day of 0 means that there is no record. Times of day are comparable on one host;
 * between hosts they are as good as the hosts' clocks.
 */
public final class Stamps {
  /** The ending of the files' names. */
  public static final String SUFFIX = ".stamps";
  /** Bytes of a record. */
  public static final int RECORD = 48;
  /** Records in a file. */
  public static final int ENTRIES = 64;

  /** Where the parts of a record are, after the rank. */
  public static final int ATTEMPT = 8;
  /** The epoch. */
  public static final int EPOCH = 16;
  /** The iteration. */
  public static final int ITERATION = 24;
  /** The time of day. */
  public static final int MICROS = 32;
  /** The time in saves. */
  public static final int SAVED_MICROS = 40;

  private final ByteBuffer file; // null: nothing is noted
  private final long offsetNanos; // from nanoTime to the time of day
  private int rank;
  private long epoch;
  private int entries;
  private long savedNanos;

  /** @param folder where the file is made, which all hosts of the job see; null: nothing is noted */
  public Stamps(Path folder) throws IOException {
    Instant now = Instant.now();
    offsetNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano() - System.nanoTime();
    if (folder == null) {
      file = null;
      return;
    }
    Path path = Files.createTempFile(folder, ProcessHandle.current().pid() + "-", SUFFIX);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      file = channel.map(MapMode.READ_WRITE, 0, (long) RECORD * ENTRIES).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** The loop is entered. Entries beyond the file's size overwrite its last record. */
  public void enter(int asRank, long inEpoch, long iteration) {
    if (file != null) {
      rank = asRank;
      epoch = inEpoch;
      entries = Math.min(entries + 1, ENTRIES - 1);
      write(entries * RECORD, iteration);
    }
  }

  /**
   * An iteration begins, or the loop has ended before it. To be called before {@code run.iteration}, which may inject a fault.
   */
  public void begin(long iteration) {
    if (file != null) {
      write(0, iteration);
      file.putLong(SAVED_MICROS, savedNanos / 1000);
    }
  }

  /** A save has taken this time. */
  public void saved(long nanos) {
    savedNanos += nanos;
  }

  private void write(int at, long iteration) {
    file.putLong(at, rank).putLong(at + ATTEMPT, JobConfig.RESTARTS.longValue()).putLong(at + EPOCH, epoch)
        .putLong(at + ITERATION, iteration)
        .putLong(at + MICROS, (System.nanoTime() + offsetNanos) / 1000);
  }
}
