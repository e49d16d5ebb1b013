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

  private static Finding process(int rank, long iterations, int telling) {
    return new Finding(Verdict.PROCESS, String.valueOf(rank), "", "", List.of(), List.of(), "", iterations, "",
        String.valueOf(telling));
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
        List.of(process(0, 10, -1), finding(Verdict.ONCE, "A.x", "[0..3] of 4", 32), finding(Verdict.SUPERFLUOUS, "p", "", 8)),
        List.of(process(1, 10, -1), finding(Verdict.MISSING, "A.x", "[0..7] of 8", 64), finding(Verdict.PROTECTED, "p", "", 8)),
        List.of(process(0, 0, -1), finding(Verdict.MISSING, "of a spare", "", 8))));
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
    assertThat(ranks(one).tellingIteration()).isEqualTo(2);
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
