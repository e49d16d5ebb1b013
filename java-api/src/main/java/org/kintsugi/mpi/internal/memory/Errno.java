// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

import org.kintsugi.bindings.Kintsugi;

/** The C library's error numbers. */
public final class Errno {
  private Errno() {}

  /** The C library's text for an error number. */
  public static String text(int error) {
    return Memory.getCString(Kintsugi.kintsugi_error_text(error));
  }
}
