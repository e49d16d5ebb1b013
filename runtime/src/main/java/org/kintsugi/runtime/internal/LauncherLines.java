// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

/** Lines that ranks print on stderr for the launcher: {@link #PREFIX}, the job's name, a blank, and one of the words below. */
public final class LauncherLines {
  /** How each of them begins. */
  public static final String PREFIX = "kintsugi-launcher: ";

  /** End the job; an exit code follows. */
  public static final String END = "end ";

  /** Roll all processes of the job back. */
  public static final String ROLL_BACK = "roll-back";

  private LauncherLines() {}
}
