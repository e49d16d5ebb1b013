// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.bindings.internal;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Locale;
import org.bytedeco.javacpp.Loader;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.NativeFolders;
import org.kintsugi.runtime.OptionalHome;
import org.kintsugi.runtime.internal.InstalledNatives;
import org.kintsugi.runtime.internal.PropertyNames;
import org.kintsugi.runtime.internal.VariableNames;

/**
 * Loads the native libraries.
 *
 * <p>The launcher unpacks them once, before any rank exists, and passes the folder to the ranks: {@value
 * PropertyNames#LIBRARY_PATH}. They are loaded from there as plain files, and ranks cannot race. Without the property (a program
 * under plain {@code mpirun} or java alone), or where the folder does not exist (on a host that does not share the launcher's
 * files), they are searched for in the launcher's order: the folder that {@value VariableNames#LIBRARY_PATH} names, those that
 * were compiled for the site's MPI if the jar is an installation's, the class path, the installation. Those in a jar are unpacked
 * into JavaCPP's cache. All JVMs of a user share that cache, and many ranks that start at once race on it (bytedeco/javacpp#608).
 *
 * <p>JavaCPP's own loader is not used. It took a third of the processor time of a rank's start (85
 * ms), and needs the presets, which are for the build. Its classes are not initialised either
 * ({@code exports.map}), except for the cache.
 */
public final class NativeLoader {
  private static final String PROPERTY = PropertyNames.LIBRARY_PATH;

  /** Needed by every binding; its constructor opens libmpi (library.c). */
  private static final String FIRST = "libkintsugi.so";

  /** The binding of SCR is linked against this library, which is in the same folder. */
  private static final String SCR = "libkintsugi_scr.so";

  /** The bindings of FTI find its library in the process. */
  private static final String FTI = "FTI";

  /** As JavaCPP's own loader has it. */
  private static final String LOAD_LIBRARIES = "org.bytedeco.javacpp.loadlibraries";

  private NativeLoader() {}

  /**
   * Loads the library of a class of bindings. Generated classes call this in place of
   * {@code Loader.load()} (bindings/pom.xml).
   *
   * @param bindings the class
   * @throws UnsatisfiedLinkError if the library is not found
   * @throws UnsupportedOperationException if it needs FTI, and FTI is not installed; the message
   *     names the folders that were searched
   */
  public static void load(Class<?> bindings) {
    if (!Boolean.parseBoolean(System.getProperty(LOAD_LIBRARIES, "true"))) {
      return; // it is being built
    }
    String name = "libjni" + bindings.getSimpleName() + ".so";
    Path folder = folder(name);
    boolean isUnpacked = folder != null;
    System.load((isUnpacked ? folder.resolve(FIRST) : onClassPath(FIRST)).toString());
    if (bindings.getSimpleName().equals(FTI)) {
      String fti = FTI.toLowerCase(Locale.ROOT);
      Path home = OptionalHome.find(fti, Flavour.current());
      System.load(OptionalHome.libraryFolder(home, fti).resolve("lib" + fti + ".so").toString());
    }
    if (!isUnpacked) {
      onClassPath(SCR);
    }
    System.load((isUnpacked ? folder.resolve(name) : onClassPath(name)).toString());
  }

  private static URL resource(String name) {
    return NativeLoader.class.getClassLoader().getResource(NativeFolders.of(Flavour.current()) + "/" + name);
  }

  /** A library of ours as a file, all of them in one folder. */
  private static Path onClassPath(String name) {
    URL found = resource(name);
    if (found == null) {
      throw new UnsatisfiedLinkError("no " + NativeFolders.of(Flavour.current()) + "/" + name + " on the class path, and no "
          + "folder of native libraries in -D" + PROPERTY + ": kintsugi-bindings has a jar of them for each machine and flavour, "
          + "and an installation has them in lib/natives" + (NativeLoader.class.getModule().isNamed()
              ? "; on a module path that jar is a module that no other requires: --add-modules org.kintsugi.natives."
                  + Flavour.current()
              : ""));
    }
    try {
      return found.getProtocol().equals("file") ? Path.of(found.toURI()) : Loader.cacheResource(found).toPath();
    } catch (IOException | URISyntaxException e) {
      UnsatisfiedLinkError error = new UnsatisfiedLinkError("cannot unpack " + found + ": " + e);
      error.initCause(e);
      throw error;
    }
  }

  /**
   * The folder that has a library as a plain file. Null if the library is on the class path, or not
   * found.
   */
  private static Path folder(String name) {
    Path named = named();
    if (has(named, name)) {
      return named; // as for each rank that jmpirun starts
    }
    String variable = System.getenv().getOrDefault(VariableNames.LIBRARY_PATH, "");
    if (!variable.isEmpty() && has(Path.of(variable).toAbsolutePath(), name)) {
      return Path.of(variable).toAbsolutePath();
    }
    InstalledNatives installed = installed();
    if (installed == null) {
      return null;
    }
    String flavour = Flavour.current().toString();
    String version = NativeLoader.class.getPackage().getImplementationVersion();
    Path site = installed.ofSite(flavour, version, System.getenv());
    if (has(site, name)) {
      return site;
    }
    return resource(name) == null && has(installed.own(flavour), name) ? installed.own(flavour) : null;
  }

  private static boolean has(Path folder, String name) {
    return folder != null && Files.exists(folder.resolve(name));
  }

  /** The natives beside the jar of this class. Null if that jar is not in an installation. */
  private static InstalledNatives installed() {
    CodeSource source = NativeLoader.class.getProtectionDomain().getCodeSource();
    try {
      return source == null || !source.getLocation().getProtocol().equals("file") ? null
          : InstalledNatives.beside(Path.of(source.getLocation().toURI()));
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /** The folder that was named, if it exists. */
  private static Path named() {
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
}
