// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import org.kintsugi.bindings.Kintsugi;

/** The Java side of user-defined reductions; the C side, with the rules, is native/src/reduction.c. */
public final class Reductions {
  /** Combines {@code count} elements at two addresses. */
  @FunctionalInterface
  public interface Body {
    void reduce(long in, long inOut, int count);
  }

  private static final Body[] BODIES = new Body[Kintsugi.KINTSUGI_MAX_REDUCTIONS];

  /** What a callback threw, until the collective's caller asks; per thread, as MPI calls back on the caller's thread. */
  private static final ThreadLocal<Throwable> THROWN = new ThreadLocal<>();

  private static volatile boolean used;

  static {
    if (!register()) {
      throw new IllegalStateException("libkintsugi does not fit these classes: was it built from the same sources?");
    }
  }

  private Reductions() {}

  private static native boolean register();

  public static int claim(Body body) {
    synchronized (BODIES) {
      for (int slot = 0; slot < BODIES.length; slot++) {
        if (BODIES[slot] == null) {
          BODIES[slot] = body;
          used = true;
          return slot;
        }
      }
    }
    throw new IllegalStateException(BODIES.length + " user-defined operations exist already: close some");
  }

  public static void release(int slot) {
    synchronized (BODIES) {
      BODIES[slot] = null;
    }
  }

  public static long function(int slot) {
    return Kintsugi.kintsugi_reduction_function(slot);
  }

  /** Called from C. Throws nothing: an exception may not cross MPI's frames. */
  static void reduce(int slot, long in, long inOut, int count) {
    try {
      BODIES[slot].reduce(in, inOut, count);
    } catch (Throwable thrown) {
      THROWN.set(thrown);
    }
  }

  /** What the last reductions on this thread threw, if anything; forgotten by asking. */
  public static Throwable takeThrown() {
    if (!used) {
      return null;
    }
    Throwable thrown = THROWN.get();
    if (thrown != null) {
      THROWN.remove();
    }
    return thrown;
  }
}
