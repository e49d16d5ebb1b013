// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.ClassProperties;
import org.bytedeco.javacpp.Loader;

/**
 * Where the native libraries are loaded from.
 *
 * <p>JavaCPP extracts natives from jars into a cache that all JVMs of a user share, and many ranks that start at once race
 * on it (bytedeco/javacpp#608). So the launcher unpacks them once, before any rank exists, and tells the ranks the folder:
 * {@value #PROPERTY}. JavaCPP then finds them as plain files, extracts nothing, and there is nothing left to race on.
 * Without the property (a program under plain {@code mpirun}), or where the folder does not exist (on a host that does not
 * share the launcher's files), JavaCPP's own way applies.
 */
final class NativeFolder {
  static final String PROPERTY = "kintsugi.library.path";

  private NativeFolder() {}

  static void addTo(ClassProperties properties) {
    if (!Loader.isLoadLibraries()) {
      return; // they are being built
    }
    // Where natives of several flavours lie side by side, JavaCPP would take the first it finds. (It adds to the list.)
    properties.put("platform.extension", new ArrayList<>(List.of(Flavour.current().extension())));
    String folder = System.getProperty(PROPERTY);
    if (folder == null) {
      return;
    }
    if (!Path.of(folder).isAbsolute()) {
      throw new IllegalArgumentException(PROPERTY + "=" + folder + " is not an absolute path");
    }
    if (!Files.isDirectory(Path.of(folder))) {
      return;
    }
    // Both: JavaCPP looks for preloads in the one and for the binding itself in the other.
    properties.addAll("platform.preloadpath", folder);
    properties.addAll("platform.linkpath", folder);
  }
}
