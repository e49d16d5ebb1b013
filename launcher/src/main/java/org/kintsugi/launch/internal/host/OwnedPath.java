// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/** Whether something with a name that others can guess is this user's. */
public final class OwnedPath {
  private static final int KIND = 0170000;
  private static final int IS_FOLDER = 0040000;
  private static final int OTHERS_WRITE = 0022;

  private OwnedPath() {}

  /** Whether it is a folder, not a link to one, of this user's, in which others cannot write. */
  public static boolean isFolder(Path path) throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    Map<String, Object> attributes = Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    int mode = (Integer) attributes.get("mode");
    return (mode & KIND) == IS_FOLDER && (mode & OTHERS_WRITE) == 0 && attributes.get("uid").equals(user());
  }

  /** Whether it is this user's; of a link the link itself. By numbers: not every user has a name. */
  static boolean is(Path path) throws IOException {
    return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(user());
  }

  /** This process's user. Its own folder in /proc belongs to it. */
  static int user() throws IOException {
    return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }
}
