// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.kintsugi.runtime.internal.PropertyNames;

/** The native builds of MPI that Kintsugi knows. The bindings are compiled against each, as a platform extension of JavaCPP. */
public enum Flavour {
  /** Open MPI 5 or newer with ULFM compiled in. */
  ULFM,
  /** The Reinit++ fork of Open MPI 4.0. */
  REINIT;

  private static final String EXPECTED = ": expected ulfm or reinit";

  /** The file name of Open MPI's library, in either flavour. */
  static final String LIBMPI = "libmpi.so.40";

  private static volatile Flavour current;

  /**
   * That of this process: as jmpirun says ({@code kintsugi.flavour}), or that of the MPI that mpirun puts on the library
   * path.
   *
   * @return the same on every call
   * @throws IllegalArgumentException if {@code kintsugi.flavour} names none
   */
  public static Flavour current() {
    Flavour known = current;
    if (known == null) {
      String said = JobConfig.FLAVOUR.value();
      known = said.isEmpty() ? ofLibraryPath(System.getenv("LD_LIBRARY_PATH")) : named(said);
      if (known == null) {
        throw new IllegalArgumentException("-D" + PropertyNames.FLAVOUR + "=" + said + EXPECTED);
      }
      current = known;
    }
    return known;
  }

  /**
   * The one of this word, as on command lines and in the names of folders.
   *
   * @param word {@code ulfm} or {@code reinit}
   * @return that flavour
   * @throws SetupException if there is none
   */
  public static Flavour of(String word) {
    Flavour flavour = named(word);
    if (flavour == null) {
      throw new SetupException("flavour " + word + EXPECTED);
    }
    return flavour;
  }

  /** Null if there is none. */
  private static Flavour named(String word) {
    for (Flavour flavour : values()) {
      if (flavour.toString().equals(word)) {
        return flavour;
      }
    }
    return null;
  }

  private static Flavour ofLibraryPath(String libraryPath) {
    if (libraryPath != null) {
      for (String folder : libraryPath.split(":")) {
        if (!folder.isEmpty() && Files.exists(Path.of(folder, LIBMPI))) {
          return isFork(Path.of(folder).resolveSibling("")) ? REINIT : ULFM;
        }
      }
    }
    return ULFM;
  }

  /** Whether an installed MPI is the Reinit++ fork. */
  static boolean isFork(Path prefix) {
    Path header = prefix.resolve("include").resolve("mpi-ext.h");
    try {
      return Files.exists(header) && Files.readString(header).toLowerCase(Locale.ROOT).contains("reinit");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + header + ", which tells the MPI's flavour", e);
    }
  }

  /**
   * The name of the flavour's natives: JavaCPP's platform extension.
   *
   * @return begins with a hyphen
   */
  public String extension() {
    return "-" + this;
  }

  /** As it is written on command lines and in the names of folders. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
