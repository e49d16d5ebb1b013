// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.ci.docs.Manual.Block;
import org.kintsugi.test.RankJob;

/** The manual's examples: all Java is compiled; recipes run by their commands, and print the output on the page. */
class ManualExamplesTest {
  private static final Path RECIPES = Manual.DOCS.resolve("recipes.md");
  private static final String IMPORTS = "import java.util.*;\nimport java.util.stream.*;\nimport org.kintsugi.checkpoint.*;\n"
      + "import org.kintsugi.mpi.*;\nimport org.kintsugi.persist.*;\nimport org.kintsugi.reinit.*;\n"
      + "import org.kintsugi.test.*;\nimport org.kintsugi.test.cluster.*;\nimport org.junit.jupiter.api.Test;\n"
      + "import static org.junit.jupiter.api.Assertions.*;\n";
  private static final int LIMIT_SECONDS = 60;

  @TempDir
  private Path folder;

  static List<Path> pagesWithJava() throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path page : Manual.pages()) {
      if (Manual.blocks(page).stream().anyMatch(block -> block.language().equals("java"))) {
        all.add(page);
      }
    }
    return all;
  }

  /** The sources that a page's blocks make, by the names of their classes. */
  private static Map<String, String> sources(Path page) throws IOException {
    Map<String, String> sources = new TreeMap<>();
    String imports = "";
    for (Block block : Manual.blocks(page)) {
      if (!block.language().equals("java")) {
        continue;
      }
      if (block.isImports()) {
        imports = block.text();
      } else if (block.context() != null) {
        String name = "Fragment" + sources.size();
        assertThat(block.context()).as("what a fragment of %s is compiled in", page).contains("BODY");
        sources.put(name, IMPORTS + "class " + name + " {\n" + block.context().replace("BODY", "\n" + block.text()) + "\n}\n");
      } else {
        assertThat(block.mainClass()).as("a class, or a comment that says what it is compiled in, in front of\n%s", block.text())
            .isNotNull();
        assertThat(sources).doesNotContainKey(block.mainClass());
        sources.put(block.mainClass(), imports + block.text());
      }
    }
    return sources;
  }

  private void compile(Path page) throws IOException {
    List<String> line = new ArrayList<>(List.of("-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"),
        "-d", folder.toString()));
    for (Map.Entry<String, String> source : sources(page).entrySet()) {
      line.add(Files.writeString(folder.resolve(source.getKey() + ".java"), source.getValue()).toString());
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int code = ToolProvider.getSystemJavaCompiler().run(null, said, said, line.toArray(new String[0]));
    assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isZero();
  }

  @ParameterizedTest
  @MethodSource("pagesWithJava")
  void javaIsCompiled(Path page) throws IOException {
    compile(page);
  }

  /** Wrong Java is not passed over. */
  @Test
  void noPageWithJavaIsMissed() throws IOException {
    assertThat(pagesWithJava()).extracting(page -> page.getFileName().toString()).contains("checkpoints.md", "first-program.md",
        "from-openmpi-java.md", "index.md", "persistent-communicators.md", "recipes.md", "testing.md");
    assertThat(sources(RECIPES)).hasSizeGreaterThan(12).containsKeys("Halo", "OneSided");
  }

  @Test
  void xmlIsWellFormed() throws Exception {
    int count = 0;
    for (Path page : Manual.pages()) {
      for (Block block : Manual.blocks(page)) {
        if (block.language().equals("xml")) {
          count++;
          String whole = "<pom>" + block.text() + "</pom>";
          DocumentBuilderFactory.newInstance().newDocumentBuilder()
              .parse(new ByteArrayInputStream(whole.getBytes(StandardCharsets.UTF_8)));
        }
      }
    }
    assertThat(count).isPositive();
  }

  /** A program of the recipes; it may use classes of another page. */
  private static Block recipe(String name) throws IOException {
    return Manual.blocks(RECIPES).stream().filter(block -> name.equals(block.mainClass())).findFirst().orElseThrow();
  }

  static List<String> recipesWithACommand() throws IOException {
    return Manual.blocks(RECIPES).stream().filter(block -> block.mainClass() != null && !block.behind().isEmpty())
        .map(Block::mainClass).toList();
  }

  private void runs(String name) throws IOException, InterruptedException {
    compile(RECIPES);
    List<String> behind = recipe(name).behind();
    assertThat(behind).as("a command, and what it prints").hasSizeGreaterThanOrEqualTo(2);
    // Where Open MPI prints a warning, it prints a blank in front.
    assertThat(run(behind.get(0)).strip()).isEqualTo(behind.get(1).strip());
  }

  /** The standard output of a command of a page. */
  private String run(String command) throws IOException, InterruptedException {
    assertThat(command).startsWith("jmpirun ").contains(" -cp app.jar ");
    List<String> line = new ArrayList<>(RankJob.jmpirun(RankJob.mpiOrSkip()));
    line.addAll(List.of("--timeout", String.valueOf(LIMIT_SECONDS)));
    String classPath = System.getProperty("java.class.path") + ":" + folder;
    line.addAll(Stream.of(command.strip().split(" ")).skip(1).map(word -> word.equals("app.jar") ? classPath : word).toList());
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    Process job = new ProcessBuilder(line).directory(folder.toFile()).redirectOutput(output.toFile())
        .redirectError(errors.toFile()).redirectInput(Path.of("/dev/null").toFile()).start();
    try {
      assertThat(job.waitFor(2 * LIMIT_SECONDS, TimeUnit.SECONDS)).as("%s ends", command).isTrue();
    } finally {
      job.destroy(); // whereupon jmpirun ends its job
    }
    assertThat(job.exitValue()).as("%s%s", Files.readString(output), Files.readString(errors)).isZero();
    return Files.readString(output);
  }

  @ParameterizedTest
  @MethodSource("recipesWithACommand")
  void allRecipesPrintWhatThePageSays(String name) throws IOException, InterruptedException {
    runs(name);
  }

  /** The first program with files, which is on another page. */
  @Tag("series")
  @Test
  void aJobIsStartedAgainFromFiles() throws IOException, InterruptedException {
    compile(Manual.DOCS.resolve("first-program.md"));
    String command =
        Manual.commands(RECIPES, "jmpirun").stream().filter(line -> line.endsWith(" Sums")).findFirst().orElseThrow();
    assertThat(run(command)).isEqualTo("sum 19800\n");
  }

  /** Commands without a program on the page: their options are parsed, and a line made of them. */
  @Tag("series")
  @Test
  void otherCommandsAreUnderstood() throws IOException, InterruptedException {
    Files.writeString(folder.resolve("hosts"), "localhost slots=99\n");
    int count = 0;
    for (Path page : Manual.pages()) {
      for (String command : Manual.commands(page, "jmpirun")) {
        if (command.endsWith(" -cp app.jar Main")) {
          count++;
          assertThat(run(command.replaceFirst("jmpirun (?!.*--dry-run)", "jmpirun --dry-run "))).as(command).contains("-cp",
              "Main");
        }
      }
    }
    assertThat(count).isGreaterThan(5);
  }
}
