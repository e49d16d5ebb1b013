// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kintsugi.runtime.internal.KintsugiFolders;
import org.kintsugi.runtime.internal.VariableNames;

/**
 * An installed Open MPI and its abilities.
 *
 * <p>It is usable if it has an executable {@code bin/mpirun}, and either {@code include/openmpi/mpiext/mpiext_ftmpi_c.h} (ULFM)
 * or an {@code include/mpi-ext.h} that mentions Reinit (the fork). Only files count, not the name of the folder.
 * {@link #find(Path, Flavour, Map)} has the places where it is looked for.
 *
 * @param prefix its folder
 * @param flavour which recovery it gives
 */
public record MpiHome(Path prefix, Flavour flavour) {
  /**
   * The first usable Open MPI of any flavour, ULFM first; see {@link #find(Path, Flavour, Map)}.
   *
   * @param explicit a prefix that the user named, or null
   * @param environment the variables of this process
   * @return where it is, and its flavour
   * @throws SetupException if the one that was named cannot be used, or none is found
   */
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
   * @param environment the variables of this process
   * @return where it is, and its flavour
   * @throws SetupException if the one that was named cannot be used, or none is found
   */
  public static MpiHome find(Path explicit, Flavour wanted, Map<String, String> environment) {
    if (explicit != null) {
      MpiHome named = named(explicit, "--mpi " + explicit);
      if (wanted != null && named.flavour() != wanted) {
        throw new SetupException("--mpi " + explicit + " is of the flavour " + named.flavour() + ", not of "
            + wanted + " as --flavour has it: leave out one of the two options");
      }
      return named;
    }
    List<String> passedOver = new ArrayList<>();
    String fromEnvironment = environment.getOrDefault(VariableNames.MPI_HOME, "");
    if (!fromEnvironment.isEmpty()) {
      MpiHome named = named(Path.of(fromEnvironment), "MPI_HOME=" + fromEnvironment);
      if (wanted == null || named.flavour() == wanted) {
        return named;
      }
      passedOver.add("MPI_HOME=" + fromEnvironment + " (flavour " + named.flavour() + ")");
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
    throw new SetupException("no Open MPI " + (wanted == Flavour.REINIT ? "of the Reinit++ fork" : "with fault tolerance")
        + " found; looked at "
        + (passedOver.isEmpty() ? "nothing (KINTSUGI_OPTIONAL_NATIVES=none)" : String.join(", ", passedOver)) + ". "
        + (wanted == Flavour.REINIT
            ? "Set REINIT_HOME to one"
            : "Set MPI_HOME to one, or build one: make setup in a checkout, "
                + "share/kintsugi/openmpi/build-from-tarball.sh in an installation"));
  }

  private static MpiHome named(Path prefix, String saidBy) {
    Flavour flavour = flavourOf(prefix);
    if (flavour == null) {
      throw new SetupException(saidBy + ": "
          + (Files.exists(prefix.resolve("bin/mpirun"))
              ? "this Open MPI has no fault tolerance; it must be 5.0 or newer, configured --with-ft=mpi, or the Reinit++ fork"
              : "no bin/mpirun in it that this user may run; it must be the folder with Open MPI's bin, include and lib")
          + ". Name another one, or none: then it is looked for");
    }
    return new MpiHome(prefix.toAbsolutePath(), flavour);
  }

  private static Iterable<Path> candidates(Flavour flavour, Map<String, String> environment) {
    Set<Path> candidates = new LinkedHashSet<>();
    if (flavour == Flavour.REINIT) {
      if (KintsugiFolders.areOptionalNativesHidden(environment)) {
        return candidates;
      }
      String home = environment.getOrDefault(VariableNames.REINIT_HOME, "");
      if (!home.isEmpty()) {
        if (flavourOf(Path.of(home)) != Flavour.REINIT) {
          throw new SetupException("REINIT_HOME=" + home + ": not the Reinit++ fork of Open MPI (no bin/mpirun in it, or its "
              + "include/mpi-ext.h knows no Reinit). Set REINIT_HOME to another one, or unset it");
        }
        candidates.add(Path.of(home).toAbsolutePath());
      }
      KintsugiFolders.of(environment).forEach(folder -> candidates.add(folder.resolve("reinit")));
      return candidates;
    }
    for (String folder : environment.getOrDefault("PATH", "").split(":")) {
      Path mpirun = Path.of(folder, "mpirun");
      if (!folder.isEmpty() && Files.isExecutable(mpirun)) {
        candidates.add(above(mpirun.toAbsolutePath()));
        candidates.add(above(behindLinks(mpirun)));
        break;
      }
    }
    KintsugiFolders.of(environment).forEach(folder -> candidates.add(folder.resolve("openmpi-ulfm")));
    return candidates;
  }

  /** The folder with the bin that a program is in. */
  private static Path above(Path program) {
    Path bin = program.getParent();
    return bin.getParent() == null ? bin : bin.getParent();
  }

  private static Path behindLinks(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return file.toAbsolutePath();
    }
  }

