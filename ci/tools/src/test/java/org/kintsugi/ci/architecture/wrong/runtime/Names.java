// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.runtime;

import org.kintsugi.ci.architecture.wrong.mpi.Lower;

/** Knows a class of an upper layer. */
public final class Names {
  public int answer(Lower lower) {
    return lower.answer(null);
  }
}
