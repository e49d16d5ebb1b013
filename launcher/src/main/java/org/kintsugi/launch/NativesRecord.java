// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;

/**
 * The record of a folder of native libraries: a file in it. dist/install.sh writes one, too.
 *
 * @param kintsugi the version of Kintsugi whose Java they belong to
 * @param flavour of the MPI that they were compiled against
 * @param mpiVersion of that MPI
 */
record NativesRecord(String kintsugi, String flavour, String mpiVersion) {
  private static final String FILE = "natives.properties";
  private static final String KINTSUGI = "kintsugi";
  private static final String FLAVOUR = "flavour";
  private static final String MPI_VERSION = "mpi.version";

  /** Reads the record; null if the folder has none, because its libraries were not installed. */
  static NativesRecord of(Path folder) {
    Properties properties = new Properties();
    try (Reader text = Files.newBufferedReader(folder.resolve(FILE))) {
      properties.load(text);
    } catch (IOException notThere) {
      return null;
    }
    return new NativesRecord(properties.getProperty(KINTSUGI, ""), properties.getProperty(FLAVOUR, ""),
        properties.getProperty(MPI_VERSION, ""));
  }

  void writeTo(Path folder) {
    try {
      Files.write(folder.resolve(FILE),
          List.of(KINTSUGI + "=" + kintsugi, FLAVOUR + "=" + flavour, MPI_VERSION + "=" + mpiVersion));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Why libraries do not fit an MPI; null if nothing is known that speaks against them. Open MPI keeps what a library is compiled
   * against within a major version, and only adds to it.
   */
  static String objection(Path folder, MpiHome mpi) {
    NativesRecord record = of(folder);
    if (record == null) {
      return null;
    }
    String version = mpi.version();
    String are = "they were compiled against an Open MPI " + record.mpiVersion + " (flavour " + record.flavour + "), and "
        + mpi.prefix() + " is ";
    if (!record.flavour.equals(mpi.flavour().toString())) {
      return are + "of the flavour " + mpi.flavour();
    }
    if (version == null || !record.mpiVersion.matches("\\d+\\.\\d+\\..*")) {
      return null; // The ranks compare what they have loaded.
    }
    return number(version, 0) == number(record.mpiVersion, 0) && number(version, 1) >= number(record.mpiVersion, 1) ? null
        : are + version;
  }

  private static int number(String version, int index) {
    return Integer.parseInt(version.split("\\.")[index]);
  }

  static NativesRecord made(String kintsugi, MpiHome mpi) {
    Flavour flavour = mpi.flavour();
    return new NativesRecord(kintsugi, flavour.toString(), String.valueOf(mpi.version()));
  }
}
