// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.natives;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.kintsugi.launch.internal.commandline.ClassPathEntry;
import org.kintsugi.launch.internal.commandline.JvmArguments;
import org.kintsugi.launch.internal.commandline.ProgramClass;
import org.kintsugi.launch.internal.host.CacheFolder;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.NativeFolders;
import org.kintsugi.runtime.internal.NativesRecord;
import org.kintsugi.runtime.internal.PropertyNames;
import org.kintsugi.runtime.internal.VariableNames;

/**
 * The native libraries of a program as plain files.
 *
 * <p>The launcher unpacks those of the class path before the ranks start, into the user's cache folder of Kintsugi. Otherwise
 * each rank would unpack them into JavaCPP's cache folder, and a rank could load a file that another one is still writing
 * (bytedeco/javacpp#608).
 */
public final class NativeLibraries {
  /** Starts the ranks under the Reinit++ fork; see {@link ReinitFlags}. */
  public static final String STARTER = "kintsugi-rank";

  /** The file that marks natives in a jar. A search in many large jars would be slow. */
  private static final String ALWAYS_THERE = "libkintsugi.so";

  /** Preloaded into the launcher of the Reinit++ fork. */
  private static final String PRELOADED = "libkintsugi_launcher.so";

  private NativeLibraries() {}

  /**
   * The folder of the native libraries for an MPI. It is the first of: the folder that the user has named, by property or by
   * variable; the site's, compiled by {@code kintsugi build}; that of the class path; the installation's. Null if
   * there is no installation and the class path shows none of any flavour (the ranks then find theirs by themselves).
   *
   * @param installation that the launcher runs from, or null
   * @throws LaunchException if there are none that fit; it names each place that was looked at
   */
  public static Path unpacked(JvmArguments arguments, MpiHome mpi, Map<String, String> environment, Installation installation) {
    Path named = arguments.libraries();
    if (named != null) {
      return requireFit(named, mpi, "-D" + PropertyNames.LIBRARY_PATH);
    }
    Path variable = ofVariable(environment);
    if (variable != null) {
      return requireFit(variable, mpi, VariableNames.LIBRARY_PATH);
    }
    List<String> passedOver = new ArrayList<>(
        List.of("-D" + PropertyNames.LIBRARY_PATH + " (not set)", VariableNames.LIBRARY_PATH + " (not set)"));
    Path site = ofSite(mpi, environment, installation, passedOver);
    if (site != null) {
      return site;
    }
    List<ClassPathEntry> shown = onClassPath(arguments, mpi.flavour());
    for (ClassPathEntry entry : shown) {
      Path natives =
          entry.isFolder() ? entry.path().resolve(folder(mpi.flavour())) : unpack(entry.path(), mpi.flavour(), environment);
      String objection = objectionToVersion(natives, arguments);
      if (objection != null) {
        throw new LaunchException(entry + ": " + objection);
      }
      if (fits(natives, mpi, "the class path: " + entry + ": ", passedOver)) {
        return natives;
      }
    }
    if (shown.isEmpty()) {
      passedOver.add("the class path (no " + folder(mpi.flavour()) + ALWAYS_THERE + " in it)");
    }
    Path installed = installation == null ? null : installation.natives(mpi.flavour());
    if (installed != null && fits(installed, mpi, "", passedOver)) {
      return installed;
    }
    if (shown.isEmpty()) {
      requireNoneOfTheOther(arguments, mpi, passedOver);
    }
    if (installation == null && shown.isEmpty()) {
      return null;
    }
    throw new LaunchException("no native libraries of Kintsugi for " + mpi.prefix() + " (flavour " + mpi.flavour()
        + "); looked at " + String.join(", ", passedOver) + ". "
        + (installation == null
            ? "Have those on the class path that were made for it (make publish-local in a checkout of Kintsugi, with MPI_HOME="
                + mpi.prefix() + ")"
            : "Compile them (kintsugi build --mpi " + mpi.prefix() + ")")
        + ", or name another MPI (--mpi PREFIX)");
  }

