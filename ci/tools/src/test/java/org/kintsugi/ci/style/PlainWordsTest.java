// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.style;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The check of words finds them where people read, and nowhere else. */
class PlainWordsTest {
  private static final List<String> LIST =
      List.of("# a comment", "", "whither -> where", "names: thither -> there", "^docs/ :: the whither of :: the name of a poem");

  private static List<String> found(String file, String... lines) {
    return new PlainWords(LIST).look(file, String.join("\n", lines));
  }

  @Test
  void commentsMessagesAndNamesOfTestsAreRead() {
    assertThat(found("A.java", "class A { // whither", "}")).singleElement().asString().startsWith("A.java:1: \"whither\"")
        .contains("better: where");
    assertThat(found("a.c", "/*", " * Whither goes it?", " */")).singleElement().asString().startsWith("a.c:2: ");
    assertThat(found("A.java", "String text = \"goes whither\";")).hasSize(1);
    assertThat(found("ATest.java", "  @Test", "  void goesWhitherItLikes() {")).singleElement().asString()
        .startsWith("ATest.java:2: ");
    assertThat(found("README.md", "one", "whither")).singleElement().asString().startsWith("README.md:2: ");
  }

  @Test
  void namesOfClassesAndFilesAreRead() {
    assertThat(found("A.java", "", "/* A", " */", "  static final class GoesWhither {")).singleElement().asString()
        .startsWith("A.java:4: \"Whither\"");
    assertThat(found("A.java", "record ThitherGone(int x) {}")).singleElement().asString().contains("better: there");
    assertThat(found("A.java", "// class Thither", "String text = \"class Thither\";")).as("for names only").isEmpty();
    assertThat(new PlainWords(LIST).lookAtName("src/goes_whither.c")).singleElement().asString()
        .startsWith("src/goes_whither.c:0: \"whither\"");
    assertThat(new PlainWords(LIST).lookAtName("src/GoesThither.java")).hasSize(1);
    assertThat(new PlainWords(LIST).lookAtName("src/somewhither.c")).isEmpty();
  }

  @Test
  void codeAndPartsOfWordsAreNot() {
    assertThat(found("A.java", "int whither = 1; // somewhitherto", "char quote = '\"'; int whither2 = whither;")).isEmpty();
  }

  @Test
  void theHeaderOfAPatchIsRead() {
    assertThat(found("0001-a.patch", "ob1: a fault", "", "whither", "", "--- a/whither.c", "+++ b/whither.c", "+/* whither */"))
        .singleElement().asString().startsWith("0001-a.patch:3: ");
    assertThat(found("0002-b.patch", "From: a", "whither", "---", " whither.c", "diff --git a/whither.c b/whither.c")).hasSize(1);
  }

  @Test
  void anExceptionHasAPathAndALine() {
    assertThat(found("docs/a.md", "the whither of 1850")).isEmpty();
    assertThat(found("docs/a.md", "a whither")).hasSize(1);
    assertThat(found("README.md", "the whither of 1850")).hasSize(1);
    assertThatThrownBy(() -> new PlainWords(List.of("whither"))).hasMessageContaining("WORD -> SUBSTITUTE");
  }
}
