// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.bindings;

/** Stands for a class of the bindings. */
public final class Native {
  public static int call() {
    return 0;
  }
}
