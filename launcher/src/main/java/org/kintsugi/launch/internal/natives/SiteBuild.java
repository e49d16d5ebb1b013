// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.natives;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.internal.NativesRecord;

/**
 * Compiles the native libraries for an MPI of the site.
 *
 * <p>The sources are those of an installation. It needs a JDK and a compiler for C and C++, and
 * does what CMake and JavaCPP do in a checkout. native/libraries.properties lists the sources of
 * each library for both.
 */
public final class SiteBuild {
  private static final String HIDDEN = "hidden";
  private static final String JAVACPP = "jnijavacpp.cpp";
  private static final Pattern ASSERTED = Pattern.compile("\"?differs: (\\w+)");

  private final Path sources;
  private final MpiHome mpi;
  private final Path jni;
  private final Path work;
  private final Compilers compilers;
  private final boolean isFork;
  /** The sources of each library. */
  private final Properties lists;

  private SiteBuild(Path sources, MpiHome mpi, Path work, Compilers compilers) throws IOException {
    this.sources = sources;
    this.mpi = mpi;
    this.jni = sources.resolve("jni").resolve(mpi.flavour().toString());
    this.work = work;
    this.compilers = compilers;
    this.isFork = mpi.flavour() == Flavour.REINIT;
    lists = lists(sources);
  }

  /**
   * Compiles all into a folder.
   *
   * @param installation that has the sources
   * @param into is made, and must not be there
   * @throws LaunchException if something is missing, or does not compile; it names that
   */
  public static void run(Installation installation, MpiHome mpi, Path into, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path sources = installation.nativeSources();
    if (!Files.isDirectory(sources.resolve("jni").resolve(mpi.flavour().toString()))) {
      throw new LaunchException("this installation has no sources of native libraries for the flavour " + mpi.flavour() + " ("
          + sources + "/jni): it was made where no such MPI is. Name an MPI of another flavour (--mpi PREFIX)");
    }
    if (mpi.libraries() == null) {
      throw new LaunchException("no libmpi.so.40 in lib or lib64 of " + mpi.prefix()
          + ": its installation is not whole. Install it again, or name another one (--mpi PREFIX)");
    }
    Path work = Files.createTempDirectory("kintsugi-build-");
    try {
      SiteBuild build = new SiteBuild(sources, mpi, work, Compilers.find(environment, work));
      build.compareConstants();
      build.compile();
      build.link(Files.createDirectories(into));
    } finally {
      JobFolders.remove(work);
    }
    new NativesRecord(Installation.version(), mpi.flavour().toString(), String.valueOf(mpi.version())).writeTo(into);
  }

  private List<String> includes(String... folders) {
    List<String> words = new ArrayList<>();
    for (String folder : folders) {
      if (isFork || !folder.startsWith("reinit")) {
        words.add("-I" + sources.resolve(folder));
      }
    }
    words.addAll(compilers.javaIncludes());
    words.add("-I" + mpi.prefix().resolve("include")); // and not -isystem, by which /usr/include would come in another order
    return words;
  }