  private static void requireNoneOfTheOther(JvmArguments arguments, MpiHome mpi, List<String> passedOver) {
    Flavour other = mpi.flavour() == Flavour.ULFM ? Flavour.REINIT : Flavour.ULFM;
    List<ClassPathEntry> shown = onClassPath(arguments, other);
    if (!shown.isEmpty()) {
      throw new LaunchException("the program has Kintsugi's natives of the flavour " + other + " (" + shown.get(0)
          + "), but " + mpi.prefix() + " is of the flavour " + mpi.flavour() + ", and the two do not mix; looked at "
          + String.join(", ", passedOver) + ". Have "
          + artifact(mpi.flavour()) + " on the class path, which is made where "
          + (mpi.flavour() == Flavour.REINIT ? "the Reinit++ fork" : "an Open MPI with ULFM")
          + " is installed, or name an MPI of the flavour " + other + " (--mpi PREFIX, --flavour " + other + ")");
    }
  }

  /** The entries of the class path that have those of a flavour. */
  private static List<ClassPathEntry> onClassPath(JvmArguments arguments, Flavour flavour) {
    return arguments.classPath().stream().filter(entry -> entry.has(folder(flavour) + ALWAYS_THERE)).toList();
  }

  /** Why natives differ from the Java beside them; null: no reason is known. */
  private static String objectionToVersion(Path natives, JvmArguments arguments) {
    NativesRecord record = NativesRecord.of(natives);
    String version = record == null ? null : new ProgramClass(arguments).versionOfApi();
    return version == null || version.equals(record.kintsugi()) ? null
        : "these native libraries are of Kintsugi " + record.kintsugi() + ", and the class path has Kintsugi " + version
            + ": take the same version of both (the BOM org.kintsugi:kintsugi-bom does)";
  }

  /** The Maven artifact from which a program gets them. */
  public static String artifact(Flavour flavour) {
    String folder = NativeFolders.of(flavour);
    return "kintsugi-bindings with the classifier " + folder.substring(folder.lastIndexOf('/') + 1);
  }

  private static Path ofSite(MpiHome mpi, Map<String, String> environment, Installation installation, List<String> passedOver) {
    for (SiteFile file : SiteFile.all(environment, installation)) {
      Path folder = file.named(mpi.flavour());
      if (folder == null) {
        passedOver.add("the site's file " + file.path() + (Files.exists(file.path()) ? " (names none)" : " (not there)"));
        continue;
      }
      NativesRecord record = NativesRecord.of(folder);
      if (record != null && !record.kintsugi().equals(Installation.version())) {
        // Not in a checkout either: its natives change with its classes, but its version does not.
        passedOver.add("the site's file " + file.path() + ": " + folder + " (compiled from Kintsugi " + record.kintsugi()
            + ", and this is " + (Installation.version() == null ? "a checkout" : Installation.version()) + ")");
      } else if (fits(folder, mpi, "the site's file " + file.path() + ": ", passedOver)) {
        return folder;
      }
    }
    return null;
  }

  /** Whether natives exist, and no reason against them is known. */
  private static boolean fits(Path folder, MpiHome mpi, String saidBy, List<String> passedOver) {
    String objection = Files.exists(folder.resolve(ALWAYS_THERE)) ? objection(folder, mpi)
        : "no " + ALWAYS_THERE + " in it";
    if (objection != null) {
      passedOver.add(saidBy + folder + " (" + objection + ")");
    }
    return objection == null;
  }

  /**
   * Why libraries do not fit an MPI; null if no reason is known.
   *
   * <p>Within a major version Open MPI only adds to what a library is compiled against.
   */
  private static String objection(Path folder, MpiHome mpi) {
    NativesRecord record = NativesRecord.of(folder);
    if (record == null) {
      return null;
    }
    String version = mpi.version();
    String are = "they were compiled against an Open MPI " + record.mpiVersion() + " (flavour " + record.flavour() + "), and "
        + mpi.prefix() + " is ";
    if (!record.flavour().equals(mpi.flavour().toString())) {
      return are + "of the flavour " + mpi.flavour();
    }
    if (version == null || !record.mpiVersion().matches("\\d+\\.\\d+\\..*")) {
      return null; // The ranks compare what they have loaded.
    }
    return number(version, 0) == number(record.mpiVersion(), 0) && number(version, 1) >= number(record.mpiVersion(), 1) ? null
        : are + version;
  }

  private static int number(String version, int index) {
    return Integer.parseInt(version.split("\\.")[index]);
  }

