// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.mpi.internal.memory;

import org.kintsugi.ci.architecture.wrong.mpi.Lower;
import org.kintsugi.ci.architecture.wrong.mpi.internal.Hidden;

/** Makes up a circle with another internal package, and knows a class above it. */
public final class Block {
  public int answer(Hidden hidden) {
    return hidden.answer();
  }

  public int answer(Lower lower) {
    return lower.answer(null);
  }
}
