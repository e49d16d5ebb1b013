// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.checkout.Checkout;

/**
 * What exists for the Reinit++ fork alone is in folders and classes of its own. The other files that know the fork are listed, by
 * their names, so that one more is a decision.
 */
class ForkFilesTest {
  private static final String LIST = "fork-files.txt";

  private static final List<String> ROOTS = List.of("runtime/src/main", "java-api/src/main", "launcher/src/main",
      "test-kit/src/main", "presets/src/main", "native/src", "native/include", "native/fti", "native/scr");

  /** Deleted as a whole with the fork. */
  private static final Set<String> OF_THE_FORK = Set.of("ReinitPlusPlusProvider.java", "WarmRank.java", "Rollbacks.java",
      "RollbackSignal.java", "ReinitFlags.java", "ReinitJudge.java", "ReinitPreset.java");

  private static final Pattern KNOWS =
      Pattern.compile("Flavour\\.REINIT\\b|\\bReinitPlusPlus\\.|^\\s*REINIT;|\\? REINIT\\b|\\bKINTSUGI_REINIT\\b");

  @Test
  void theSharedFilesThatKnowTheForkAreListed() throws IOException {
    assertThat(found()).isEqualTo(listed());
  }

  @Test
  void commentsDoNotCount() {
    assertThat(List.of("if (Flavour.current() == Flavour.REINIT) {", "#ifdef KINTSUGI_REINIT", "ReinitPlusPlus.kintsugi_x();"))
        .allMatch(ForkFilesTest::knows);
    assertThat(List.of(" * on the fork, see {@link Flavour#REINIT}", "// Flavour.REINIT does otherwise"))
        .noneMatch(ForkFilesTest::knows);
  }

  private static boolean knows(String line) {
    String code = line.replaceFirst("(//|^\\s*/?\\*).*", "");
    return KNOWS.matcher(code).find();
  }

  private static Set<String> found() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String root : ROOTS) {
      try (Stream<Path> files = Files.walk(Checkout.FOLDER.resolve(root))) {
        for (Path file : files.filter(one -> one.toString().matches(".*\\.(java|c|h)")).toList()) {
          String name = file.getFileName().toString();
          if (!OF_THE_FORK.contains(name) && Files.readString(file).lines().anyMatch(ForkFilesTest::knows)) {
            names.add(name);
          }
        }
      }
    }
    return names;
  }

  private static Set<String> listed() throws IOException {
    try (InputStream list = ForkFilesTest.class.getResourceAsStream(LIST)) {
      return new String(list.readAllBytes(), StandardCharsets.UTF_8).lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.replaceFirst(":.*", "")).collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
