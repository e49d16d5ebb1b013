// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.launch;

import org.kintsugi.ci.architecture.wrong.launch.odd.Odd;
import org.kintsugi.ci.architecture.wrong.mpi.Lower;

/** Needs the API, and a package that is not in the list of the launcher's. */
public final class Starter {
  public int answer(Lower lower) {
    return lower.answer(null);
  }

  public int odd() {
    return Odd.answer();
  }
}
