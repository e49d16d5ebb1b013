// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.Locale;

/** The three forms of an operation. */
enum Form {
  BLOCKING,
  NONBLOCKING,
  PERSISTENT;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
