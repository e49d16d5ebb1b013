// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

/** Native libraries that tests use and a machine may lack: the Reinit++ fork, FTI, SCR. Remembers that a test looked for one. */
public final class OptionalNatives {
  /** Of each thread: a few test classes run beside others. */
  private static final ThreadLocal<Boolean> WANTED = ThreadLocal.withInitial(() -> false);

  private OptionalNatives() {}

  /** To be said before one is looked for. */
  public static void want() {
    WANTED.set(true);
  }

  /** Whether one was looked for since {@link #forget}. */
  public static boolean wereWanted() {
    return WANTED.get();
  }

  /** A new test begins. */
  public static void forget() {
    WANTED.set(false);
  }
}
