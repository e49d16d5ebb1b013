// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.bindings.Kintsugi;

/** The Java side of user-defined reductions; the C side, with the rules, is native/src/reduction.c. */
public final class Reductions {
  /** Combines elements of an {@code MPI_Datatype} at two addresses. Must not throw. */
  @FunctionalInterface
  public interface Body {
    void reduce(long in, long inOut, int count, long type);
  }

  private static final Body[] BODIES = new Body[Kintsugi.KINTSUGI_MAX_REDUCTIONS];
  /**
   * The number of users of each slot. Users are its operation, until that is closed, and
   * collectives under way.
   */
  private static final int[] USERS = new int[BODIES.length];

  private static volatile int claimed;

  static {
    if (!register()) {
      throw new IllegalStateException("libkintsugi does not fit these classes: was it built from the same sources?");
    }
  }

  private Reductions() {}

  private static native boolean register();

  /**
   * Sets the datatype of a slot's marked elements. An element consists of its packed data and one
   * byte for the mark.
   */
  public static native void setMarkedType(int slot, long type);

  /** Marks elements. */
  public static native void mark(long marked, long count, long bytes);

  public static native boolean isAnyMarked(long marked, long count, long bytes);

  /**
   * Copies packed data into marked elements.
   *
   * @param marks the address of elements whose marks are added; 0: the marks are cleared
   */
  public static native void fill(long marked, long data, long count, long bytes, long marks);

  /** Copies the packed data of marked elements. */
  public static native void extract(long marked, long data, long count, long bytes);

  public static int claim(Body body) {
    synchronized (BODIES) {
      for (int slot = 0; slot < BODIES.length; slot++) {
        if (BODIES[slot] == null) {
          BODIES[slot] = body;
          USERS[slot] = 1;
          claimed++;
          return slot;
        }
      }
    }
    throw new IllegalStateException(BODIES.length + " user-defined operations exist already: close some");
  }

  public static void retain(int slot) {
    synchronized (BODIES) {
      USERS[slot]++;
    }
  }

  /**
   * Releases a slot. It is free again when all its users have released it.
   *
   * @return whether it is free now
   */
  public static boolean release(int slot) {
    synchronized (BODIES) {
      boolean last = --USERS[slot] == 0;
      if (last) {
        BODIES[slot] = null;
        claimed--;
      }
      return last;
    }
  }

  /** Whether there are operations in Java that MPI may call. */
  public static boolean areAny() {
    return claimed > 0;
  }

  public static long function(int slot) {
    return Kintsugi.kintsugi_reduction_function(slot);
  }

  /** Called from C. An exception must not cross MPI's frames: the bodies do not throw. */
  static void reduce(int slot, long in, long inOut, int count, long type) {
    BODIES[slot].reduce(in, inOut, count, type);
  }
}
