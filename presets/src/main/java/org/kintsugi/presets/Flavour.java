// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The native builds of MPI that the bindings are compiled against, each as a platform extension of JavaCPP. */
public enum Flavour {
  /** Open MPI 5 or newer with ULFM. */
  ULFM,
  /** The Reinit++ fork of Open MPI 4.0. */
  REINIT;

  /** What the launcher has found; without it this process finds out. */
  public static final String PROPERTY = "kintsugi.flavour";

  private static final String LIBMPI = "libmpi.so.40";
  private static volatile Flavour current;

  /**
   * That of this process: as jmpirun says, or that of the MPI that mpirun puts on the library path.
   *
   * @throws IllegalArgumentException if {@value #PROPERTY} names none
   */
  public static Flavour current() {
    Flavour known = current;
    if (known == null) {
      String said = System.getProperty(PROPERTY);
      known = said == null ? ofLibraryPath(System.getenv("LD_LIBRARY_PATH")) : named(said);
      current = known;
    }
    return known;
  }

  private static Flavour named(String name) {
    for (Flavour flavour : values()) {
      if (flavour.toString().equals(name)) {
        return flavour;
      }
    }
    throw new IllegalArgumentException("-D" + PROPERTY + "=" + name + ": expected ulfm or reinit");
  }

  private static Flavour ofLibraryPath(String libraryPath) {
    if (libraryPath != null) {
      for (String folder : libraryPath.split(":")) {
        if (!folder.isEmpty() && Files.exists(Path.of(folder, LIBMPI))) {
          return ofExtensions(Path.of(folder).resolveSibling("include").resolve("mpi-ext.h"));
        }
      }
    }
    return ULFM;
  }

  private static Flavour ofExtensions(Path header) {
    try {
      return Files.exists(header) && Files.readString(header).contains("reinit") ? REINIT : ULFM;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + header + ", which tells the MPI's flavour", e);
    }
  }

  /** The name of the flavour's natives: JavaCPP's platform extension. */
  String extension() {
    return "-" + this;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
