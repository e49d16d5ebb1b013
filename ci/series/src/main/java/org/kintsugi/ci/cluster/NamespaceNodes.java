// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/**
 * A node for each rank, as far as a library can see that knows nodes by their host names and by what is in their folders: both
 * from namespaces that end with the process. Needs root. (To the network, and to the launcher, all are on this machine.)
 */
public final class NamespaceNodes {
  private static final int PROBE_SECONDS = 10;

  private NamespaceNodes() {}

  /** Why there can be none here; null if there can. */
  public static String refusal() throws IOException {
    Process probe = new ProcessBuilder("unshare", "-u", "-m", "true").redirectErrorStream(true).start();
    try {
      if (!probe.waitFor(PROBE_SECONDS, TimeUnit.SECONDS) || probe.exitValue() != 0) {
        return "nodes cannot be emulated without root: " + new String(probe.getInputStream().readAllBytes());
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      probe.destroy();
    }
  }

  /** The name, common to all nodes, of a folder of which each node has its own. */
  public static Path local(Path folder) {
    return folder.resolve("local");
  }

  /** The real path of {@link #local} of a rank's node. */
  public static Path local(Path folder, int rank) {
    return folder.resolve("nodes").resolve(String.valueOf(rank));
  }

  /**
   * A program that is started instead of java, and runs java on a separate node.
   *
   * <p>The node has its {@link #local}.
   */
  public static Path java(Path folder) throws IOException {
    return script(folder, "mount --bind '" + folder + "'/nodes/$N '" + local(folder) + "'");
  }

  /** As {@link #java}, but {@link #local} is one folder for all nodes. */
  public static Path javaSharing(Path folder) throws IOException {
    return script(folder, "true");
  }

  private static Path script(Path folder, String mount) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path script = folder.resolve("java");
    Files.writeString(script, String.join("\n", "#!/bin/bash", "N=${OMPI_COMM_WORLD_RANK:-0}",
        "if [ -z \"$KINTSUGI_TEST_NODE\" ]; then", "  KINTSUGI_TEST_NODE=$N exec unshare -u -m \"$0\" \"$@\"", "fi", "set -e",
        "mkdir -p '" + folder + "'/nodes/$N '" + local(folder) + "'", "hostname node$N", mount,
        "exec '" + java + "' \"$@\"", ""));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script;
  }
}
