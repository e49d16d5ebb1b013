// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The native libraries of an installation. A program uses them if its jars are the installation's
 * and no setting names a folder, as under java alone or plain mpirun. The launcher looks in the
 * same places, and prints why it skips one.
 *
 * @param folder beside the jars, which has a folder for each flavour
 */
public record InstalledNatives(Path folder) {
  /** The site's file: the folder of each flavour's libraries that {@code kintsugi build} has compiled. */
  public static final String SITE = "site.properties";

  /**
   * Those beside a jar.
   *
   * @param jar of Kintsugi's
   * @return null: it is not an installation's
   */
  public static InstalledNatives beside(Path jar) {
    Path folder = jar.resolveSibling("natives");
    return Files.isDirectory(folder) ? new InstalledNatives(folder) : null;
  }

  /**
   * Those that came with it.
   *
   * @param flavour of the MPI, by its name
   * @return the folder, whether it is there or not
   */
  public Path own(String flavour) {
    return folder.resolve(flavour);
  }

  /**
   * Those that {@code kintsugi build} has compiled for the site's MPI: for this user, else for all.
   *
   * @param flavour of the MPI, by its name
   * @param version of the jar: what was compiled from another one is passed over
   * @param environment the variables of this process
   * @return a folder; null: there is none
   */
  public Path ofSite(String flavour, String version, Map<String, String> environment) {
    for (Path file : List.of(KintsugiFolders.ofUser(environment).resolve("natives").resolve(SITE), folder.resolve(SITE))) {
      String named = load(file).getProperty(flavour);
      if (named != null) {
        Path natives = file.resolveSibling(named);
        NativesRecord record = NativesRecord.of(natives);
        if (record != null && record.kintsugi().equals(version) && record.flavour().equals(flavour)) {
          return natives;
        }
      }
    }
    return null;
  }

  /** Empty: it is not there, or cannot be read. */
  private static Properties load(Path file) {
    Properties properties = new Properties();
    try (Reader text = Files.newBufferedReader(file)) {
      properties.load(text);
    } catch (IOException | IllegalArgumentException notThere) {
      return new Properties();
    }
    return properties;
  }
}
