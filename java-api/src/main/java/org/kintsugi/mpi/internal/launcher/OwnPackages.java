// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.launcher;

import java.util.List;

/** The packages of this module, by name prefixes. They distinguish its calls from the program's. */
public final class OwnPackages {
  /** The complete list; LayersTest checks it. */
  public static final List<String> NAMES = List.of("org.kintsugi.mpi", "org.kintsugi.inject",
      "org.kintsugi.reinit", "org.kintsugi.checkpoint", "org.kintsugi.persist");

  private OwnPackages() {}
}
