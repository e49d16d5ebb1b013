// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static java.nio.file.StandardOpenOption.APPEND;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** Reads what mpirun prints, takes out the lines that are for the launcher, and passes on the rest. */
final class JobOutput {
  private static final int CHUNK_BYTES = 1 << 16;
  private static final long LOOK_MILLIS = 5;
  /** Half a mark was no mark if nothing has followed for so long. */
  private static final int LOOKS = 40;
  private static final long PATIENCE_MILLIS = 1000;

  /** Between two attempts to write to a stream that was made nonblocking, and is full. */
  private static final long FULL_MILLIS = 2;

  private final Dropping out;
  private final Dropping err;
  private final Thread[] readers = new Thread[2];

  /**
   * Both streams.
   *
   * @param file for both, at its end, as others write to it too; null: our own streams
   */
  JobOutput(Path file) {
    try {
      // Not System.out: it looks at characters and may wait for lines.
      out = new Dropping(
          file == null ? own(FileDescriptor.out) : Channels.newChannel(Files.newOutputStream(file, APPEND)));
      err = file == null ? new Dropping(own(FileDescriptor.err)) : out;
    } catch (IOException e) {
      throw new LaunchException("cannot write " + file + ": " + e, e);
    }
  }

  /** A channel says how much it has written where the descriptor was nonblocking; a stream throws, and all is lost. */
  private static WritableByteChannel own(FileDescriptor descriptor) {
    return new FileOutputStream(descriptor).getChannel();
  }

  /** Begins to read; every line that begins with one of the marks is shown to {@code taken} first. */
  void read(Process mpirun, List<String> marks, Predicate<String> taken) {
    readers[0] = new Thread(() -> pump(mpirun.getInputStream(), new LineFilter(marks, taken, out)), "job-stdout");
    readers[1] = new Thread(() -> pump(mpirun.getErrorStream(), new LineFilter(marks, taken, err)), "job-stderr");
    for (Thread reader : readers) {
      reader.setDaemon(true);
      reader.start();
    }
  }

  private static void pump(InputStream in, LineFilter filter) {
    byte[] bytes = new byte[CHUNK_BYTES];
    try {
      int count = in.read(bytes);
      while (count >= 0) {
        filter.feed(bytes, count);
        for (int looks = 0; filter.isHolding() && looks < LOOKS && in.available() == 0; looks++) {
          Thread.sleep(LOOK_MILLIS);
        }
        if (in.available() == 0) {
          filter.giveUp();
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
   * Waits until all has been read, and written, as long as the reader of our own output takes for it. But not for long while
   * nothing comes: a process that the job has left running may hold the streams open.
   */
  void await() {
    try {
      for (Thread reader : readers) {
        long before;
        do {
          before = out.count + err.count;
          reader.join(PATIENCE_MILLIS);
        } while (reader.isAlive() && (out.isWriting || err.isWriting || out.count + err.count != before));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Writes all, however slowly it is read, also to a nonblocking descriptor. Drops output that nobody reads any more, because the
   * launcher must still read the job's lines.
   */
  private static final class Dropping extends OutputStream {
    private final WritableByteChannel out;
    private boolean isBroken;
    private volatile boolean isWriting;
    private volatile long count;

    Dropping(WritableByteChannel out) {
      this.out = out;
    }

    @Override
    public void write(int one) {
      write(new byte[] {(byte) one}, 0, 1);
    }

    // Of the two readers, both write here where there is one file.
    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
      if (isBroken) {
        return;
      }
      isWriting = true;
      try {
        ByteBuffer rest = ByteBuffer.wrap(bytes, from, length);
        while (rest.hasRemaining()) {
          if (out.write(rest) == 0) {
            Thread.sleep(FULL_MILLIS);
          }
        }
        count += length;
      } catch (IOException nobodyReads) {
        isBroken = true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        isBroken = true;
      } finally {
        isWriting = false;
      }
    }
  }
}
