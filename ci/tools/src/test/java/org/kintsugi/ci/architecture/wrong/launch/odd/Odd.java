// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.launch.odd;

/** In a package that is not in the list. */
public final class Odd {
  private Odd() {}

  public static int answer() {
    return 1;
  }
}