  /** The folder that the user has named. Other hosts use it, too, so it must be absolute. */
  private static Path requireFit(Path folder, MpiHome mpi, String saidBy) {
    if (!folder.isAbsolute() || !Files.exists(folder.resolve(ALWAYS_THERE))) {
      throw new LaunchException(saidBy + "=" + folder + ": " + (folder.isAbsolute()
          ? "no " + ALWAYS_THERE + " in it" : "not an absolute path")
          + ". Set it to a folder of Kintsugi's native libraries, or leave it out");
    }
    String objection = objection(folder, mpi);
    if (objection != null) {
      throw new LaunchException(saidBy + "=" + folder + ": these native libraries do not fit: " + objection + ". Name others, or "
          + "compile some for this MPI (kintsugi build --mpi " + mpi.prefix() + ")");
    }
    return folder;
  }

  /** Null if the user has named none. */
  private static Path ofVariable(Map<String, String> environment) {
    String folder = environment.getOrDefault(VariableNames.LIBRARY_PATH, "");
    if (folder.isEmpty()) {
      return null;
    }
    return Path.of(folder);
  }

  /**
   * The library that is preloaded into mpirun and its daemons (native/reinit/launcher.c).
   *
   * @param natives the folder of the natives, or null
   * @return its path; null where there is none, or one that LD_PRELOAD cannot take
   */
  public static String preloaded(Path natives) {
    if (natives == null || !Files.exists(natives.resolve(PRELOADED))) {
      return null;
    }
    String path = natives.resolve(PRELOADED).toString();
    return path.matches(".*[:\\s'\"].*") ? null : path;
  }

  private static String folder(Flavour flavour) {
    return NativeFolders.of(flavour) + "/";
  }

  /**
   * Unpacks natives into the user's cache.
   *
   * <p>The name says what they are. They are written aside, then renamed, so that the folder is
   * always complete.
   */
  private static Path unpack(Path jar, Flavour flavour, Map<String, String> environment) {
    Path aside = null;
    try (JarFile file = new JarFile(jar.toFile())) {
      SortedMap<String, JarEntry> natives = natives(file, folder(flavour));
      Path folder = CacheFolder.of(environment).resolve(CacheFolder.NATIVES + flavour + "-" + stamp(natives));
      if (CacheFolder.use(folder)) {
        return CacheFolder.requireOurs(folder);
      }
      Path cache = CacheFolder.make(environment);
      CacheFolder.removeUnused(cache);
      aside = Files.createTempDirectory(cache, CacheFolder.UNPACKING);
      for (Map.Entry<String, JarEntry> one : natives.entrySet()) {
        try (InputStream bytes = file.getInputStream(one.getValue())) {
          write(bytes, aside.resolve(one.getKey()));
        }
      }
      try {
        Files.move(aside, folder);
      } catch (FileAlreadyExistsException | DirectoryNotEmptyException somebodyElseWasFirst) {
        // Another job has unpacked the same files.
      }
      return CacheFolder.requireOurs(folder);
    } catch (IOException e) {
      throw new LaunchException("cannot unpack the native libraries of " + jar + ": " + e + ". If that names the cache "
          + CacheFolder.of(environment) + ", set XDG_CACHE_HOME to a folder that this user may write to", e);
    } finally {
      if (aside != null) {
        JobFolders.remove(aside);
      }
    }
  }

  /** The natives in a jar, by the names that their files get. */
  private static SortedMap<String, JarEntry> natives(JarFile file, String folder) {
    SortedMap<String, JarEntry> natives = new TreeMap<>();
    file.stream().filter(entry -> entry.getName().startsWith(folder)).forEach(entry -> {
      String name = entry.getName().substring(folder.length());
      if (name.equals(STARTER) || name.equals(NativesRecord.FILE) || name.matches("[^/]+\\.so")) {
        natives.put(name, entry);
      }
    });
    return natives;
  }

  /** A stamp that differs if any library does. The jar's time and size do not show that. */
  private static String stamp(SortedMap<String, JarEntry> natives) {
    StringBuilder all = new StringBuilder();
    natives.forEach((name, entry) -> all.append(name).append(' ').append(entry.getCrc()).append(' ').append(entry.getSize())
        .append('\n'));
    return UUID.nameUUIDFromBytes(all.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }

  /**
   * Writes a file to the disk. The folder, once renamed, counts as complete, so this must come
   * first.
   */
  private static void write(InputStream bytes, Path file) throws IOException {
    Files.copy(bytes, file);
    // A jar does not say what may be run.
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (FileChannel written = FileChannel.open(file, StandardOpenOption.WRITE)) {
      written.force(true);
    }
  }
}
