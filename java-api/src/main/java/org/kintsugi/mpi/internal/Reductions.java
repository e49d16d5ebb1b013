// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import org.kintsugi.bindings.Kintsugi;

/** The Java side of user-defined reductions; the C side, with the rules, is native/src/reduction.c. */
public final class Reductions {
  /** Combines {@code count} elements at two addresses, of an {@code MPI_Datatype}; throws nothing. */
  @FunctionalInterface
  public interface Body {
    void reduce(long in, long inOut, int count, long type);
  }

  private static final Body[] BODIES = new Body[Kintsugi.KINTSUGI_MAX_REDUCTIONS];
  /** The number of users of each slot: its operation, until that is closed, and collectives under way. */
  private static final int[] USERS = new int[BODIES.length];

  private static volatile int claimed;

  static {
    if (!register()) {
      throw new IllegalStateException("libkintsugi does not fit these classes: was it built from the same sources?");
    }
  }

  private Reductions() {}

  private static native boolean register();

  /** The datatype with which a slot's operands are marked elements: {@code bytes} of data each, and one for the mark. */
  public static native void setMarkedType(int slot, long type);

  /** Marks elements. */
  public static native void mark(long marked, long count, long bytes);

  public static native boolean isAnyMarked(long marked, long count, long bytes);

  /**
   * Copies packed data into marked elements.
   *
   * @param marks other elements, whose marks are added to those of these; 0: these get none
   */
  public static native void fill(long marked, long data, long count, long bytes, long marks);

  /** Copies the data of marked elements, packed. */
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
   * Releases a slot, which is free again when all its users have released it.
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

  /** Whether there are operations that MPI may call. */
  public static boolean areAny() {
    return claimed > 0;
  }

  public static long function(int slot) {
    return Kintsugi.kintsugi_reduction_function(slot);
  }

  /** Called from C. An exception may not cross MPI's frames, and bodies throw none. */
  static void reduce(int slot, long in, long inOut, int count, long type) {
    BODIES[slot].reduce(in, inOut, count, type);
  }
}
