// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page with recipes is compared with the programs, and written from them. */
class RecipeBlocksTest {
  private static final String PROGRAM = "public class Sum {\n  int $x;\n}\n";

  @TempDir
  private Path folder;

  @BeforeEach
  void aPageAndAProgram() throws IOException {
    Files.createDirectories(folder.resolve("docs"));
    Files.createDirectories(folder.resolve("examples/recipes"));
    Files.writeString(folder.resolve("examples/recipes/Sum.java"), "import java.util.List;\n\n/** Adds. */\n" + PROGRAM);
    page("text\n\n```java\npublic class Sum {}\n```\n\n```java\npublic class Other {}\n```\nend\n");
  }

  private void page(String text) throws IOException {
    Files.writeString(folder.resolve("docs/recipes.md"), text);
  }

  private String run(boolean write) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code = RecipeBlocks.run(folder, write, new PrintStream(out, true, UTF_8));
    return code + " " + out.toString(UTF_8);
  }

  @Test
  void aDifferenceIsFoundAndRemoved() throws IOException {
    assertThat(run(false)).startsWith("1 docs/recipes.md has other programs");
    assertThat(run(true)).isEqualTo("0 ");
    assertThat(Files.readString(folder.resolve("docs/recipes.md")))
        .isEqualTo("text\n\n```java\n" + PROGRAM + "```\n\n```java\npublic class Other {}\n```\nend\n");
    assertThat(run(false)).isEqualTo("0 ");
  }

  @Test
  void aProgramThatThePageLacksIsNamed() throws IOException {
    page("nothing\n");
    assertThat(run(false)).startsWith("1 docs/recipes.md has no block for examples/recipes/Sum.java");
  }

  @Test
  void aLongProgramIsNamed() throws IOException {
    Files.writeString(folder.resolve("examples/recipes/Sum.java"), PROGRAM + "// more\n".repeat(60));
    assertThat(run(true)).startsWith("1 ").contains("Sum.java: 63 lines; a recipe has 59 at most");
  }
}
