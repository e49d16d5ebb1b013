// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.mpi.internal;

import org.kintsugi.ci.architecture.wrong.mpi.Lower;
import org.kintsugi.ci.architecture.wrong.mpi.internal.memory.Block;

/** A class that is not for users, and that uses the package above it, and one that uses it. */
public final class Hidden {
  public int answer() {
    return 1;
  }

  public int answer(Block block) {
    return block.answer(this);
  }

  public int answer(Lower lower) {
    return lower.answer(this);
  }
}
