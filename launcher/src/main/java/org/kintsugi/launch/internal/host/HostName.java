// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names of hosts, as Open MPI has them. */
public final class HostName {
  private static final Path OF_THIS = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /** The name of the host on which this process runs. */
  public static String ofThis() throws IOException {
    return Files.readString(OF_THIS).trim();
  }

  /** Without its domain: what Open MPI calls a host in the names of files. */
  public static String shortOf(String host) {
    return host.split("\\.", 2)[0];
  }
}
