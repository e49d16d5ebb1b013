// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.lifetime;

import java.util.Arrays;
import org.kintsugi.mpi.internal.launcher.CallTrace;

/**
 * Exceptions for wrong calls. A report of a stall has the last one of a process that is at its end: in a {@code try} with {@code
 * Mpi.init} it is printed only after that end, to which the others may never come.
 */
public final class Rejections {
  private Rejections() {}

  /** For an argument. */
  public static IllegalArgumentException argument(String text) {
    return noted(new IllegalArgumentException(text));
  }

  /** Requires an argument that is not null. @return the argument */
  public static <T> T requireNonNull(T value, String argument) {
    if (value == null) {
      throw noted(new NullPointerException(argument + " is null"));
    }
    return value;
  }

  /** For something that is closed, or not meant to be called now. */
  public static IllegalStateException state(String text) {
    return noted(new IllegalStateException(text));
  }

  /** Removes this class from its stack trace, which then begins where it is thrown. */
  private static <E extends RuntimeException> E noted(E exception) {
    StackTraceElement[] trace = exception.getStackTrace();
    if (trace.length > 1) { // a JVM can be configured to record none
      exception.setStackTrace(Arrays.copyOfRange(trace, 1, trace.length));
    }
    CallTrace.throwsTo(exception);
    return exception;
  }
}
