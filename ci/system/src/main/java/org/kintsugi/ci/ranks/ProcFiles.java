// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The kernel's data on processes, in {@code /proc}. A process may end while its files are read. */
public final class ProcFiles {
  private ProcFiles() {}

  /** A file of a process's folder; empty if the process is gone. */
  public static String read(long pid, String file) {
    try {
      return Files.readString(Path.of("/proc/" + pid, file), StandardCharsets.ISO_8859_1).strip();
    } catch (IOException gone) {
      return "";
    }
  }

  /** A number of a process's status, such as {@code VmRSS} in KiB; 0 if the process is gone. */
  public static long status(long pid, String field) {
    return read(pid, "status").lines().filter(line -> line.startsWith(field + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElse(0);
  }

  /** The number of a process's open files; 0 if the process is gone. */
  public static long openFiles(long pid) {
    try (Stream<Path> files = Files.list(Path.of("/proc/" + pid, "fd"))) {
      return files.count();
    } catch (IOException gone) {
      return 0;
    }
  }
}