  /** The numbers of the MPI that the bindings' Java was generated for are part of that Java. */
  private void compareConstants() throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>(List.of("#include <mpi.h>", "#include <stddef.h>"));
    for (String constant : Files.readAllLines(jni.resolve("constants"))) {
      String name = constant.substring(0, constant.indexOf('='));
      lines.add("_Static_assert((" + name + ") == (" + constant.substring(name.length() + 1) + "), \"differs: " + name + "\");");
    }
    Path program = Files.write(work.resolve("constants.c"), lines);
    List<String> line = new ArrayList<>(List.of("-std=gnu11", "-fsyntax-only"));
    line.addAll(includes());
    line.add(program.toString());
    Compilers.Result result = compilers.c(line);
    if (result.isBad()) {
      String differing = ASSERTED.matcher(result.said()).results().map(match -> match.group(1)).distinct()
          .collect(Collectors.joining(", "));
      throw new LaunchException(differing.isEmpty() ? result.complaint("mpi.h", mpi)
          : mpi.prefix() + " (Open MPI " + mpi.version() + ") has other numbers in its mpi.h than the MPI that Kintsugi's Java "
              + "was generated for: " + differing + ". Name another one (--mpi PREFIX), or build Kintsugi for this one (in a "
              + "checkout: MPI_HOME=" + mpi.prefix() + " make dist)");
    }
  }

  private static Properties lists(Path sources) throws IOException {
    Properties lists = new Properties();
    try (Reader text = Files.newBufferedReader(sources.resolve("libraries.properties"))) {
      lists.load(text);
    }
    return lists;
  }

  /** The sources of a library or program; none if this flavour does not have it. */
  private List<String> sourcesOf(String name) {
    String all = lists.getProperty(name, "") + " " + (isFork ? lists.getProperty(name + ".reinit", "") : "");
    return Stream.of(all.split(" ")).filter(source -> !source.isEmpty()).toList();
  }

  private Path object(String source) {
    return work.resolve(source.replace('/', '-') + ".o");
  }

  private List<String> jniSources() throws IOException {
    try (Stream<Path> files = Files.list(jni)) {
      return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".cpp")).sorted().toList();
    }
  }

  /**
   * Compiles the sources, the longest first. The C++ of all of MPI takes the same time as the rest
   * together.
   */
  private void compile() throws IOException, InterruptedException {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (String source : jniSources()) {
      List<String> line = new ArrayList<>(List.of("-O3", "-fPIC", "-pthread", "-Wno-deprecated-declarations"));
      line.addAll(includes("reinit/include", "include", "scr/include"));
      line.addAll(List.of("-c", jni.resolve(source).toString(), "-o", object(source).toString()));
      lines.put(source, line);
    }
    List<String> hidden = List.of(lists.getProperty(HIDDEN).split(" "));
    for (String name : List.of("libkintsugi", "libkintsugi_scr", "libkintsugi_launcher", NativeLibraries.STARTER)) {
      for (String source : sourcesOf(name)) {
        List<String> line = new ArrayList<>(List.of("-O3", "-DNDEBUG", "-fPIC", "-ffp-contract=off", "-std=gnu11"));
        line.addAll(hidden.contains(source) ? List.of("-fvisibility=hidden") : List.of());
        line.addAll(isFork ? List.of("-DKINTSUGI_REINIT") : List.of());
        line.addAll(Files.exists(mpi.prefix().resolve("include/pmix.h")) ? List.of("-DKINTSUGI_HAVE_PMIX") : List.of());
        line.addAll(includes("include", "scr/include", "reinit/include"));
        line.addAll(List.of("-c", sources.resolve(source).toString(), "-o", object(source).toString()));
        lines.put(source, line);
      }
    }
    compilers.all(lines, mpi);
  }

  private void link(Path into) throws IOException, InterruptedException {
    String runPath = "-Wl,--enable-new-dtags,-rpath," + mpi.libraries() + ":$ORIGIN";
    Path mpiLibrary = mpi.libraries().resolve("libmpi.so.40");
    library("libkintsugi", into, List.of(runPath, "-ldl"), false);
    library("libkintsugi_scr", into,
        List.of(runPath, mpiLibrary.toString(), into.resolve("libkintsugi.so").toString(), "-ldl"), false);
    if (isFork) {
      library("libkintsugi_launcher", into, List.of("-ldl"), false);
    }
    List<String> program = new ArrayList<>();
    sourcesOf(NativeLibraries.STARTER).forEach(source -> program.add(object(source).toString()));
    program.addAll(List.of("-o", into.resolve(NativeLibraries.STARTER).toString()));
    compilers.c(program).require(NativeLibraries.STARTER, mpi);
    for (String source : jniSources()) {
      if (!source.equals(JAVACPP)) {
        library("lib" + source.substring(0, source.length() - ".cpp".length()), into, List.of(object(source).toString(),
            object(JAVACPP).toString(), runPath, "-s", "-Wl,-z,noexecstack,-Bsymbolic,--as-needed",
            "-Wl,--version-script," + jni.resolve("exports.map"),
            into.resolve("libkintsugi.so").toString(), into.resolve("libkintsugi_scr.so").toString(), mpiLibrary.toString()),
            true);
      }
    }
  }

  private void library(String name, Path into, List<String> words, boolean isCpp) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("-shared", "-fPIC", "-o", into.resolve(name + ".so").toString()));
    if (!isCpp) {
      line.add("-Wl,-soname," + name + ".so");
      sourcesOf(name).forEach(source -> line.add(object(source).toString()));
    }
    line.addAll(words);
    (isCpp ? compilers.cpp(line) : compilers.c(line)).require(name + ".so", mpi);
  }
}
