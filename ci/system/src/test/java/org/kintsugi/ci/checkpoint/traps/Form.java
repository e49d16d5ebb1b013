// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

/** The form of a program: the last argument. */
final class Form {
  private Form() {}

  /** Whether all is protected that must be. */
  static boolean isComplete(String... args) {
    String form = args[args.length - 1];
    if (!form.equals("complete") && !form.equals("incomplete")) {
      throw new IllegalArgumentException(form + ": expected complete or incomplete");
    }
    return form.equals("complete");
  }
}
