// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads, which Java has from version 21 on. One that blocks inside MPI keeps its carrier, and a rank that is bound to a
 * core has only one: nobody else would ever run who could send what it waits for. So on a virtual thread whatever waits polls,
 * and lets the others run in between.
 */
final class VirtualThreads {
  /** The class of all of them; null before Java 21. Asked by class, as the method that tells is not there in Java 17. */
  private static final Class<?> KIND = kind();

  private static final int YIELDS = 20;
  private static final long PAUSE_NANOS = 100_000;

  private VirtualThreads() {}

  private static Class<?> kind() {
    try {
      return Class.forName("java.lang.BaseVirtualThread", false, null);
    } catch (ClassNotFoundException before21) {
      return null;
    }
  }

  /** Whether this code runs on one. */
  static boolean isCurrent() {
    return KIND != null && KIND.isInstance(Thread.currentThread());
  }

  /**
   * Lets the others run; does nothing on a platform thread, which yields inside MPI. At first by yielding; then by parking, as a
   * carrier on which always somebody yields never comes to the threads that were started elsewhere.
   *
   * @param looks how often the caller has looked in vain
   */
  static void pause(int looks) {
    if (!isCurrent()) {
      return;
    }
    if (looks < YIELDS) {
      Thread.yield();
    } else {
      // An interrupted one does not park: it would keep its carrier. That it was is for the program to see afterwards.
      boolean interrupted = Thread.interrupted();
      LockSupport.parkNanos(PAUSE_NANOS);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
