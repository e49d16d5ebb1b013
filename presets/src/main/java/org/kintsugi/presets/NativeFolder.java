// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.ClassProperties;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.internal.PropertyNames;

/**
 * Where the native libraries are loaded from, and how.
 *
 * <p>JavaCPP extracts natives from jars into a cache that all JVMs of a user share, and many ranks that start at once race
 * on it (bytedeco/javacpp#608). So the launcher unpacks them once, before any rank exists, and tells the ranks the folder:
 * {@value PropertyNames#LIBRARY_PATH}. They are loaded from there as plain files, and there is nothing left to race on. That
 * leaves JavaCPP's search out, too, which took a third of the processor time of a rank's start (85 ms).
 * Without the property (a program under plain {@code mpirun}), or where the folder does not exist (on a host that does not
 * share the launcher's files), JavaCPP's own way applies.
 */
public final class NativeFolder {
  private static final String PROPERTY = PropertyNames.LIBRARY_PATH;

  /** What every binding needs; its constructor opens libmpi (library.c). */
  private static final String FIRST = "libkintsugi.so";

  private static final String LOAD_LIBRARIES = "org.bytedeco.javacpp.loadlibraries";

  private static boolean isBegun;

  private NativeFolder() {}

  /**
   * Loads the library behind a class of bindings, in place of {@code Loader.load()}, which generated classes call by themselves
   * (bindings/pom.xml). One at a time: while JavaCPP is told to load nothing, another class would go without its library.
   *
   * @param bindings the class
   */
  public static synchronized void load(Class<?> bindings) {
    if (!Loader.isLoadLibraries()) {
      return; // it is being built
    }
    Path folder = folder();
    Path library = folder == null ? null : folder.resolve("libjni" + bindings.getSimpleName() + ".so");
    // The library of FTI needs another one, which JavaCPP finds by the properties of its preset.
    if (library == null || !Files.exists(library) || FtiPreset.class.isAssignableFrom(bindings)) {
      Loader.load(bindings);
      return;
    }
    System.load(folder.resolve(FIRST).toString());
    beginJavaCpp();
    System.load(library.toString());
  }

  /**
   * Initialises what a binding's library touches as it is loaded. Left to itself that looks for JavaCPP's own library in all
   * jars, which takes longer than all else here; where none is on the class path, as bindings to MPI need none, there is nothing
   * to look for.
   */
  private static void beginJavaCpp() {
    if (isBegun) {
      return;
    }
    isBegun = true;
    String before = System.getProperty(LOAD_LIBRARIES);
    boolean isAbsent = !hasJavaCppLibrary();
    try {
      if (isAbsent) {
        System.setProperty(LOAD_LIBRARIES, "false");
      }
      Class.forName(Pointer.class.getName());
      Class.forName(Loader.Helper.class.getName());
    } catch (ClassNotFoundException e) {
      throw new NoClassDefFoundError(e.getMessage());
    } finally {
      if (isAbsent && before == null) {
        System.clearProperty(LOAD_LIBRARIES);
      } else if (isAbsent) {
        System.setProperty(LOAD_LIBRARIES, before);
      }
    }
  }

  /** By the names on the class path, if JavaCPP has a jar of its own: to open all jars would take as long as the search. */
  private static boolean hasJavaCppLibrary() {
    String platform = Loader.getPlatform();
    boolean isPlain = false;
    for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
      String name = entry.substring(entry.lastIndexOf(File.separatorChar) + 1);
      if (name.startsWith("javacpp-")) {
        if (name.contains(platform)) {
          return true;
        }
        isPlain = true;
      }
    }
    return !isPlain && Loader.class.getResource(platform + "/" + System.mapLibraryName("jnijavacpp")) != null;
  }

  /** The folder that was named, if it exists. */
  private static Path folder() {
    String folder = System.getProperty(PROPERTY);
    if (folder == null) {
      return null;
    }
    Path path = Path.of(folder);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(PROPERTY + "=" + folder + " is not an absolute path");
    }
    return Files.isDirectory(path) ? path : null;
  }

  static void addTo(ClassProperties properties) {
    if (!Loader.isLoadLibraries()) {
      return; // they are being built
    }
    // Where natives of several flavours lie side by side, JavaCPP would take the first it finds. (It adds to the list.)
    properties.put("platform.extension", new ArrayList<>(List.of(Flavour.current().extension())));
    Path folder = folder();
    if (folder == null) {
      return;
    }
    // Both: JavaCPP looks for preloads in the one and for the binding itself in the other.
    properties.addAll("platform.preloadpath", folder.toString());
    properties.addAll("platform.linkpath", folder.toString());
  }
}
