// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.kintsugi.launch.Job;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.NativeFolders;

/**
 * How ranks of tests get this JVM's classes: from jars, with an archive of those that nearly every rank loads (AppCDS). A job
 * then costs two thirds of the processor time, and most of the time of all tests is the start of ranks.
 *
 * <p>The JVM takes an archive only with jars on the class path, so each folder becomes a jar. Jars and archives are made once by
 * each JVM that runs tests, beside the folders, and removed when that JVM ends: they are never older than the classes.
 */
final class RankClasses {
  private static final String VERSIONS = "META-INF/versions";

  private static RankClasses instance;

  private final List<String> path = new ArrayList<>();
  /** The first folder of the class path; null if all classes are in jars. */
  private Path firstFolder;
  private final Map<Flavour, Path> natives = new EnumMap<>(Flavour.class);
  private final Map<Flavour, List<String>> archives = new EnumMap<>(Flavour.class);

  private RankClasses() throws IOException {
    // Each once: Maven names a folder twice that a module's natives are in, too.
    for (String entry : new LinkedHashSet<>(List.of(System.getProperty("java.class.path").split(File.pathSeparator)))) {
      Path folder = Path.of(entry);
      if (Files.isDirectory(folder)) {
        for (Flavour flavour : Flavour.values()) {
          Path libraries = folder.resolve(NativeFolders.of(flavour));
          if (Files.isDirectory(libraries)) {
            natives.put(flavour, libraries);
          }
        }
        firstFolder = firstFolder == null ? folder : firstFolder;
        path.add(jarOf(folder, beside(folder, folder.getFileName() + ".jar"), false).toString());
      } else if (Files.exists(folder)) {
        path.add(entry);
      }
    }
  }

  /**
   * The JVM's options for the classes of ranks.
   *
   * @param mpi what they run under
   * @param isThisJava whether the java that runs tests is that of the ranks: no other one takes the archive
   */
  static synchronized List<String> options(MpiHome mpi, boolean isThisJava) {
    try {
      if (instance == null) {
        instance = new RankClasses();
      }
      List<String> options = new ArrayList<>();
      if (isThisJava) {
        if (!instance.archives.containsKey(mpi.flavour())) {
          instance.archives.put(mpi.flavour(), instance.archive(mpi));
        }
        options.addAll(instance.archives.get(mpi.flavour()));
      }
      options.addAll(instance.plain(mpi));
      return options;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The JVM's options for classes whose jars have the native libraries in them, too.
   *
   * @param target the folder to write the jars to
   */
  static List<String> withNatives(Path target) throws IOException {
    List<String> path = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path folder = Path.of(entry);
      // All folders are called "classes".
      Path jar = target.resolve("classes-" + path.size() + ".jar");
      path.add(Files.isDirectory(folder) ? jarOf(folder, jar, true).toString() : entry);
    }
    return List.of("-cp", String.join(File.pathSeparator, path));
  }

  private List<String> plain(MpiHome mpi) {
    List<String> options = new ArrayList<>();
    if (natives.containsKey(mpi.flavour())) {
      options.add("-Dkintsugi.library.path=" + natives.get(mpi.flavour()));
    }
    options.addAll(List.of("-cp", String.join(File.pathSeparator, path)));
    return options;
  }

  /** There a class that asks where it was loaded from finds other files of the project as it does from its folder. */
  private static Path beside(Path folder, String name) {
    Path file = folder.toAbsolutePath().normalize().resolveSibling("ranks-" + ProcessHandle.current().pid() + "-" + name);
    file.toFile().deleteOnExit();
    return file;
  }

  /** Makes a jar of all that is in a folder; the native libraries are left out where not asked for. */
  private static Path jarOf(Path folder, Path jar, boolean withNatives) throws IOException {
    Path absolute = folder.toAbsolutePath().normalize();
    try (OutputStream bytes = Files.newOutputStream(jar); ZipOutputStream zip = new ZipOutputStream(bytes);
        Stream<Path> files = Files.walk(absolute)) {
      zip.setLevel(Deflater.NO_COMPRESSION);
      if (Files.isDirectory(absolute.resolve(VERSIONS))) {
        // Newer Javas then take classes of their own, as from the jars that users get.
        zip.putNextEntry(new ZipEntry(JarFile.MANIFEST_NAME));
        zip.write("Manifest-Version: 1.0\nMulti-Release: true\n".getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = absolute.relativize(file).toString();
        if (withNatives || !name.startsWith(NativeFolders.prefix())) {
          zip.putNextEntry(new ZipEntry(name));
          Files.copy(file, zip);
          zip.closeEntry();
        }
      }
    }
    return jar;
  }

  /** Nothing where that fails: ranks then start as slowly as they do for users without one. */
  private List<String> archive(MpiHome mpi) throws IOException {
    if (firstFolder == null) {
      return List.of();
    }
    Path archive = beside(firstFolder, mpi.flavour() + ".jsa");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-archive-")) {
      Path output = folder.path().resolve("output");
      int code = Job.writeClassArchive(archive, java, mpi, plain(mpi), output);
      if (code != 0 || !Files.exists(archive)) {
        System.out
            .println("no archive of classes, tests are slower: the job ended with " + code + ":\n" + Files.readString(output));
        return List.of();
      }
    }
    return Job.classArchiveOptions(archive, Runtime.version().feature());
  }
}
