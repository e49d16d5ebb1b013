// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

/** Numbers of signals on Linux. */
public final class SignalNumbers {
  /** Ctrl-C. */
  public static final int SIGINT = 2;

  /** Ends a process at once; it cannot be caught. */
  public static final int SIGKILL = 9;

  /** Rolls a process back under the Reinit++ fork. */
  public static final int SIGUSR1 = 10;

  /** Asks a process to end. */
  public static final int SIGTERM = 15;

  /** Lets a stopped process go on. */
  public static final int SIGCONT = 18;

  /** Stops a process; it cannot be caught. */
  public static final int SIGSTOP = 19;

  /** A window has changed its size: ignored by default, and blocked by no JVM. */
  public static final int SIGWINCH = 28;

  private SignalNumbers() {}
}
