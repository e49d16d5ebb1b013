// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.natives;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.kintsugi.launch.internal.commandline.ClassPathEntry;
import org.kintsugi.launch.internal.commandline.JvmArguments;
import org.kintsugi.launch.internal.host.CacheFolder;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.internal.PropertyNames;

/**
 * A file with the classes that every rank loads (AppCDS).
 *
 * <p>It has them in the form that they have in the JVM's memory. With it the start of a rank takes
 * two thirds of the processor time. Where many ranks share few cores, that is most of the time of a
 * start.
 *
 * <p>A JVM uses an archive only if its class path begins with the jars from which the archive was
 * made, and if its version is the same. So an archive has only Kintsugi's jars, and ranks get those
 * jars first, before the user's class path. The archive is made when a job finds none, once per
 * user, Java, flavour and set of jars, by a job of one rank that runs a small program with a
 * recovery in it. A rank that cannot use the archive, or does not find it (on another host), starts
 * without it and without a message.
 *
 * @param file the archive
 * @param jars what it was made of, in this order
 */
public record ClassArchive(Path file, List<Path> jars) {
  /** A program in java-api that loads the classes that ranks load. */
  private static final String PROGRAM = "org.kintsugi.reinit.TypicalProgram";

  /**
   * One class of each module whose classes ranks load. It identifies the jar, whatever its name.
   */
  private static final List<String> KNOWN_BY = List.of("org/kintsugi/mpi/Mpi.class", "org/kintsugi/runtime/Flavour.class",
      "org/kintsugi/bindings/MPI.class", "org/bytedeco/javacpp/Pointer.class");

  /** Options with which the JVM uses an archive of the user's choice, or none. */
  private static final Pattern NOT_BESIDE =
      Pattern.compile("-Xshare:.*|-XX:(SharedArchiveFile|ArchiveClassesAtExit|SharedClassListFile|"
          + "AOT\\w+)=.*|-XX:\\+AutoCreateSharedArchive|-Xbootclasspath.*"
          + "|--(upgrade-module-path|patch-module|limit-modules)(=.*)?|-Djava\\.system\\.class\\.loader=.*");

  /** Limit of the job that writes an archive. */
  public static final int LIMIT_SECONDS = 30;

  /**
   * The time after a failure until another attempt. The host may have been busy, or the disk full.
   */
  private static final Duration RETRY = Duration.ofDays(1);
  private static final String SUFFIX = ".jsa";

  /** Since this version the JVM has another name for its messages about archives, which older ones do not know. */
  private static final int FIRST_WITH_OTHER_LOG = 24;

  /**
   * That of a job, made where there is none yet.
   *
   * @param natives their folder: they may be in a jar of their own, which the archive's class path does not have; null: the ranks
   *     find them
   * @param writer makes the archive
   * @return null if the job's ranks could not use one, or none can be made
   */
  public static ClassArchive of(JobSpec job, JvmArguments jvm, MpiHome mpi, Path natives, Map<String, String> environment,
      Writer writer) {
    if (!jvm.takesClassPath() || jvm.all().anyMatch(NOT_BESIDE.asMatchPredicate())) {
      return null;
    }
    try {
      List<Path> jars = kintsugiIn(jvm.classPath());
      // One jar with everything is the program's own, which is another one after each build: an archive for each costs more.
      if (jars.size() < 2) {
        return null;
      }
      Path cache = CacheFolder.make(environment);
      ClassArchive archive = new ClassArchive(cache.resolve(CacheFolder.CLASSES + stamp(jars, job.java(), mpi) + SUFFIX), jars);
      if (Files.exists(archive.file) && Files.size(archive.file) == 0) {
        if (Files.getLastModifiedTime(archive.file).toInstant().isAfter(Instant.now().minus(RETRY))) {
          return null;
        }
        Files.deleteIfExists(archive.file);
      }
      if (!CacheFolder.use(archive.file)) {
        CacheFolder.removeUnused(cache);
        archive.make(job.java(), mpi, natives, writer);
      }
      return Files.size(archive.file) == 0 ? null : archive;
    } catch (IOException noCache) {
      // A home that cannot be written to, or is not there: the ranks start as quickly as they do without.
      return null;
    }
  }

