// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.startup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.internal.memory.Errno;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.SetupException;

/**
 * The libmpi in this process, and whether it is the one that the job was started with.
 *
 * <p>The natives find the libmpi that they were compiled against (RUNPATH), unless LD_LIBRARY_PATH
 * names another one. A job whose launcher is of one Open MPI and whose ranks load another one may
 * start, and fail later. This class must not use the class of the bindings: if the bindings do not
 * fit the libmpi, that class cannot be loaded.
 */
public final class LoadedMpi {
  private static final String LIBRARY = "libmpi.so.40";
  private static final int BYTES = 4000;

  /** The programs that start ranks: mpirun itself on its own host, a daemon on others. */
  private static final Set<String> LAUNCHERS = Set.of("prte", "prterun", "prted", "mpirun", "orterun", "orted");

  private static volatile Boolean patched; // null: not known yet

  private LoadedMpi() {}

  /** The library's own description of its version. */
  public static String version() {
    long scratch = Scratch.address();
    return text(scratch, Kintsugi.kintsugi_mpi_library_version(scratch, BYTES));
  }

  /** The file that it was loaded from, without symbolic links. */
  public static Path file() {
    long scratch = Scratch.address();
    return real(Path.of(text(scratch, Kintsugi.kintsugi_mpi_library_path(scratch, BYTES))));
  }

  /** Whether {@code make setup} has built it, with the project's patches. Looks for that once: recoveries ask. */
  public static boolean isPatched() {
    Boolean known = patched;
    if (known == null) {
      known = new MpiHome(file().getParent().getParent(), Flavour.current()).isPatched();
      patched = known;
    }
    return known;
  }

  private static String text(long address, int error) {
    if (error != 0) {
      throw new IllegalStateException(
          "no " + LIBRARY + " is loaded (" + Errno.text(error) + "): "
              + "Open MPI is not where it was when Kintsugi was compiled, and the one that was found instead cannot be loaded. "
              + "Set MPI_HOME to another one");
    }
    return Memory.getCString(address);
  }

  /**
   * Loads a libmpi if none was found when the natives were loaded. This happens to a program under
   * java alone whose natives were compiled on another machine, for instance.
   *
   * @throws SetupException if there is none in the places that jmpirun searches
   */
  public static void requireAny() {
    if (Kintsugi.kintsugi_mpi_library_path(Scratch.address(), BYTES) == 0) {
      return;
    }
    Path folder = MpiHome.find(null, Flavour.current(), System.getenv()).libraries();
    if (folder != null) {
      long path = Memory.allocateString(folder.resolve(LIBRARY).toString());
      Kintsugi.kintsugi_open_mpi(path);
      Memory.free(path);
    }
  }

  /**
   * @throws IllegalStateException if it is not the one that the job was started with, or does not
   *     fit the bindings
   */
  public static void requireAskedFor() {
    Path loaded = file();
    Path folder = folderAskedFor();
    if (folder != null && !real(folder.resolve(LIBRARY)).equals(loaded)) {
      throw new IllegalStateException("the job was started with the Open MPI of " + folder + ", and this process has loaded "
          + loaded + ": put " + folder + " in front of LD_LIBRARY_PATH, for mpirun and for the ranks (-x LD_LIBRARY_PATH); "
          + "jmpirun does so where LD_LIBRARY_PATH is not among its options");
    }
    String compiled = Memory.getCString(Kintsugi.kintsugi_mpi_compiled_version());
    String version = version();
    if (!version.startsWith("Open MPI v" + compiled.substring(0, compiled.indexOf('.') + 1))) {
      throw new IllegalStateException(
          "Kintsugi's native libraries were compiled against Open MPI " + compiled + ", and this process "
              + "has loaded " + loaded + ", which is " + version + ": use libraries that were compiled against that one");
    }
  }

  /**
   * The folder of libmpi in the Open MPI that the job was started with. Null if that is not known
   * (under Slurm's srun, for instance).
   */
  private static Path folderAskedFor() {
    String named = JobConfig.MPI_HOME.value();
    Path folder = named.isEmpty() ? null : folderIn(Path.of(named));
    String told = System.getenv("OMPI_LIBDIR_LOC");
    if (folder == null && told != null && Files.exists(Path.of(told, LIBRARY))) {
      folder = Path.of(told); // Open MPI 5's mpirun sets it for its ranks
    }
    // (Loading ProcessHandle takes 4 ms of a rank's start.)
    ProcessHandle process = folder == null ? ProcessHandle.current() : null;
    while (process != null) {
      Path program = Path.of(process.info().command().orElse("/"));
      if (program.getNameCount() > 2 && LAUNCHERS.contains(program.getFileName().toString())) {
        return folderIn(program.getParent().getParent());
      }
      process = process.parent().orElse(null);
    }
    return folder;
  }

  /** The folder of libmpi below a prefix; null if it is in neither of the usual two. */
  private static Path folderIn(Path prefix) {
    return new MpiHome(prefix, Flavour.current()).libraries();
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }
}
