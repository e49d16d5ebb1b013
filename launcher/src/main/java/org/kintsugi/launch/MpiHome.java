// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An installed Open MPI and what it can do: probed by what lies in it, not trusted by its name.
 *
 * @param prefix its folder
 * @param flavour which recovery it gives
 */
public record MpiHome(Path prefix, Flavour flavour) {
  /** The native builds that Kintsugi knows. */
  public enum Flavour {
    /** Open MPI 5 or newer with ULFM compiled in. */
    ULFM,
    /** The Reinit++ fork of Open MPI 4.0. */
    REINIT
  }

  /**
   * The first usable Open MPI: an explicit prefix, MPI_HOME, the mpirun on the PATH, the user's Kintsugi folder,
   * /opt/kintsugi.
   *
   * @param explicit a prefix that the user named, or null
   * @throws LaunchException if the one that was named cannot be used, or none is found
   */
  public static MpiHome find(Path explicit, Map<String, String> environment) {
    if (explicit != null) {
      return named(explicit, "--mpi " + explicit);
    }
    String fromEnvironment = environment.getOrDefault("MPI_HOME", "");
    if (!fromEnvironment.isEmpty()) {
      return named(Path.of(fromEnvironment), "MPI_HOME=" + fromEnvironment);
    }
    List<String> passedOver = new ArrayList<>();
    for (Path candidate : candidates(environment)) {
      Flavour flavour = flavourOf(candidate);
      if (flavour != null) {
        return new MpiHome(candidate, flavour);
      }
      passedOver.add(candidate + (Files.exists(candidate.resolve("bin/mpirun")) ? " (no ULFM)" : " (not there)"));
    }
    throw new LaunchException("no Open MPI with fault tolerance found; looked at " + String.join(", ", passedOver)
        + ". Set MPI_HOME to one, or run make setup, which builds it");
  }

  private static MpiHome named(Path prefix, String saidBy) {
    Flavour flavour = flavourOf(prefix);
    if (flavour == null) {
      throw new LaunchException(saidBy + ": "
          + (Files.exists(prefix.resolve("bin/mpirun"))
              ? "this Open MPI has no fault tolerance; it must be 5.0 or newer, configured --with-ft=mpi"
              : "no bin/mpirun in it"));
    }
    return new MpiHome(prefix.toAbsolutePath(), flavour);
  }

  private static List<Path> candidates(Map<String, String> environment) {
    List<Path> candidates = new ArrayList<>();
    for (String folder : environment.getOrDefault("PATH", "").split(":")) {
      Path mpirun = Path.of(folder, "mpirun");
      if (!folder.isEmpty() && Files.isExecutable(mpirun)) {
        candidates.add(Path.of(folder).toAbsolutePath().getParent());
        break;
      }
    }
    String data = environment.getOrDefault("XDG_DATA_HOME", "");
    Path dataHome = data.isEmpty() ? Path.of(System.getProperty("user.home"), ".local", "share") : Path.of(data);
    candidates.add(dataHome.resolve("kintsugi/openmpi-ulfm"));
    candidates.add(Path.of("/opt/kintsugi/openmpi-ulfm"));
    return candidates;
  }

  /** Null if it is none that Kintsugi can use. */
  private static Flavour flavourOf(Path prefix) {
    if (!Files.isExecutable(prefix.resolve("bin/mpirun"))) {
      return null;
    }
    try {
      if (Files.exists(prefix.resolve("include/openmpi/mpiext/mpiext_ftmpi_c.h"))) {
        return Flavour.ULFM;
      }
      Path extensions = prefix.resolve("include/mpi-ext.h");
      if (Files.exists(extensions) && Files.readString(extensions).toLowerCase(Locale.ROOT).contains("reinit")) {
        return Flavour.REINIT;
      }
    } catch (IOException e) {
      throw new LaunchException("cannot read " + prefix + ": " + e, e);
    }
    return null;
  }

  /** Its mpirun. */
  public Path mpirun() {
    return prefix.resolve("bin/mpirun");
  }
}
