// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import org.kintsugi.bindings.Kintsugi;

/** The C library's error numbers. */
public final class Errno {
  private Errno() {}

  /** What one means, as the C library says it. */
  public static String text(int error) {
    return Memory.getCString(Kintsugi.kintsugi_error_text(error));
  }
}
