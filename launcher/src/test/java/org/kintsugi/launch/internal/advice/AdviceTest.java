// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.runtime.internal.advice.Finding;
import org.kintsugi.runtime.internal.advice.Finding.Verdict;

/** What the launcher makes of the findings of several processes. */
class AdviceTest {
  @TempDir
  private Path folder;

  private static Finding finding(Verdict verdict, String name, String elements, long bytes) {
    return new Finding(verdict, name, "double[]", "A.java:3", List.of("A.f(A.java:7)"), List.of("A.f(A.java:8)"), elements, bytes,
        "checkpoint.protect(\"x\", x);", "");
  }

  private static Finding process(int rank, long iterations, int... telling) {
    return new Finding(Verdict.PROCESS, String.valueOf(rank), "", "", List.of(), List.of(), "", iterations, "",
        IntStream.of(telling).mapToObj(String::valueOf).collect(Collectors.joining(",")));
  }

  private Ranks ranks(List<List<Finding>> processes, String... ignored) throws IOException {
    Path of = Files.createTempDirectory(folder, "job");
    for (int i = 0; i < processes.size(); i++) {
      Files.write(of.resolve(i + ".advice"), processes.get(i).stream().map(Finding::line).toList());
    }
    return Ranks.in(of, Stream.of(ignored).map(Pattern::compile).toList());
  }

  private static String table(Ranks ranks) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    new AdviceTable(ranks, new PrintStream(printed, true)).print();
    return printed.toString();
  }

  @Test
  void aFindingIsReadAsItWasWritten() {
    Finding finding =
        new Finding(Verdict.STATE, "A.x", "T", "A.java:1", List.of("one", "two"), List.of(), "[0] of 1", -1, "", "why\tso\n");
    Finding read = Finding.of(finding.line());
    assertThat(read)
        .isEqualTo(new Finding(Verdict.STATE, "A.x", "T", "A.java:1", List.of("one", "two"), List.of(), "[0] of 1", -1, "",
            "why so "));
    assertThat(Finding.of("half a line\t")).isNull();
  }

  @Test
  void theWorstVerdictOfAllRanksCounts() throws IOException {
    Ranks ranks = ranks(List.of(
        List.of(process(0, 10), finding(Verdict.ONCE, "A.x", "[0..3] of 4", 32), finding(Verdict.SUPERFLUOUS, "p", "", 8)),
        List.of(process(1, 10), finding(Verdict.MISSING, "A.x", "[0..7] of 8", 64), finding(Verdict.PROTECTED, "p", "", 8)),
        List.of(process(0, 0), finding(Verdict.MISSING, "of a spare", "", 8))));
    assertThat(ranks.count()).isEqualTo(2);
    assertThat(ranks.isSomethingMissing()).isTrue();
    assertThat(table(ranks))
        .contains("2 ranks, 10 iterations", "A.x, double[], defined at A.java:3, 32 bytes to 64 bytes on each rank",
            "elements [0..3] of 4 on rank 0, [0..7] of 8 on rank 1", "1 location is missing",
            "PROTECTED, and needed\n  p, 8 bytes")
        .doesNotContain("spare", "no iteration needs");
    assertThat(AdviceJson.of(ranks)).contains("{\"verdict\": \"missing\", \"name\": \"A.x\"",
        "\"call\": \"checkpoint.protect(\\\"x\\\", x);\"", "\"1\": {\"bytes\": 64, \"elements\": \"[0..7] of 8\"}");
  }

  @Test
  void whatIsIgnoredIsNotReported() throws IOException {
    List<List<Finding>> one = List.of(List.of(process(0, 3, 2), finding(Verdict.MISSING, "Times.x", "", 8)));
    assertThat(ranks(one).isSomethingMissing()).isTrue();
    assertThat(ranks(one, "^Times").isSomethingMissing()).isFalse();
    assertThat(ranks(one).tellingIterations()).containsExactly(2L);
  }

  /** What one of several runs with a failure has shown to be another value is missing, whatever the others show. */
  @Test
  void aValueThatOneFailureChangesIsMissing() throws IOException {
    List<List<Finding>> first = List.of(List.of(process(0, 30, 9, 21), finding(Verdict.MISSING, "A.x", "", 8),
        finding(Verdict.MISSING, "A.y", "", 8)));
    List<Ranks> repeated = List.of(
        ranks(List.of(List.of(process(0, 9), finding(Verdict.AGAIN, "A.x", "", 0), finding(Verdict.AGAIN, "A.y", "", 0)))),
        ranks(List.of(List.of(process(0, 21), finding(Verdict.OTHER, "A.x", "", 0)))));
    for (int last : List.of(1, 0)) {
      Ranks ranks = ranks(first);
      assertThat(ranks.tellingIterations()).containsExactly(9L, 21L);
      ranks.compare(repeated.get(1 - last));
      ranks.compare(repeated.get(last));
      assertThat(ranks.of(Verdict.MISSING)).extracting(one -> one.first().name()).containsExactly("A.x");
      assertThat(ranks.of(Verdict.AGAIN)).extracting(one -> one.first().name()).containsExactly("A.y");
    }
  }

  @Test
  void namesThatAreUnknownAreFound() throws IOException {
    List<List<Finding>> one = List.of(List.of(process(0, 3, 2), finding(Verdict.MISSING, "Times.x", "", 8),
        finding(Verdict.LEFT_OUT, "sum", "", 8), finding(Verdict.PROTECTED, "x", "", 8)));
    Ranks ranks = ranks(one, "^Times", "^Time.$");
    assertThat(ranks.useless()).extracting(Pattern::pattern).containsExactly("^Time.$");
    assertThat(ranks.items()).containsExactly("sum", "x");
    assertThat(ranks(one).locations()).containsExactly("Times.x");
    assertThat(table(ranks)).doesNotContain("sum");
  }

  @Test
  void anItemThatSavesAPartIsNotCalledNeeded() throws IOException {
    Ranks ranks = ranks(List.of(List.of(process(0, 3, 2), finding(Verdict.MISSING, "A.now", "[0] of 1", 8),
        finding(Verdict.PARTLY, "now", "", 8))));
    assertThat(table(ranks))
        .contains("PROTECTED in part: the rest is named above, with the call in place of this one\n  now, 8 bytes")
        .doesNotContain("PROTECTED, and needed");
  }

  @Test
  void whatIsMadeAgainIsNotMissing() throws IOException {
    Ranks ranks = ranks(List.of(List.of(process(0, 9, 5), finding(Verdict.MISSING, "A.same", "", 8),
        finding(Verdict.MISSING, "A.other", "", 8), finding(Verdict.MISSING, "A.unread", "", 8))));
    Ranks repeated = ranks(List.of(
        List.of(process(0, 9, 5), finding(Verdict.AGAIN, "A.same", "", 0), finding(Verdict.AGAIN, "A.other", "", 0)),
        List.of(process(1, 9, 5), finding(Verdict.OTHER, "A.other", "", 0))));
    ranks.compare(repeated);
    assertThat(ranks.of(Verdict.MISSING)).extracting(one -> one.first().name()).containsExactly("A.other", "A.unread");
    assertThat(table(ranks)).contains("with the same values, as a run with a failure has shown: A.same\n",
        "after a failure and a restore it had another value");
  }
}