  /** Null if it is none that Kintsugi can use. */
  private static Flavour flavourOf(Path prefix) {
    if (!Files.isExecutable(prefix.resolve("bin/mpirun"))) {
      return null;
    }
    if (Files.exists(prefix.resolve("include/openmpi/mpiext/mpiext_ftmpi_c.h"))) {
      return Flavour.ULFM;
    }
    try {
      return Flavour.isFork(prefix) ? Flavour.REINIT : null;
    } catch (UncheckedIOException e) {
      throw new SetupException(e.getMessage(), e);
    }
  }

  /**
   * Whether {@code make setup} has built it: with the project's patches.
   *
   * @return false: it may lack what the patches bring
   */
  public boolean isPatched() {
    return Files.exists(prefix.resolve("kintsugi.stamp"));
  }

  /**
   * Its version, as its header has it.
   *
   * @return as in "5.0.7"; null where there is no header that says so
   */
  public String version() {
    String text;
    try {
      text = Files.readString(prefix.resolve("include/mpi.h"));
    } catch (IOException e) {
      return null;
    }
    StringBuilder version = new StringBuilder();
    for (String part : List.of("MAJOR", "MINOR", "RELEASE")) {
      Matcher number = Pattern.compile("(?m)^#define OMPI_" + part + "_VERSION (\\d+)\\b").matcher(text);
      if (!number.find()) {
        return null;
      }
      version.append(version.length() == 0 ? "" : ".").append(number.group(1));
    }
    return version.toString();
  }

  /**
   * Whether it is in another place than it was built for, as a copy is. It looks for its programs,
   * plugins and texts in the place that it was built for, and uses those of another Open MPI there,
   * unless {@code OPAL_PREFIX} names its own folder.
   *
   * @return false, too, where its files do not say what it was built for
   */
  public boolean isMoved() {
    Path libraries = libraries();
    Path description = libraries == null ? null : libraries.resolve("pkgconfig/ompi.pc");
    if (description == null || !Files.isReadable(description)) {
      return false;
    }
    try {
      Matcher built = Pattern.compile("(?m)^prefix=(.+)$").matcher(Files.readString(description));
      return built.find() && !(Files.exists(Path.of(built.group(1))) && Files.isSameFile(Path.of(built.group(1)), prefix));
    } catch (IOException e) {
      throw new SetupException(description + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * The folder of its libmpi; null where that is in none of the usual two.
   *
   * @return {@code lib} or {@code lib64} below its prefix; null
   */
  public Path libraries() {
    for (String folder : new String[] {"lib", "lib64"}) {
      if (Files.exists(prefix.resolve(folder).resolve(Flavour.LIBMPI))) {
        return prefix.resolve(folder);
      }
    }
    return null;
  }

  /**
   * Whether it has a part that is loaded only where a job asks for it.
   *
   * @param name framework and component: {@code btl_ofi}
   * @return false, too, where it was built into libmpi
   */
  public boolean hasPlugin(String name) {
    Path libraries = libraries();
    return libraries != null && Files.exists(libraries.resolve("openmpi").resolve("mca_" + name + ".so"));
  }

  /**
   * Its mpirun.
   *
   * @return the program
   */
  public Path mpirun() {
    return prefix.resolve("bin/mpirun");
  }
}
