// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The cores of this host as mpirun counts them: two hardware threads of one core are one. */
public final class Cores {
  private static final Pattern ALLOWED = Pattern.compile("(?m)^Cpus_allowed_list:\\s*(\\S+)");
  private static final Pattern RANGE = Pattern.compile("(\\d+)(?:-(\\d+))?");

  private Cores() {}

  /** The number of cores that processes of this process may use. */
  public static int ofThisHost() {
    return count(Path.of("/"), Runtime.getRuntime().availableProcessors());
  }

  /**
   * The number of cores by the files of a system.
   *
   * @param root the folder of these files
   * @param processors the largest result: a container may have fewer than its host
   */
  public static int count(Path root, int processors) {
    try {
      Matcher allowed = ALLOWED.matcher(text(root.resolve("proc/self/status")));
      Set<String> cores = new HashSet<>();
      Matcher range = RANGE.matcher(allowed.find() ? allowed.group(1) : "");
      while (range.find()) {
        int last = Integer.parseInt(range.group(range.group(2) == null ? 1 : 2));
        for (int cpu = Integer.parseInt(range.group(1)); cpu <= last; cpu++) {
          cores.add(text(root.resolve("sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list")));
        }
      }
      return cores.isEmpty() ? processors : Math.min(cores.size(), processors);
    } catch (IOException notTold) {
      return processors;
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }
}
