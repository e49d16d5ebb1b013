// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.natives;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.MpiHome;

/**
 * This machine's compilers for C and C++, and the JDK whose headers they need.
 *
 * @param c {@code $CC}, or cc
 * @param cpp {@code $CXX}, or c++
 * @param jdk the folder of a JDK
 * @param work where their output is kept meanwhile
 */
record Compilers(String c, String cpp, Path jdk, Path work) {
  private static final int LIMIT_SECONDS = 600;
  private static final int LINES = 15;
  private static final String HEADER = "include/jni.h";

  /** @throws LaunchException if one is missing */
  static Compilers find(Map<String, String> environment, Path work) {
    String c = named(environment, "CC", "cc", "gcc");
    String cpp = named(environment, "CXX", "c++", "g++");
    for (String home : new String[] {System.getProperty("java.home"), environment.getOrDefault("JAVA_HOME", "")}) {
      if (!home.isEmpty() && Files.exists(Path.of(home, HEADER))) {
        return new Compilers(c, cpp, Path.of(home), work);
      }
    }
    throw new LaunchException(
        "no " + HEADER + " in " + System.getProperty("java.home") + ": a JDK is needed, a JRE is not enough. "
            + "Install one (Debian: default-jdk-headless), and set JAVA_HOME to its folder");
  }

  private static String named(Map<String, String> environment, String variable, String usual, String debianPackage) {
    String name = environment.getOrDefault(variable, "");
    String command = name.isEmpty() ? usual : name;
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
      if (Files.isExecutable(Path.of(folder.isEmpty() ? "." : folder).resolve(command))) {
        return command;
      }
    }
    throw new LaunchException("no " + command + " on the PATH" + (name.isEmpty() ? "" : " (" + variable + "=" + name + ")")
        + ": install a compiler for C and C++ (Debian: " + debianPackage + "), or set " + variable + " to one");
  }

  List<String> javaIncludes() {
    return List.of("-I" + jdk.resolve("include"), "-I" + jdk.resolve("include/linux"));
  }

  Result c(List<String> words) throws IOException, InterruptedException {
    return run(c, words);
  }

  Result cpp(List<String> words) throws IOException, InterruptedException {
    return run(cpp, words);
  }

  /** Compiles all, by their names, with as many at a time as there are processors. */
  void all(Map<String, List<String>> lines, MpiHome mpi) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      Map<String, Future<Result>> results = new LinkedHashMap<>();
      lines.forEach((source, line) -> results.put(source,
          threads.submit(() -> run(source.endsWith(".cpp") ? cpp : c, line))));
      for (Map.Entry<String, Future<Result>> result : results.entrySet()) {
        try {
          result.getValue().get().require(result.getKey(), mpi);
        } catch (ExecutionException e) {
          throw new IOException(result.getKey() + ": " + e.getCause().getMessage(), e);
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Result run(String command, List<String> words) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(command));
    line.addAll(words);
    Path output = Files.createTempFile(work, "said", "");
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile())
        .redirectInput(new File("/dev/null"));
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    try {
      int code = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : -1;
      return new Result(command, code, Files.readString(output, StandardCharsets.ISO_8859_1)
          + (code < 0 ? command + " has not ended after " + LIMIT_SECONDS + " s\n" : ""));
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * The result of a call.
   *
   * @param command the compiler
   * @param code its exit code
   * @param said the output on both of its streams
   */
  record Result(String command, int code, String said) {
    boolean isBad() {
      return code != 0;
    }

    String complaint(String what, MpiHome mpi) {
      return command + " cannot make " + what + " for " + mpi.prefix() + " (Open MPI " + mpi.version() + "):\n"
          + String.join("\n", said.lines().limit(LINES).toList());
    }

    void require(String what, MpiHome mpi) {
      if (isBad()) {
        throw new LaunchException(complaint(what, mpi));
      }
    }
  }
}
