// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.internal.RawWords;

/** The words of a rank, as mpirun sees them and as the rank gets them. */
class RankWordsTest {
  private static final List<String> JVM = List.of("/bin/java", "-Dx=a b", "-cp", "x", "Main");

  private static List<String> line(String... program) {
    List<String> words = new ArrayList<>(JVM);
    words.addAll(List.of(program));
    return RankWords.forMpirun(words, program.length, false);
  }

  @Test
  void mpirunSeesNoWordThatItMightKnow() {
    for (String word : List.of(":", "--mca", "-mca", "--prtemca", "--pmixmca", "-gmca", "--tune", "-am", "--", "-n", "-debug",
        "", " ", "a\nb", "a b", "'", "\u00fc")) {
      List<String> line = line("x", word);
      assertThat(line).as(word).startsWith("sh", "-c").contains("x").doesNotContain(word);
      List<String> program = line.subList(line.indexOf("Main"), line.size());
      assertThat(program).as(word).noneMatch(one -> one.startsWith("-") || one.equals(":"));
      assertThat(line).as("options of the JVM, for people").contains("-cp", "'-Dx=a b'");
    }
  }

  @Test
  void plainWordsStayAsTheyAre() {
    assertThat(line("32", "a:b", "out.json", "@file", "x=-1", "/a/b")).containsExactly("/bin/java", "-Dx=a b", "-cp", "x", "Main",
        "32", "a:b", "out.json", "@file", "x=-1", "/a/b");
    assertThat(RankWords.forMpirun(List.of("/bin/java", "-cp", ":", "Main"), 0, false)).doesNotContain(":");
    assertThat(RankWords.forMpirun(List.of("/bin/java", "-cp", "x", "Main", "-x"), 1, true).get(2)).startsWith("trap '' USR1; ");
  }

  @Test
  void longerLinesThanTheSystemTakesAreRefusedWithTheLengths() {
    assertThat(line("'".repeat(30_000))).hasSize(4 + JVM.size() + 1);
    assertThatThrownBy(() -> line("x", "'".repeat(60_000))).isInstanceOf(LaunchException.class)
        .hasMessageContaining("longest argument has 60000 bytes (240002 in quotes").hasMessageContaining("may have 130972")
        .hasMessageContaining("in a file");
    assertThatThrownBy(() -> line("a".repeat(43_000), "a".repeat(44_000), "a".repeat(44_001))).isInstanceOf(LaunchException.class)
        .hasMessageContaining("a rank has 1310").hasMessageContaining("longest argument has 44001 bytes: pass");
  }

  /** The words by a shell, as on a rank's host. */
  @Test
  void theRankGetsWhatWasTyped() throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(List.of("/usr/bin/printf", "%s\\0", ":", "--mca", "5", "", " a  b ", "it's", "\"", "\\", "$HOME",
            "`date`", "*", "!", "a\nb\n\n", "\n", "-", "--", "\u00fc\u6f22", "%s\\n"));
    Random random = new Random(65);
    for (int i = 0; i < 300; i++) {
      byte[] bytes = new byte[1 + random.nextInt(6)];
      random.nextBytes(bytes);
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = bytes[at] == 0 ? (byte) 0x81 : bytes[at];
      }
      words.add(RawWords.decode(bytes));
    }
    Process shell = new ProcessBuilder(RankWords.forMpirun(words, words.size() - 1, false)).start();
    String printed = RawWords.decode(shell.getInputStream().readAllBytes());
    assertThat(shell.waitFor()).isZero();
    assertThat(List.of(printed.split("\0", -1))).isEqualTo(expected(words.subList(2, words.size())));
  }

  private static List<String> expected(List<String> words) {
    List<String> all = new ArrayList<>(words);
    all.add("");
    return all;
  }

  /** What --dry-run prints is a line for a shell, which starts a shell. */
  @Test
  void aPrintedLineCanBeRun() throws IOException, InterruptedException {
    List<String> words = RankWords.forMpirun(List.of("/usr/bin/printf", "%s,", ":", "it's", "a b"), 3, true);
    Process shell = new ProcessBuilder("sh", "-c", RankWords.line(words, Map.of("A", "b c"))).start();
    assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(":,it's,a b,");
    assertThat(shell.waitFor()).isZero();
  }

  @Test
  void wordsThatTheJvmCouldDecodeStay() {
    assertThat(RankWords.typed()).isEmpty();
    assertThat(RankWords.printable("x" + RawWords.decode(new byte[] {(byte) 0xfc}))).isEqualTo("x?");
  }
}
