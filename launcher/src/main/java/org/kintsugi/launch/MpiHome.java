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
    REINIT;

    /** As it is written on command lines and in the names of folders. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The one of this word.
     *
     * @throws LaunchException if there is none
     */
    public static Flavour of(String word) {
      for (Flavour one : values()) {
        if (one.word().equals(word)) {
          return one;
        }
      }
      throw new LaunchException("flavour " + word + ": expected ulfm or reinit");
    }
  }

  /** The first usable Open MPI of any flavour, ULFM first; see {@link #find(Path, Flavour, Map)}. */
  public static MpiHome find(Path explicit, Map<String, String> environment) {
    return find(explicit, null, environment);
  }

  /**
   * The first usable Open MPI. An explicit prefix decides, then MPI_HOME (which is passed over if it is of another flavour than
   * the one asked for). Else, for ULFM: the mpirun on the PATH, the user's Kintsugi folder, /opt/kintsugi; for REINIT:
   * REINIT_HOME, which decides, the user's Kintsugi folder, /opt/kintsugi. With {@code KINTSUGI_OPTIONAL_NATIVES=none} the fork
   * is found only where {@code explicit} or MPI_HOME names it.
   *
   * @param explicit a prefix that the user named, or null
   * @param wanted the flavour that it must be of; null: any
   * @throws LaunchException if the one that was named cannot be used, or none is found
   */
  public static MpiHome find(Path explicit, Flavour wanted, Map<String, String> environment) {
    if (explicit != null) {
      MpiHome named = named(explicit, "--mpi " + explicit);
      if (wanted != null && named.flavour() != wanted) {
        throw new LaunchException("--mpi " + explicit + " is of the flavour " + named.flavour().word() + ", not of "
            + wanted.word() + " as --flavour has it: leave out one of the two options");
      }
      return named;
    }
    List<String> passedOver = new ArrayList<>();
    String fromEnvironment = environment.getOrDefault("MPI_HOME", "");
    if (!fromEnvironment.isEmpty()) {
      MpiHome named = named(Path.of(fromEnvironment), "MPI_HOME=" + fromEnvironment);
      if (wanted == null || named.flavour() == wanted) {
        return named;
      }
      passedOver.add("MPI_HOME=" + fromEnvironment + " (flavour " + named.flavour().word() + ")");
    }
    for (Flavour flavour : wanted == null ? List.of(Flavour.values()) : List.of(wanted)) {
      for (Path candidate : candidates(flavour, environment)) {
        Flavour found = flavourOf(candidate);
        if (found == flavour || wanted == null && found != null) {
          return new MpiHome(candidate, found);
        }
        passedOver.add(candidate + (Files.exists(candidate.resolve("bin/mpirun"))
            ? " (no " + (flavour == Flavour.ULFM ? "ULFM)" : "Reinit)")
            : " (not there)"));
      }
    }
    throw new LaunchException("no Open MPI " + (wanted == Flavour.REINIT ? "of the Reinit++ fork" : "with fault tolerance")
        + " found; looked at "
        + (passedOver.isEmpty() ? "nothing (KINTSUGI_OPTIONAL_NATIVES=none)" : String.join(", ", passedOver)) + ". "
        + (wanted == Flavour.REINIT
            ? "Set REINIT_HOME to one"
            : "Set MPI_HOME to one, or run make setup, which builds it"));
  }

  private static MpiHome named(Path prefix, String saidBy) {
    Flavour flavour = flavourOf(prefix);
    if (flavour == null) {
      throw new LaunchException(saidBy + ": "
          + (Files.exists(prefix.resolve("bin/mpirun"))
              ? "this Open MPI has no fault tolerance; it must be 5.0 or newer, configured --with-ft=mpi, or the Reinit++ fork"
              : "no bin/mpirun in it"));
    }
    return new MpiHome(prefix.toAbsolutePath(), flavour);
  }

  private static List<Path> candidates(Flavour flavour, Map<String, String> environment) {
    String data = environment.getOrDefault("XDG_DATA_HOME", "");
    Path dataHome = data.isEmpty() ? Path.of(System.getProperty("user.home"), ".local", "share") : Path.of(data);
    List<Path> candidates = new ArrayList<>();
    if (flavour == Flavour.REINIT) {
      if ("none".equals(environment.get("KINTSUGI_OPTIONAL_NATIVES"))) {
        return candidates;
      }
      String home = environment.getOrDefault("REINIT_HOME", "");
      if (!home.isEmpty()) {
        if (flavourOf(Path.of(home)) != Flavour.REINIT) {
          throw new LaunchException("REINIT_HOME=" + home + ": not the Reinit++ fork of Open MPI (no bin/mpirun in it, or its "
              + "include/mpi-ext.h knows no Reinit). Set REINIT_HOME to another one, or unset it");
        }
        candidates.add(Path.of(home).toAbsolutePath());
      }
      candidates.add(dataHome.resolve("kintsugi/reinit"));
      candidates.add(Path.of("/opt/kintsugi/reinit"));
      return candidates;
    }
    for (String folder : environment.getOrDefault("PATH", "").split(":")) {
      Path mpirun = Path.of(folder, "mpirun");
      if (!folder.isEmpty() && Files.isExecutable(mpirun)) {
        candidates.add(Path.of(folder).toAbsolutePath().getParent());
        break;
      }
    }
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

  /** Whether {@code make setup} has built it: with the project's patches. */
  public boolean isPatched() {
    return Files.exists(prefix.resolve("kintsugi.stamp"));
  }

  /** The folder of its libmpi; null where that is in none of the usual two. */
  Path libraries() {
    for (String folder : new String[] {"lib", "lib64"}) {
      if (Files.exists(prefix.resolve(folder).resolve("libmpi.so.40"))) {
        return prefix.resolve(folder);
      }
    }
    return null;
  }

  /** Its mpirun. */
  public Path mpirun() {
    return prefix.resolve("bin/mpirun");
  }
}
