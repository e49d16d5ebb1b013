// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.job;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Ends a job that a rank has aborted, if mpirun does not.
 *
 * <p>Open MPI's mpirun hangs now and then when processes die while others are being spawned, and
 * stays so. Before it calls {@code MPI_Abort} a rank leaves a file with the exit code.
 */
public final class AbortWatch extends Thread implements AutoCloseable {
  private static final long LOOK_MILLIS = 250;

  /** The system keeps these bits of an exit code. */
  private static final int MAX_CODE = 0xff;

  private final Path mark;
  private final long graceSeconds;
  private final PrintStream messages;
  private final CompletableFuture<Integer> verdict = new CompletableFuture<>();
  private volatile boolean closed;

  private AbortWatch(Path mark, long graceSeconds, PrintStream messages) {
    super("jmpirun-aborts");
    setDaemon(true);
    this.mark = mark;
    this.graceSeconds = graceSeconds;
    this.messages = messages;
  }

  /**
   * Begins to watch.
   *
   * @param mark the file that an abort leaves
   * @param graceSeconds for mpirun to end by itself
   * @param messages to the user
   */
  static AbortWatch begin(Path mark, long graceSeconds, PrintStream messages) {
    AbortWatch watch = new AbortWatch(mark, graceSeconds, messages);
    watch.start();
    return watch;
  }

  /** Completes with an exit code when the job must end with it. */
  public CompletableFuture<Integer> verdict() {
    return verdict;
  }

  /**
   * The exit code of an aborted job.
   *
   * <p>If a rank has aborted it with an error, it is the rank's. With 0 the rank has aborted it because of a failed process,
   * whose code mpirun knows; but an aborted job is no success.
   *
   * @param code of mpirun; 0: it has not ended
   */
  private int ofAborted(int code) throws IOException {
    int ranks = Integer.parseInt(Files.readString(mark).trim()) & MAX_CODE;
    return ranks != 0 ? ranks : Math.max(1, code);
  }

  /** The exit code of a job whose mpirun has ended with this code. */
  public int judge(int code) {
    try {
      return Files.exists(mark) ? ofAborted(code) : code;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + mark, e);
    }
  }

  @Override
  public void run() {
    try {
      while (!Files.exists(mark)) {
        sleep(LOOK_MILLIS);
      }
      TimeUnit.SECONDS.sleep(graceSeconds);
      int code = ofAborted(0);
      messages.println("jmpirun: a rank has aborted the job (exit code " + code + "), and mpirun has not ended within "
          + graceSeconds + " s: it is ended now");
      verdict.complete(code);
    } catch (InterruptedException | IOException e) {
      if (!closed) {
        messages.println("jmpirun: cannot read " + mark + ": " + e);
      }
    }
  }

  /** The job has ended. */
  @Override
  public void close() {
    closed = true;
    interrupt();
  }
}
