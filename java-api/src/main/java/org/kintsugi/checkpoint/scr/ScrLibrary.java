// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.scr;

import java.nio.file.Path;
import java.util.Map;
import org.kintsugi.bindings.SCR;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.memory.Errno;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.OptionalHome;

/**
 * SCR's native library in this process: loaded, unloaded, and loaded again. For programs that call {@link SCR} themselves, as
 * codes that are ported from C line by line do; {@code -Dkintsugi.checkpoint.store=scr} needs nothing of it.
 *
 * <p>Between {@link #open} and {@link #close} SCR's functions are called as in C, by the thread that opened the library. A
 * function that returns one of {@code SCR.KINTSUGI_SCR_FAILED} and {@code SCR.KINTSUGI_SCR_GAVE_UP} was left half done, and
 * nothing may follow but {@link #close}.
 */
public final class ScrLibrary {
  private static final String NAME = "scr";

  private ScrLibrary() {}

  /**
   * Finds the library. Local.
   *
   * @return the file of the library
   * @throws UnsupportedOperationException if it is not installed; the message names what is missing and where it was looked for
   */
  public static Path file() {
    Path home = OptionalHome.find(NAME, Flavour.current());
    return OptionalHome.libraryFolder(home, NAME).resolve("libscr.so");
  }

  /**
   * Sets variables of the C environment, where SCR finds its settings; before {@code SCR_Init}. Local.
   *
   * @param settings values by the names of variables
   * @throws IllegalStateException if one of them cannot be set
   */
  public static void configure(Map<String, String> settings) {
    settings.forEach((name, value) -> {
      long nameText = Memory.allocateString(name);
      long valueText = Memory.allocateString(value);
      int error = SCR.kintsugi_scr_set(nameText, valueText);
      Memory.free(nameText);
      Memory.free(valueText);
      if (error != 0) {
        throw new IllegalStateException("cannot set " + name + "=" + value + " for SCR: " + Errno.text(error));
      }
    });
  }

  /**
   * Loads the library as new. Collective over the world.
   *
   * @param world what SCR is to take for {@code MPI_COMM_WORLD}; it stays the caller's, and open until {@link #close}
   * @return false if a process has failed meanwhile, which the next call on the world reports as well
   * @throws UnsupportedOperationException if it is not installed, or cannot be loaded
   */
  public static boolean open(Comm world) {
    Path file = file();
    long path = Memory.allocateString(file.toString());
    int code = SCR.kintsugi_scr_open(path, world.handle());
    Memory.free(path);
    if (code == SCR.KINTSUGI_SCR_NOT_LOADED) {
      throw new UnsupportedOperationException("cannot load " + file + ": " + Memory.getCString(SCR.kintsugi_scr_words()));
    }
    return code == 0;
  }

  /**
   * Unloads the library, if it is loaded, and frees what SCR has left in MPI. Local. After {@code SCR_Finalize}; or after a
   * failure, when the world has been revoked or recovered.
   *
   * @return null if it is gone; otherwise the file of the part that stays in the process, so that it cannot be loaded as new
   */
  public static String close() {
    return SCR.kintsugi_scr_close() == SCR.KINTSUGI_SCR_STAYS ? Memory.getCString(SCR.kintsugi_scr_words()) : null;
  }
}
