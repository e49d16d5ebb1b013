// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * The record of a folder of native libraries: a file in it, also in the jars of natives. native/CMakeLists.txt writes one, too.
 *
 * @param kintsugi the version of Kintsugi whose Java they belong to
 * @param flavour of the MPI that they were compiled against
 * @param mpiVersion of that MPI
 */
public record NativesRecord(String kintsugi, String flavour, String mpiVersion) {
  /** The name of that file. */
  public static final String FILE = "natives.properties";
  private static final String KINTSUGI = "kintsugi";
  private static final String FLAVOUR = "flavour";
  private static final String MPI_VERSION = "mpi.version";

  /**
   * Reads the record of a folder.
   *
   * @param folder of native libraries
   * @return null if the folder has none, because its libraries were not installed, or none that can be read
   */
  public static NativesRecord of(Path folder) {
    Properties properties = new Properties();
    try (Reader text = Files.newBufferedReader(folder.resolve(FILE))) {
      properties.load(text);
    } catch (IOException | IllegalArgumentException notThere) {
      return null;
    }
    return new NativesRecord(properties.getProperty(KINTSUGI, ""), properties.getProperty(FLAVOUR, ""),
        properties.getProperty(MPI_VERSION, ""));
  }

  /**
   * Writes it.
   *
   * @param folder of the native libraries
   */
  public void writeTo(Path folder) {
    try {
      Files.write(folder.resolve(FILE),
          List.of(KINTSUGI + "=" + kintsugi, FLAVOUR + "=" + flavour, MPI_VERSION + "=" + mpiVersion));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
