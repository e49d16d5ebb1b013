// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.mpi.internal;

import org.kintsugi.ci.architecture.wrong.mpi.Lower;

/** A class that is not for users, and that uses the package above it. */
public final class Hidden {
  public int answer() {
    return 1;
  }

  public int answer(Lower lower) {
    return lower.answer(this);
  }
}
