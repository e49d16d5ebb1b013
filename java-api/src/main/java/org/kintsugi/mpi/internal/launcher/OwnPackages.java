// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.launcher;

import java.util.List;

/** The packages of this module, by name prefixes. They distinguish its calls from the program's. */
public final class OwnPackages {
  /** The complete list; LayersTest checks it. */
  public static final List<String> NAMES = List.of("org.kintsugi.mpi", "org.kintsugi.inject",
      "org.kintsugi.reinit", "org.kintsugi.checkpoint", "org.kintsugi.persist");

  private static final String MPI = NAMES.get(0) + ".";

  private OwnPackages() {}

  /** Whether a class is of {@code org.kintsugi.mpi} or its internal packages. */
  public static boolean isMpi(String className) {
    return className.startsWith(MPI);
  }
}
