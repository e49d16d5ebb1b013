// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import java.io.Serializable;

/** An object that cannot be read back in processes that say so. */
final class Stubborn implements Serializable {
  static boolean refuses;

  private static final long serialVersionUID = 1;

  private Object readResolve() {
    if (refuses) {
      throw new IllegalStateException("not today");
    }
    return this;
  }
}
