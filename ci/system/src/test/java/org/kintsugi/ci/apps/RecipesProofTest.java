// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.ci.mutants.ChangedClasses;
import org.kintsugi.ci.ranks.JmpirunProcess.Ended;
import org.kintsugi.ci.ranks.JmpirunProcess;
import org.kintsugi.test.RankJob;

/** What {@code jmpirun --prove} and {@code --advise} say of the ten recipes, and of those without what they protect. */
@Tag("flavours")
@Tag("once")
@Tag("series")
class RecipesProofTest {
  private static final int LIMIT_SECONDS = 200;
  private static final Path CHECKOUT = Path.of("..");
  private static final Path RECIPES = CHECKOUT.resolve("examples/recipes");

  @TempDir
  private Path folder;

  private Ended run(ChangedClasses classes, String leftOut, String recipe, String... options)
      throws IOException, InterruptedException {
    Path compiled = Files.createDirectories(folder.resolve("classes"));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, said, said, "-g", "-proc:none", "-nowarn", "-cp",
        System.getProperty("java.class.path"), "-d", compiled.toString(), RECIPES.resolve(recipe + ".java").toString()))
        .as(said.toString()).isZero();
    List<String> line = new ArrayList<>(RankJob.jmpirun(RankJob.mpiOrSkip()));
    line.addAll(List.of("-n", "2", "--timeout", "60"));
    line.addAll(List.of(options));
    line.addAll(List.of("-Dkintsugi.checkpoint.store=memory", "-D" + ChangedClasses.LEFT_OUT + "=" + leftOut, "-cp",
        compiled + File.pathSeparator + classes.classPath(), recipe));
    // Input reads a file, and Output writes one.
    line.add(recipe.equals("Input") ? "/proc/version" : folder.resolve("written-by-" + recipe).toString());
    return JmpirunProcess.run(line, LIMIT_SECONDS);
  }

  @Test
  void allRecipesAreLookedAt() throws IOException {
    try (Stream<Path> files = Files.list(RECIPES)) {
      assertThat(files.map(file -> file.getFileName().toString().replace(".java", ""))).containsExactlyInAnyOrder("Background",
          "Halo", "Output", "Particles", "ByHand", "Input", "Lengths", "Threads", "Variance", "Fewer");
    }
  }

  private void assertProved(ChangedClasses classes, String recipe, String item) throws IOException, InterruptedException {
    Ended proof = run(classes, "", recipe, "--prove");
    assertThat(proof.code()).as(proof.printed()).isZero();
    assertThat(proof.output()).contains("5 failures outlived with the same results: 1 items (" + item + ")");
    proof = run(classes, item, recipe, "--prove");
    assertThat(proof.code()).as(proof.printed()).isNotZero();
  }

  private String advise(int code, ChangedClasses classes, String leftOut, String recipe)
      throws IOException, InterruptedException {
    Ended advice = run(classes, leftOut, recipe, "--advise");
    assertThat(advice.code()).as(advice.printed()).isEqualTo(code);
    return advice.errors();
  }

  /** The recipes that save data, the item without which each computes something else, and how advice names what is in it. */
  @ParameterizedTest
  @CsvSource({"Background, x, Background.main: x", "Halo, grid, Halo.main: grid", "Particles, positions, Particles.positions"})
  void whatARecipeSavesIsNeededAndEnough(String recipe, String item, String location) throws IOException, InterruptedException {
    try (ChangedClasses classes = ChangedClasses.thatLeaveOut(CHECKOUT)) {
      assertProved(classes, recipe, item);
      assertThat(advise(0, classes, "", recipe)).contains("nothing is missing", "PROTECTED, and needed\n  " + item + ",")
          .doesNotContain("no iteration needs");
      assertThat(advise(1, classes, item, recipe)).contains("  " + location + ",", "1 location is missing");
    }
  }

  /** Only the body reads the length of its file, after a restore: advice names the file. */
  @Test
  void aFileIsNamedWhoseLengthIsSaved() throws IOException, InterruptedException {
    try (ChangedClasses classes = ChangedClasses.thatLeaveOut(CHECKOUT)) {
      String item = "length of the file";
      assertProved(classes, "Output", item);
      assertThat(advise(0, classes, "", "Output")).contains("FILES that iterations share", "Output.main: file,",
          "no iteration needs", "  " + item + ",", "nothing is missing").doesNotContain("generator");
      assertThat(advise(0, classes, item, "Output")).contains("FILES that iterations share", "Output.main: file,");
    }
  }

  /** They have no loop that {@code run.iteration} marks, or no data that must outlive a failure. */
  @ParameterizedTest
  @ValueSource(strings = {"ByHand", "Input", "Lengths", "Threads", "Variance"})
  void ofARecipeWithoutALoopNothingIsSaid(String recipe) throws IOException, InterruptedException {
    try (ChangedClasses classes = ChangedClasses.none(CHECKOUT)) {
      for (String tool : List.of("--prove", "--advise")) {
        Ended ended = run(classes, "", recipe, tool);
        assertThat(ended.code()).as(ended.printed()).isEqualTo(2);
        assertThat(ended.errors()).contains("the program calls no run.iteration(i)");
      }
    }
  }

  /** It keeps its data in survivors, and saves none. */
  @Test
  void aRecipeThatContinuesWithFewerRanksSavesNothing() throws IOException, InterruptedException {
    try (ChangedClasses classes = ChangedClasses.none(CHECKOUT)) {
      Ended proof = run(classes, "", "Fewer", "--prove");
      assertThat(proof.code()).as(proof.printed()).isEqualTo(2);
      assertThat(proof.errors()).contains("the program saves nothing");
      Ended advice = run(classes, "", "Fewer", "--advise");
      assertThat(advice.code()).as(advice.printed()).isEqualTo(1);
      assertThat(advice.errors()).contains("Fewer.main: done");
    }
  }
}
