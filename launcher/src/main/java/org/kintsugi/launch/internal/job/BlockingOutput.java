// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.job;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Writes to a nonblocking descriptor, and waits while it is full.
 *
 * <p>Node and others make pipes and terminals nonblocking, and do not undo that. When such a
 * descriptor is full, {@link FileOutputStream} throws after it has written an unknown part. This
 * class writes the rest when there is room again.
 */
public final class BlockingOutput extends OutputStream {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final String FLAGS = "flags:";
  private static final int OCTAL = 8;
  private static final int NONBLOCKING = 04000;

  private final WritableByteChannel channel;

  /** A stream over a channel, which may be nonblocking. */
  BlockingOutput(WritableByteChannel channel) {
    this.channel = channel;
  }

  /** The stream of this process, {@link FileDescriptor#out} or {@link FileDescriptor#err}. */
  @SuppressWarnings("resource") // it stays open
  static BlockingOutput of(FileDescriptor descriptor) {
    return new BlockingOutput(new FileOutputStream(descriptor).getChannel());
  }

  /** Whether a stream of this process is nonblocking, so that other programs may lose what they write to it. */
  public static boolean isNeeded() {
    return isNonblocking(Path.of("/proc/self/fdinfo/1")) || isNonblocking(Path.of("/proc/self/fdinfo/2"));
  }

  /** Whether a file is nonblocking, by the octal flags of the system's description of it. */
  static boolean isNonblocking(Path description) {
    try {
      return Files.readAllLines(description).stream().filter(line -> line.startsWith(FLAGS))
          .anyMatch(line -> (Integer.parseInt(line.substring(FLAGS.length()).trim(), OCTAL) & NONBLOCKING) != 0);
    } catch (IOException | NumberFormatException notTold) {
      return false;
    }
  }

  /** Makes all output of this process wait for its reader. */
  public static void replaceStreams() {
    System.setOut(new PrintStream(of(FileDescriptor.out), true, charset("stdout.encoding", "sun.stdout.encoding")));
    System.setErr(new PrintStream(of(FileDescriptor.err), true, charset("stderr.encoding", "sun.stderr.encoding")));
  }

  /**
   * The encoding that the JVM chooses.
   *
   * <p>The property is that of Java 19 and newer. Older Javas set the other one on a terminal, and
   * none elsewhere.
   */
  private static Charset charset(String property, String older) {
    String name = System.getProperty(property, System.getProperty(older));
    return name == null ? Charset.defaultCharset() : Charset.forName(name);
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes, from, count);
    while (left.hasRemaining()) {
      if (channel.write(left) == 0) { // EAGAIN
        pause();
      }
    }
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(PAUSE_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before all was written");
    }
  }
}
