// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

/**
 * Exceptions for calls that are wrong. A report of a stall has the last one of a process that is at its end: in a {@code try}
 * with {@code Mpi.init} it is printed only after that, and the others may never come to it.
 */
public final class Refusal {
  private Refusal() {}

  /** For an argument. */
  public static IllegalArgumentException argument(String text) {
    IllegalArgumentException exception = new IllegalArgumentException(text);
    Whereabouts.throwsTo(exception);
    return exception;
  }

  /** For something that is closed, or not meant to be called now. */
  public static IllegalStateException state(String text) {
    IllegalStateException exception = new IllegalStateException(text);
    Whereabouts.throwsTo(exception);
    return exception;
  }
}
