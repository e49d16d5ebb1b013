// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.mpi.internal.memory;

import org.kintsugi.ci.architecture.wrong.mpi.internal.Hidden;

/** Makes up a circle with another internal package. */
public final class Block {
  public int answer(Hidden hidden) {
    return hidden.answer();
  }
}
