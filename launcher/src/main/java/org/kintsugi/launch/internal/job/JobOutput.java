// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.job;

import static java.nio.file.StandardOpenOption.APPEND;

import java.io.FileDescriptor;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.kintsugi.launch.spec.LaunchException;

/** Reads the output of mpirun, and removes the lines for the launcher. */
public final class JobOutput {
  private static final int CHUNK_BYTES = 1 << 16;
  private static final long LOOK_MILLIS = 5;
  /** The number of looks until a part of a mark is passed on. */
  private static final int LOOKS = 40;
  private static final long PATIENCE_MILLIS = 1000;

  private final OutputStream out;
  private final OutputStream err;
  private final Thread[] readers = new Thread[2];
  private final AtomicInteger writing = new AtomicInteger();

  /**
   * Both streams of mpirun.
   *
   * @param file both are appended to it, as others write to it too; null: our own streams
   */
  public JobOutput(Path file) {
    try {
      // Not System.out, which decodes characters and may wait for the end of a line.
      out = new Dropping(file == null ? BlockingOutput.of(FileDescriptor.out) : Files.newOutputStream(file, APPEND));
      err = file == null ? new Dropping(BlockingOutput.of(FileDescriptor.err)) : out;
    } catch (IOException e) {
      throw new LaunchException("cannot write " + file + ": " + e, e);
    }
  }

  /** Begins to read; every line that begins with one of the marks is shown to {@code taken} first. */
  public void read(Process mpirun, List<String> marks, Predicate<String> taken) {
    readers[0] = new Thread(() -> pump(mpirun.getInputStream(), new LineFilter(marks, taken, out)), "job-stdout");
    readers[1] = new Thread(() -> pump(mpirun.getErrorStream(), new LineFilter(marks, taken, err)), "job-stderr");
    for (Thread reader : readers) {
      reader.setDaemon(true);
      reader.start();
    }
  }

  private void pump(InputStream in, LineFilter filter) {
    byte[] bytes = new byte[CHUNK_BYTES];
    try {
      int count = in.read(bytes);
      while (count >= 0) {
        writing.incrementAndGet();
        try {
          filter.feed(bytes, count);
        } finally {
          writing.decrementAndGet();
        }
        for (int looks = 0; filter.isHolding() && looks < LOOKS && in.available() == 0; looks++) {
          Thread.sleep(LOOK_MILLIS);
        }
        if (in.available() == 0) {
          filter.releaseHeld();
        }
        count = in.read(bytes);
      }
      filter.end();
    } catch (IOException closed) {
      // The job has been ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until all output has been read and written.
   *
   * <p>While nothing is being written the wait is short: a process that the job has left running
   * may hold the streams open.
   */
  public void await() {
    try {
      for (Thread reader : readers) {
        do {
          reader.join(PATIENCE_MILLIS);
        } while (reader.isAlive() && writing.get() > 0);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Drops output when its reader has gone. The launcher must still read the job's lines. */
  private static final class Dropping extends FilterOutputStream {
    private boolean isBroken;

    Dropping(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int one) {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
      if (isBroken) {
        return;
      }
      try {
        out.write(bytes, from, count);
      } catch (IOException nobodyReads) {
        isBroken = true;
      }
    }

    @Override
    public void flush() {
      // There is no buffer.
    }
  }
}
