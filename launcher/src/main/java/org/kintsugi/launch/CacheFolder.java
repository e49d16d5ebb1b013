// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.kintsugi.runtime.internal.KintsugiFolders;

/** The user's own folder for files that are made once and used by many jobs. They are loaded into the jobs' processes. */
final class CacheFolder {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private CacheFolder() {}

  /** {@code $XDG_CACHE_HOME/kintsugi}, whether it is there or not. */
  static Path of(Map<String, String> environment) {
    return KintsugiFolders.ofUser(environment, "XDG_CACHE_HOME", ".cache");
  }

  /** The same, made where it was not there. */
  static Path make(Map<String, String> environment) throws IOException {
    Path folder = of(environment);
    Files.createDirectories(folder, OWNER_ONLY);
    return requireOurs(folder);
  }

  /**
   * It, or a folder in it.
   *
   * @throws IOException if others can write there
   */
  static Path requireOurs(Path folder) throws IOException {
    if (!Ours.isFolder(folder)) {
      throw new IOException(folder + " is not a folder of this user's alone to write in: remove it, take others' rights away "
          + "(chmod go-w), or set XDG_CACHE_HOME to another folder");
    }
    return folder;
  }
}
