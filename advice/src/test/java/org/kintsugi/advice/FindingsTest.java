// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

  /** The calls are those that the program can have in front of its loop. */
  @Test
  void fieldsOfOtherObjectsAreNamedAsTheLoopNamesThem() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("Fields");
    assertThat(findings.get("Programs$Fields$Stats.mean").call())
        .isEqualTo("checkpoint.protect(\"mean\", () -> stats.mean, value -> stats.mean = value);");
    assertThat(findings.get("Programs$Fields$Stats.history").call())
        .isEqualTo("checkpoint.protect(\"history\", () -> stats.history, value -> stats.history = value);");
    assertThat(findings.get("ProgramsApart.calls").call())
        .isEqualTo("in a method of ProgramsApart, as calls is not visible in the "
            + "loop: checkpoint.protect(\"calls\", () -> ProgramsApart.calls, value -> ProgramsApart.calls = value);");
    assertThat(findings.get("ProgramsApart.sum").call()).isEqualTo(
        "write @Protect in front of the field sum in ProgramsApart, and in the body: "
            + "checkpoint.protectFields(\"apart\", apart);");
    assertThat(findings.get("ProgramsApart.counted").call()).endsWith(
        "checkpoint.protectFields(\"programsApart\", programsApart); where programsApart is the object of ProgramsApart");
  }

  /** As in a program that has the same names. */
  @Test
  void theCallsAreJava(@TempDir Path folder) throws ReflectiveOperationException, IOException {
    Map<String, Finding> findings = Instrumented.findings("Fields");
    Path source = Files.writeString(folder.resolve("Body.java"), "class Body {\n"
        + "  static class Stats { double mean; int count; boolean isOdd; double[] history; }\n"
        + "  static void body(org.kintsugi.checkpoint.Checkpoint checkpoint) {\n    Stats stats = new Stats();\n"
        + Stream.of("mean", "count", "isOdd", "history").map(field -> findings.get("Programs$Fields$Stats." + field).call())
            .collect(Collectors.joining("\n"))
        + "  }\n}\n");
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int code = ToolProvider.getSystemJavaCompiler().run(null, errors, errors, "-proc:none", "-cp",
        System.getProperty("java.class.path"), "-d", folder.toString(), source.toString());
    assertThat(code).as(errors.toString()).isZero();
  }

  @Test
  void valuesHaveTheSizesOfTheirTypes() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("Fields");
    assertThat(findings.get("Programs$Fields$Stats.mean").bytes()).isEqualTo(8);
    assertThat(findings.get("Programs$Fields$Stats.count").bytes()).isEqualTo(4);
    assertThat(findings.get("Programs$Fields$Stats.isOdd").bytes()).isEqualTo(1);
  }

  @Test
  void aNumberThatAGetterReadsIsSavedIfItFollowsFromTheArray() throws ReflectiveOperationException {
    Map<String, Verdict> verdicts = verdicts(Instrumented.findings("Getters"));
    assertThat(verdicts).containsEntry("clock", Verdict.PROTECTED).containsEntry("values", Verdict.PROTECTED)
        .containsEntry("Programs$Getters.last", Verdict.MISSING).doesNotContainKey("Programs$Getters.time")
        .doesNotContainKey("Programs$Getters.count")
        .doesNotContainKey("Programs$Getters.steps");
  }

  @Test
  void anItemWithOneOfTwoArraysThatChangePlacesSavesAPart() throws ReflectiveOperationException {
    Map<String, Finding> findings = Instrumented.findings("HalfProtected");
    assertThat(verdicts(findings)).containsOnly(Map.entry("now", Verdict.PARTLY),
        Map.entry("Programs$HalfProtected.now", Verdict.MISSING), Map.entry("Programs$HalfProtected.run: i", Verdict.COUNTER));
    assertThat(findings.get("Programs$HalfProtected.now").note()).contains("the item \"now\" saves one of the arrays only");
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
