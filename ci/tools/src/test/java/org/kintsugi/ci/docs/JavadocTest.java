// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.checkout.Checkout;

/**
 * Public methods are described completely: every parameter, every result. The build has javac check that as well, but javac
 * passes over the public methods that a public class inherits from one that is not public, as {@code Checkpoint} does from
 * {@code Protection}.
 */
class JavadocTest {
  private static final Path SOURCES =
      Checkout.FOLDER.resolve("java-api/src/main/java");
  private static final Pattern EXPORTED = Pattern.compile("(?m)^  exports ([\\w.]+);$");
  private static final Pattern MISSING = Pattern.compile("no @\\w+.*|no comment.*");

  /** A program is started, not called. */
  private static final Pattern FOR_USERS = Pattern.compile("\\s*(public|protected) (?!static void main\\(String).*");

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("module-info.java")).toList();
    }
  }

  private static String exported() throws IOException {
    return EXPORTED.matcher(Files.readString(SOURCES.resolve("module-info.java"))).results().map(name -> name.group(1))
        .collect(Collectors.joining(","));
  }

  /** javac and javadoc ask for whole descriptions in these packages. */
  @Test
  void theBuildKnowsAllPackagesOfUsers() throws IOException {
    assertThat(exported()).contains("org.kintsugi.mpi");
    assertThat(Files.readString(SOURCES.resolve("../../../pom.xml")))
        .contains("<kintsugi.exported>" + exported() + "</kintsugi.exported>");
  }

  @Test
  void parametersAndResultsAreDescribed() throws IOException {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    List<String> options = List.of("-proc:none", "-Xmaxwarns", "10000", "-Xdoclint:missing/package",
        "-Xdoclint/package:" + exported(), "-cp",
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    List<String> missing = new ArrayList<>();
    try (StandardJavaFileManager files = javac.getStandardFileManager(said, Locale.ROOT, null)) {
      // Nothing is written.
      JavacTask task =
          (JavacTask) javac.getTask(null, files, said, options, null, files.getJavaFileObjectsFromPaths(sources()));
      task.analyze();
      assertThat(said.getDiagnostics()).noneMatch(one -> one.getKind() == Diagnostic.Kind.ERROR);
      for (Diagnostic<? extends JavaFileObject> one : said.getDiagnostics()) {
        if (MISSING.matcher(one.getMessage(Locale.ROOT)).matches()) {
          Path file = Path.of(one.getSource().toUri());
          String line = Files.readAllLines(file).get((int) one.getLineNumber() - 1);
          if (FOR_USERS.matcher(line).matches()) {
            missing.add(SOURCES.relativize(file) + ":" + one.getLineNumber() + ": " + one.getMessage(Locale.ROOT));
          }
        }
      }
    }
    assertThat(missing).isEmpty();
    // Had it asked for nothing, it would find nothing: what is not for users is not described as a whole.
    assertThat(said.getDiagnostics()).anyMatch(one -> MISSING.matcher(one.getMessage(Locale.ROOT)).matches());
  }
}
