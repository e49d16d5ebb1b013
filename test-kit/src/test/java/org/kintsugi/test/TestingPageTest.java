// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page on tests has the examples that are compiled and run here. */
class TestingPageTest {
  private static final Path PAGE = Path.of("../docs/testing.md");
  private static final Path EXAMPLES = Path.of("src/test/java/org/kintsugi/test/example");

  @ParameterizedTest
  @ValueSource(strings = {"SumsTest", "LosesANodeTest"})
  void theExamplesOnThePageAreThoseThatRun(String example) throws IOException {
    String source = Files.readString(EXAMPLES.resolve(example + ".java"));
    assertThat(Files.readString(PAGE)).contains("```java\n" + source.substring(source.indexOf("import ")) + "```");
  }
}
