// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.launch;

import org.kintsugi.ci.architecture.wrong.mpi.Lower;

/** Needs the API. */
public final class Starter {
  public int answer(Lower lower) {
    return lower.answer(null);
  }
}
