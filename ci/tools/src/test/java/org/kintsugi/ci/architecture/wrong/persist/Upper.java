// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.persist;

import org.kintsugi.ci.architecture.wrong.bindings.Native;
import org.kintsugi.ci.architecture.wrong.mpi.Lower;

/** Calls C past mpi, and makes up a circle with it. */
public final class Upper {
  public int answer() {
    return Native.call();
  }

  public int answer(Lower lower) {
    return lower.answer(null);
  }
}
