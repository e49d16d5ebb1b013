// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.util.List;

/** What this module consists of, by the beginnings of its packages' names: by them its calls are told from the program's. */
public final class OwnPackages {
  /** All of it; LayersTest compares. */
  public static final List<String> NAMES = List.of("org.kintsugi.mpi", "org.kintsugi.inject", "org.kintsugi.redundancy",
      "org.kintsugi.reinit", "org.kintsugi.checkpoint", "org.kintsugi.persist");

  private OwnPackages() {}
}