  /** The jars of a class path that have Kintsugi's classes; none if some of these are not in jars. Opens each jar once. */
  private static List<Path> kintsugiIn(List<ClassPathEntry> classPath) throws IOException {
    List<Path> jars = new ArrayList<>();
    Set<String> missing = new HashSet<>(KNOWN_BY);
    for (ClassPathEntry entry : classPath) {
      if (missing.isEmpty()) {
        break;
      }
      if (missing.removeAll(entry.which(missing))) {
        if (entry.isFolder() || !isPlain(entry.path().toRealPath())) {
          return List.of();
        }
        jars.add(entry.path());
      }
    }
    return missing.isEmpty() ? jars : List.of();
  }

  /**
   * Whether a JVM accepts a jar's path for an archive. It refuses blanks and other characters that
   * an address encodes.
   */
  private static boolean isPlain(Path jar) {
    return jar.toUri().getRawPath().equals(jar.toString());
  }

  /** The JVM looks at names, sizes and times of the jars as well, and at its own version. */
  private static String stamp(List<Path> jars, Path java, MpiHome mpi) throws IOException {
    StringBuilder all = new StringBuilder();
    Path home = java.toRealPath().getParent().getParent();
    all.append(home).append(' ').append(Files.getLastModifiedTime(java.toRealPath())).append(' ').append(mpi.flavour());
    for (Path jar : jars) {
      all.append('\n').append(jar).append(' ').append(Files.size(jar)).append(' ').append(Files.getLastModifiedTime(jar));
    }
    return UUID.nameUUIDFromBytes(all.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }

  /**
   * Written aside, then renamed: two jobs may do so at once. An empty file says that it has failed: it is not tried again for a
   * day.
   */
  private void make(Path java, MpiHome mpi, Path natives, Writer writer) throws IOException {
    Path aside = Files.createTempDirectory(file.getParent(), CacheFolder.ARCHIVING);
    try {
      Path made = aside.resolve(file.getFileName());
      List<String> options = new ArrayList<>(List.of("-cp", classPath()));
      if (natives != null) {
        options.add(0, "-D" + PropertyNames.LIBRARY_PATH + "=" + natives);
      }
      int code = writer.write(made, java, mpi, options, aside.resolve("output"));
      if (code != 0) {
        // A JVM that fails also writes an archive, of the few classes that it has loaded.
        Files.deleteIfExists(made);
      }
      if (!Files.exists(made)) {
        Files.createFile(made);
      }
      Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      JobFolders.remove(aside);
    }
  }

  /** Runs a job that writes an archive, with {@link #writerArguments}. */
  public interface Writer {
    /**
     * Writes it.
     *
     * @param classes options of the JVM that say where its classes are
     * @param output gets the output of the rank
     * @return the job's exit code; with another than 0 there may be no archive
     */
    int write(Path archive, Path java, MpiHome mpi, List<String> classes, Path output);
  }

  /** The words of a rank that writes an archive at its end. */
  public static List<String> writerArguments(Path archive, List<String> classes) {
    List<String> line = new ArrayList<>(List.of("-XX:ArchiveClassesAtExit=" + archive));
    line.addAll(classes);
    line.add(PROGRAM);
    return line;
  }

  private String classPath() {
    return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * The JVM's options with which it takes this archive if it can, and is silent if it cannot.
   *
   * @param java the JVM's version, 17 for instance
   * @return options of the command java
   */
  public List<String> options(int java) {
    List<String> options = new ArrayList<>(List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
    if (java >= FIRST_WITH_OTHER_LOG) {
      options.add("-Xlog:aot=off");
    }
    return options;
  }

  /** A class path that begins with the jars and then is the user's, in which they may come once more. */
  public String before(String users) {
    return classPath() + File.pathSeparator + users;
  }
}
