// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.kintsugi.runtime.internal.advice.Finding;
import org.kintsugi.runtime.internal.advice.Finding.Verdict;

/** What the agent says of small programs whose answer is known. */
class FindingsTest {
  private static Map<String, Verdict> verdicts(Map<String, Finding> findings) {
    Map<String, Verdict> verdicts = new TreeMap<>();
    findings.forEach((name, finding) -> {
      if (finding.verdict() != Verdict.PROCESS) {
        verdicts.put(name, finding.verdict());
      }
    });
    return verdicts;
  }

  @Test
  void whatIterationsShareIsMissingAndWhatTheyOverwriteIsNot() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("Sums");
    assertThat(verdicts(findings)).containsOnly(Map.entry("Programs$Sums.total", Verdict.MISSING),
        Map.entry("Programs$Sums.grown", Verdict.MISSING), Map.entry("Programs$Sums.run: i", Verdict.COUNTER));
    Finding grown = findings.get("Programs$Sums.grown");
    assertThat(grown.elements()).isEqualTo("[1..3] of 4");
    assertThat(grown.type()).isEqualTo("double[]");
    assertThat(grown.bytes()).isEqualTo(32);
    assertThat(grown.definition()).startsWith("Programs.java:");
    assertThat(grown.call()).isEqualTo("checkpoint.protect(\"grown\", grown);");
    assertThat(grown.reads()).hasSize(1).allMatch(place -> place.startsWith("advised.Programs$Sums.run(Programs.java:"));
    assertThat(findings.get("Programs$Sums.total").call())
        .isEqualTo("checkpoint.protect(\"total\", () -> Sums.total, value -> Sums.total = value);");
  }

  @Test
  void anArrayThatChangesPlacesHasTheNameByWhichItIsRead() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("Swapped");
    assertThat(verdicts(findings)).containsOnly(Map.entry("Programs$Swapped.now", Verdict.MISSING),
        Map.entry("Programs$Swapped.run: i", Verdict.COUNTER));
    assertThat(findings.get("Programs$Swapped.now").call())
        .isEqualTo("checkpoint.protect(\"now\", () -> now, value -> now = value);");
    assertThat(findings.get("Programs$Swapped.now").note()).contains("exchanges it with", "Programs$Swapped.next");
  }

  @Test
  void whichOfTwoArraysIsWhichIsData() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("Exchanged");
    assertThat(verdicts(findings)).containsOnly(Map.entry("one", Verdict.PROTECTED), Map.entry("other", Verdict.PROTECTED),
        Map.entry("Programs$Exchanged.run: now", Verdict.MISSING), Map.entry("Programs$Exchanged.run: i", Verdict.COUNTER));
    assertThat(findings.get("Programs$Exchanged.run: now").call()).startsWith("make now a field");
  }

  @Test
  void arraysOfWhichNothingOldIsReadAreNotAdvised() throws ReflectiveOperationException {
    assertThat(verdicts(Instrumented.findings("Buffers"))).containsOnly(Map.entry("Programs$Buffers.run: i", Verdict.COUNTER));
  }

  @Test
  void localVariablesAreFoundWhereLambdasHaveThem() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("Captured");
    assertThat(verdicts(findings)).containsOnly(Map.entry("Programs$Captured.run: state", Verdict.MISSING),
        Map.entry("Programs$Captured.run: factor", Verdict.MISSING), Map.entry("Programs$Captured.run: i", Verdict.COUNTER));
    assertThat(findings.get("Programs$Captured.run: factor").call())
        .startsWith("DoubleRef factor = checkpoint.doubleRef(\"factor\");");
  }

  @Test
  void objectsAreFollowedByTheirFields() throws ReflectiveOperationException {
    assertThat(verdicts(Instrumented.findings("Cycle"))).containsOnly(Map.entry("Programs$Cycle$Node.value", Verdict.MISSING),
        Map.entry("Programs$Cycle.run: i", Verdict.COUNTER));
  }

  @Test
  void whatIsFilledOnceWhenItIsNeededMayBeACache() throws ReflectiveOperationException {
    assertThat(verdicts(Instrumented.findings("Caches"))).containsOnly(Map.entry("Programs$Caches.roots", Verdict.ONCE),
        Map.entry("Programs$Caches.table", Verdict.ONCE), Map.entry("Programs$Caches.names", Verdict.ONCE),
        Map.entry("Programs$Caches.run: i", Verdict.COUNTER));
  }

  @Test
  void objectsOfTheJdkAreLookedInto() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("Opaque");
    Map<String, Verdict> verdicts = verdicts(findings);
    assertThat(verdicts).containsOnly(Map.entry("Programs$Opaque.log", Verdict.MISSING),
        Map.entry("Programs$Opaque.counts", Verdict.MISSING), Map.entry("Programs$Opaque.random", Verdict.MISSING),
        Map.entry("Programs$Opaque.other", Verdict.STATE), Map.entry("Programs$Opaque.names", Verdict.STATE),
        Map.entry("Programs$Opaque.counter", Verdict.MISSING), Map.entry("Programs$Opaque.run: i", Verdict.COUNTER));
    assertThat(findings.get("Programs$Opaque.log").call())
        .isEqualTo("checkpoint.protectObject(\"log\", ArrayList.class, () -> log, value -> log = value);");
    assertThat(findings.get("Programs$Opaque.names").note()).contains("an index");
  }

  @Test
  void theHeadOfTheLoopBelongsToTheNextIteration() throws ReflectiveOperationException {
    assertThat(verdicts(Instrumented.findings("Ends"))).containsOnly(Map.entry("Programs$Ends.isDone", Verdict.LAST),
        Map.entry("Programs$Ends.last", Verdict.LAST), Map.entry("Programs$Ends.run: i", Verdict.COUNTER));
  }

  @Test
  void whatAnItemSavesIsNotMissing() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("Protected");
    assertThat(verdicts(findings)).containsOnly(Map.entry("sum", Verdict.PROTECTED), Map.entry("present", Verdict.PROTECTED),
        Map.entry("constant", Verdict.SUPERFLUOUS), Map.entry("rows", Verdict.PROTECTED),
        Map.entry("Programs$Protected.left", Verdict.MISSING), Map.entry("Programs$Protected.run: i", Verdict.COUNTER));
    assertThat(findings.get("sum").note()).isEqualTo("Programs$Protected.sum");
    assertThat(findings.get("constant").bytes()).isEqualTo(16);
  }

  @Test
  void valuesOfThreadsAndFilesAreStateThatNoCheckpointSaves() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("Elsewhere");
    assertThat(findings.values()).filteredOn(finding -> finding.verdict() == Verdict.STATE).extracting(Finding::type)
        .containsExactlyInAnyOrder("java.lang.ThreadLocal", "double[]");
    assertThat(findings.values()).filteredOn(finding -> finding.verdict() == Verdict.FILE).extracting(Finding::type)
        .containsExactly("file");
    assertThat(findings).containsKeys("Programs$Elsewhere.LEVEL", "Programs$Elsewhere.SUMS");
  }

  @Test
  void aFieldThatCountsIsNotSetByARestore() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("Counting");
    assertThat(verdicts(findings)).containsOnly(Map.entry("mean", Verdict.PROTECTED),
        Map.entry("Programs$Counting.steps", Verdict.MISSING), Map.entry("Programs$Counting.run: i", Verdict.COUNTER));
    assertThat(findings.get("Programs$Counting.steps").note()).contains("it counts the iterations");
  }

  @Test
  void anObjectThatTwoItemsSaveBecomesTwo() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("Shared");
    assertThat(findings.get("first and present").verdict()).isEqualTo(Verdict.STATE);
    assertThat(findings.get("first and present").note()).contains("Protect one object that refers to all of them");
  }

  @Test
  void aClassThatTheLoopInitialisesIsThereAgain() throws ReflectiveOperationException {
    assertThat(verdicts(Instrumented.findings("Late"))).containsOnly(Map.entry("Programs$Late.sum", Verdict.MISSING),
        Map.entry("ThreadLocalRandom of unknown origin", Verdict.STATE), Map.entry("Programs$Late.run: i", Verdict.COUNTER));
  }

  @Test
  void loopsOfLoopsAndMethodsInThemAreFollowed() throws ReflectiveOperationException {
    Map<String, Verdict> verdicts = verdicts(Instrumented.findings("Nested"));
    assertThat(verdicts).containsEntry("Programs$Nested.outer", Verdict.MISSING)
        .containsEntry("Programs$Nested.inner", Verdict.MISSING).doesNotContainKey("Programs$Nested.step: temporary");
  }

  @Test
  void allTypesAreKnown() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("Types");
    for (String name : List.of("bytes", "flags", "chars", "shorts", "ints", "longs", "floats", "texts", "rows[]")) {
      assertThat(findings).containsKey("Programs$Types." + name);
      assertThat(findings.get("Programs$Types." + name).elements()).as(name)
          .startsWith(name.equals("rows[]") ? "[2]" : "[0] of 2");
    }
    assertThat(findings).containsKeys("Programs$Types$Pair.first", "Programs$Types$Pair.second");
  }
}
