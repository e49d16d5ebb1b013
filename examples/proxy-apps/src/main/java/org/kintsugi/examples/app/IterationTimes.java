// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.State;

/**
 * The duration of each iteration on this process, its bytes of Java heap, and the duration of its
 * save. Rollbacks keep them, so that the first iterations after a takeover can be compared with the
 * steady ones. If an iteration is made again, the last time counts.
 */
public final class IterationTimes {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final int SECONDS_TAG = 101;

  private double[] seconds = new double[1024];
  private long[] bytes = new long[1024];
  private double[] saveSeconds = new double[1024];
  private long startNanos;
  private long startBytes;
  private final List<Map<String, Object>> resumptions = new ArrayList<>();
  private long tookOverAt = -1;
  private long lastEndNanos = -1;

  /** Without any. */
  public IterationTimes() {}

  /**
   * To be called where the loop begins. Of a survivor it remembers when it went on, and with which
   * iteration; of a replacement, with which iteration it began.
   */
  public void enter(Run run, long iteration) {
    if (run.state() == State.REINITED && lastEndNanos >= 0) {
      Map<String, Object> resumption = new LinkedHashMap<>();
      resumption.put("firstIteration", iteration);
      resumption.put("gapMillis", (System.nanoTime() - lastEndNanos) / 1e6);
      resumption.put("epochMillis", System.currentTimeMillis());
      resumptions.add(resumption);
    }
    if (run.state() == State.RESTARTED) {
      tookOverAt = iteration;
    }
  }

  /** An iteration begins; {@link #note} ends it. */
  public void begin() {
    startBytes = THREADS.getCurrentThreadAllocatedBytes();
    startNanos = System.nanoTime();
  }

  /** Notes the iteration that has just ended. */
  public void note(int iteration) {
    lastEndNanos = System.nanoTime();
    long taken = THREADS.getCurrentThreadAllocatedBytes() - startBytes;
    if (iteration >= seconds.length) {
      seconds = Arrays.copyOf(seconds, 2 * iteration);
      bytes = Arrays.copyOf(bytes, 2 * iteration);
      saveSeconds = Arrays.copyOf(saveSeconds, 2 * iteration);
    }
    seconds[iteration] = (lastEndNanos - startNanos) / 1e9;
    bytes[iteration] = taken;
  }

  /** Notes the save that has just ended; it is taken to have begun when {@link #note} was called. */
  public void noteSave(int iteration) {
    saveSeconds[iteration] = (System.nanoTime() - lastEndNanos) / 1e9;
  }

  /**
   * How this process went on after failures that it survived, the oldest first: {@code firstIteration}, {@code gapMillis} from
   * the end of its last good iteration, and {@code epochMillis}, the time of day.
   */
  public List<Map<String, Object>> resumptions() {
    return resumptions;
  }

  /** Seconds of iterations 0 to {@code count - 1}, of which the first is 1; 0 for those that this process did not make. */
  public double[] first(int count) {
    return Arrays.copyOf(seconds, count);
  }

  /** Bytes of heap that iterations 0 to {@code count - 1} have allocated, saves not counted; 0 for those that it did not make. */
  public long[] firstBytes(int count) {
    return Arrays.copyOf(bytes, count);
  }

  /** Seconds in saves after iterations 0 to {@code count - 1}; 0 if there was no save. */
  public double[] firstSaves(int count) {
    return Arrays.copyOf(saveSeconds, count);
  }

  /**
   * Collects at rank 0 what the processes that took a place measured. Collective; empty on other ranks.
   *
   * @param count iterations that were made
   * @return for each: {@code rank}, {@code firstIteration}, and {@code iterationSeconds} from that one on
   */
  public List<Map<String, Object>> takeovers(Comm world, int count) {
    int[] firsts = new int[world.size()];
    world.allGather(Buf.copyOf((int) tookOverAt), Buf.wrap(firsts));
    List<Map<String, Object>> takeovers = new ArrayList<>();
    for (int rank = 0; rank < firsts.length; rank++) {
      if (firsts[rank] < 0) {
        continue;
      }
      if (world.rank() == 0) {
        double[] theirs = from(firsts[rank], count); // another rank's come in their place
        if (rank != 0) {
          world.recv(Buf.wrap(theirs), rank, SECONDS_TAG);
        }
        Map<String, Object> takeover = new LinkedHashMap<>();
        takeover.put("rank", rank);
        takeover.put("firstIteration", firsts[rank]);
        takeover.put("iterationSeconds", theirs);
        takeovers.add(takeover);
      } else if (world.rank() == rank) {
        world.send(Buf.wrap(from(firsts[rank], count)), 0, SECONDS_TAG);
      }
    }
    return takeovers;
  }

  /**
   * Seconds of iterations {@code first} to {@code count - 1}: of none, where a process came when all had been made; 0 for those
   * that this process did not make.
   */
  double[] from(int first, int count) {
    int end = Math.max(first, count);
    return Arrays.copyOfRange(first(end), first, end);
  }
}
