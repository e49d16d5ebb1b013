// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.network;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Properties;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.internal.KintsugiFolders;

/**
 * The file with the routes that {@code kintsugi doctor --network} has found to survive failures: for each Open MPI the quickest
 * one, which jobs take then. It is beside the Open MPI, for all who use that, or among the user's own files where that may not
 * be written. The user's own is read first.
 *
 * @param path of the file, whether it is there or not
 */
public record TestedRoutes(Path path) {
  private static final String NAME = "kintsugi-network.properties";
  private static final String ROUTE = "route";
  private static final String MPI = "mpi";

  /** The file of this user, or of all. */
  public static TestedRoutes ofUser(MpiHome mpi, Map<String, String> environment) {
    String name = mpi.prefix().toString().replaceAll("[^A-Za-z0-9.]+", "-");
    return new TestedRoutes(KintsugiFolders.ofUser(environment).resolve("network").resolve(name + ".properties"));
  }

  private static TestedRoutes ofAll(MpiHome mpi) {
    return new TestedRoutes(mpi.prefix().resolve(NAME));
  }

  /** Where this user writes: into the file that counts for jobs. */
  public static TestedRoutes own(MpiHome mpi, Map<String, String> environment) {
    TestedRoutes users = ofUser(mpi, environment);
    return Files.exists(users.path) || !Files.isWritable(mpi.prefix()) ? users : ofAll(mpi);
  }

  /**
   * The quickest route that survives; null: none was tested, this Open MPI was built anew without it, or this host has no such
   * device.
   */
  public static Route quickest(MpiHome mpi, Map<String, String> environment) {
    Route users = ofUser(mpi, environment).read(mpi);
    Route tested = users == null ? ofAll(mpi).read(mpi) : users;
    return tested != null && tested.canBeTaken(mpi) && tested.hasDevice() ? tested : null;
  }

  private Route read(MpiHome mpi) {
    Properties properties = new Properties();
    if (!Files.exists(path)) {
      return null;
    }
    try (Reader text = Files.newBufferedReader(path)) {
      properties.load(text);
    } catch (IOException | IllegalArgumentException e) {
      throw new LaunchException("the file of tested networks " + path + " cannot be read (" + e.getMessage() + "): run kintsugi "
          + "doctor --network once more, or remove it", e);
    }
    String route = properties.getProperty(ROUTE);
    // Of several Open MPIs the user's files may have the same name; and a folder may have been moved, with its file.
    boolean isOfThis = path.startsWith(mpi.prefix()) || mpi.prefix().toString().equals(properties.getProperty(MPI));
    if (route == null || !isOfThis) {
      return null;
    }
    Route found = Route.of(route);
    // An earlier version may have written one that does not.
    return found.doesSurvive() ? found : null;
  }

  /** Has jobs take a route. */
  public void write(Route route, MpiHome mpi) throws IOException {
    Files.createDirectories(path.getParent());
    Properties properties = new Properties();
    properties.setProperty(ROUTE, route.toString());
    properties.setProperty(MPI, mpi.prefix().toString());
    Path aside = Files.createTempFile(path.getParent(), NAME, "");
    try (Writer text = Files.newBufferedWriter(aside)) {
      properties.store(text, "Written by kintsugi doctor --network: the quickest route on which jobs survived failures.");
    }
    aside.toFile().setReadable(true, false);
    Files.move(aside, path, StandardCopyOption.ATOMIC_MOVE);
  }
}
