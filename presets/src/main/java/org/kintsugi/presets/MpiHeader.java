// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the names in {@code mpi.h} that {@link MpiPreset} must describe to JavaCPP before it parses the header. They differ from
 * one release of Open MPI to the next.
 */
final class MpiHeader {
  /** Handles ({@code MPI_COMM_WORLD}) and special addresses ({@code MPI_IN_PLACE}): macros, not declared constants. */
  private static final Pattern ADDRESS_CONSTANT = Pattern.compile(
      "^#define\\s+(MPI_\\w+)\\s+(?:OMPI_PREDEFINED_GLOBAL\\s*\\(|\\(\\()\\s*(\\w+ ?\\**)(?:,|\\) *(?:NULL|\\d)\\))",
      Pattern.MULTILINE);

  /** The attribute functions ({@code MPI_COMM_NULL_COPY_FN}): macros that stand for C functions. */
  private static final Pattern FUNCTION_CONSTANT =
      Pattern.compile("^#define\\s+(MPI_\\w+_FN)\\s+OMPI_C_", Pattern.MULTILINE);

  /** Macros that stand for a type or for another function's name: Java has no equivalent. */
  private static final Pattern TYPE_MACRO =
      Pattern.compile("^#\\s*define\\s+(OMPI_MPI_\\w+|OMPI_OFFSET_DATATYPE|ompi_\\w+_t|MPIO_\\w+)\\s", Pattern.MULTILINE);

  /** Functions and types that MPI 3.0 removed: macros that make the compiler fail with a message. */
  private static final Pattern REMOVED =
      Pattern.compile("^#\\s*define\\s+(MPI_\\w+)(?:\\([^)]*\\))?\\s+THIS_\\w+", Pattern.MULTILINE);

  private static final Pattern OPAQUE_STRUCT = Pattern.compile("typedef struct (\\w+) \\*MPI_");
  private static final Pattern GLOBAL_OBJECT = Pattern.compile("\\bextern struct \\w+ (\\w+)(?:\\s|;|__)");
  private static final Pattern PROFILING_NAME = Pattern.compile("\\b(PMPI_\\w+)\\s*\\(");

  private static final Pattern MACRO = Pattern.compile("^#\\s*define\\s+(MPI_\\w+)", Pattern.MULTILINE);

  private final String text;
  private final Set<String> defined;

  private MpiHeader(String text, Set<String> defined) {
    this.text = text;
    this.defined = defined;
  }

  /**
   * Reads the header, and asks the preprocessor which of its macros this build of Open MPI defines.
   *
   * @param includePath the include folders of the build, separated as in a class path
   */
  static MpiHeader read(String includePath) {
    Path header = null;
    for (String folder : includePath.split(File.pathSeparator)) {
      header = header == null && Files.exists(Path.of(folder, "mpi.h")) ? Path.of(folder, "mpi.h") : header;
    }
    if (header == null) {
      throw new IllegalStateException("no mpi.h in " + includePath);
    }
    try {
      return new MpiHeader(Files.readString(header), definedMacros(header));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + header + ": is it whole?", e);
    }
  }

  /** The C type of each handle and special address that is defined, by its name. */
  Map<String, String> addressConstants() {
    Map<String, String> types = new TreeMap<>();
    Matcher matcher = ADDRESS_CONSTANT.matcher(text);
    while (matcher.find()) {
      if (defined.contains(matcher.group(1))) {
        types.put(matcher.group(1), matcher.group(2));
      }
    }
    return types;
  }

  /** Macros in the text of the header that the preprocessor does not define. */
  String[] undefinedMacros() {
    Set<String> names = new TreeSet<>(List.of(all(MACRO)));
    names.removeAll(defined);
    return names.toArray(new String[0]);
  }

  String[] removed() {
    return all(REMOVED);
  }

  private static Set<String> definedMacros(Path header) throws IOException {
    Process compiler = new ProcessBuilder("g++", "-x", "c++", "-E", "-dM", header.toString()).start();
    compiler.getOutputStream().close();
    String macros = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String errors = new String(compiler.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (compiler.waitFor() != 0) {
        throw new IOException("g++ cannot preprocess " + header + ": " + errors);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while preprocessing " + header);
    }
    Set<String> names = new TreeSet<>();
    Matcher matcher = MACRO.matcher(macros);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  String[] functionConstants() {
    return all(FUNCTION_CONSTANT);
  }

  String[] typeMacros() {
    return all(TYPE_MACRO);
  }

  String[] opaqueStructs() {
    return all(OPAQUE_STRUCT);
  }

  String[] globalObjects() {
    return all(GLOBAL_OBJECT);
  }

  String[] profilingNames() {
    return all(PROFILING_NAME);
  }

  private String[] all(Pattern pattern) {
    TreeSet<String> names = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names.toArray(new String[0]);
  }
}
