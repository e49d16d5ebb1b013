// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;

/**
 * How a program's threads use MPI: {@code MPI_THREAD_...}. With {@link #SINGLE} and
 * {@link #FUNNELED} a call from a thread other than the one that initialised MPI is refused.
 * Closing a {@link Buf} does not call MPI: any thread may do it at any time.
 */
public enum ThreadLevel {
  /** Only one thread exists (of the program's own; the JVM's helpers do not call MPI). */
  SINGLE(MPI.MPI_THREAD_SINGLE),
  /** Only the thread that initialised MPI calls it. */
  FUNNELED(MPI.MPI_THREAD_FUNNELED),
  /** Any thread calls MPI, but never two at once. */
  SERIALIZED(MPI.MPI_THREAD_SERIALIZED),
  /**
   * Any thread calls MPI at any time. During a blocking call on a virtual thread, other threads run
   * on its carrier. An interrupt does not end the call.
   */
  MULTIPLE(MPI.MPI_THREAD_MULTIPLE);

  final int level;

  ThreadLevel(int level) {
    this.level = level;
  }

  static ThreadLevel of(int level) {
    for (ThreadLevel value : values()) {
      if (value.level == level) {
        return value;
      }
    }
    throw new IllegalArgumentException("no thread level " + level);
  }
}
