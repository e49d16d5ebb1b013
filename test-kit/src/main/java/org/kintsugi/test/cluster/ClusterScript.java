// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.test.TemporaryFolder;

/** A script in this package, which makes the nodes of a cluster and does with them what only root can. */
final class ClusterScript implements AutoCloseable {
  private static final int NOT_PERMITTED = 77;
  private static final String COMMAND_SECONDS = "60";

  /** The scripts. They stay until the cluster is closed, because its nodes start them, too. */
  private final TemporaryFolder folder;
  private final String name;

  private ClusterScript(TemporaryFolder folder, String name) {
    this.folder = folder;
    this.name = name;
  }

  /**
   * Unpacks it: a jar cannot be executed from.
   *
   * @param name of the script
   * @param others scripts that it starts
   * @return the caller closes it
   */
  static ClusterScript unpack(String name, String... others) {
    TemporaryFolder folder = null;
    ClusterScript made = null;
    try {
      folder = TemporaryFolder.create("kintsugi-cluster-");
      List<String> all = new ArrayList<>(List.of(others));
      all.add(name);
      for (String one : all) {
        Path file = folder.path().resolve(one);
        try (InputStream text = ClusterScript.class.getResourceAsStream(one)) {
          Files.copy(text, file);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
      made = new ClusterScript(folder, name);
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (made == null && folder != null) {
        folder.close();
      }
    }
  }

  /** The command line. By bash: a program cannot be started while a process that another thread starts has its file open. */
  List<String> line(String... arguments) {
    List<String> line = new ArrayList<>(List.of("bash", folder.path().resolve(name).toString()));
    line.addAll(Arrays.asList(arguments));
    return line;
  }

  /**
   * Runs it to its end.
   *
   * @return what it printed, without blanks at the ends
   * @throws Cluster.UnavailableException if clusters cannot be had here; says why
   * @throws IllegalStateException if it failed; says what it printed
   */
  String run(String... arguments) {
    try {
      List<String> line = new ArrayList<>(List.of("timeout", "-k", "5", COMMAND_SECONDS));
      line.addAll(line(arguments));
      Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes()).strip();
      process.waitFor();
      if (process.exitValue() == ExitCodes.TIMED_OUT) {
        throw new IllegalStateException(name + " " + String.join(" ", arguments) + " hung: " + output);
      }
      if (process.exitValue() == NOT_PERMITTED) {
        throw new Cluster.UnavailableException(output);
      }
      if (process.exitValue() != 0) {
        throw new IllegalStateException(
            name + " " + String.join(" ", arguments) + " ended with " + process.exitValue() + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Lists what is left on a node, as soon as that is nothing, or after a time.
   *
   * @param cluster its name
   * @param node its number
   * @param patienceMillis how long to wait for it to go away
   * @return processes, shared memory and temporary files
   */
  List<String> left(String cluster, String node, long patienceMillis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    while (true) {
      List<String> left = run("left", cluster, node).lines().toList();
      if (left.isEmpty() || System.nanoTime() - until > 0) {
        return left;
      }
    }
  }

  @Override
  public void close() {
    folder.close();
  }
}
