// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kernel's data on processes, in {@code /proc}. */
final class ProcFiles {
  private ProcFiles() {}

  /** A file of a process's folder; empty if the process is gone. */
  static String read(long pid, String file) {
    try {
      return Files.readString(Path.of("/proc/" + pid, file), StandardCharsets.ISO_8859_1).strip();
    } catch (IOException gone) {
      return "";
    }
  }
}
