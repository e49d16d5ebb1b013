// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the series of mutants makes of the verdicts of both tools. */
class JudgementTest {
  private static final AppProof.Verdict CAUGHT =
      new AppProof.Verdict(1, "jmpirun: proof: after 2 of 5 failures the results differ from those without a failure: ...");
  private static final AppProof.Verdict SAME = new AppProof.Verdict(0, "5 failures outlived with the same results: ...");
  private static final Set<String> X = Set.of("Work.x");

  private final Judgement judgement = new Judgement();

  private static AppAdvice.Verdict named(String... missing) {
    return new AppAdvice.Verdict(missing.length == 0 ? 0 : 1, "", Set.of(missing), Set.of(), Map.of());
  }

  @Test
  void allCaughtAndNamedIsGood() {
    assertThat(judgement.isGood()).as("nothing was run").isFalse();
    judgement.complete(ProvedApp.HPCCG, SAME, named());
    judgement.mutant(ProvedApp.HPCCG, "x", CAUGHT, X, named("Work.x"));
    judgement.mutant(ProvedApp.HPCCG, "arguments", SAME, Set.of(), named());
    assertThat(judgement.wrong()).isEmpty();
    assertThat(judgement.isGood()).isTrue();
    assertThat(judgement.table()).contains("| hpccg | 2 | 1 | 1 | 1 | `arguments` |",
        "2 mutants, 1 of which compute something else: --prove catches 1, --advise names 1");
  }

  @Test
  void aMutantThatNoProofCatchesIsWrong() {
    assertThat(judgement.mutant(ProvedApp.HPCCG, "x", SAME, X, named("Work.x"))).contains("hpccg without x", "nothing differs");
    assertThat(judgement.wrong()).singleElement().asString().contains("without x, --prove: nothing differs");
    assertThat(judgement.isGood()).isFalse();
  }

  @Test
  void aMutantThatAdviceDoesNotNameIsWrong() {
    judgement.mutant(ProvedApp.HPCCG, "x", CAUGHT, X, named());
    judgement.mutant(ProvedApp.HPCCG, "p", CAUGHT, Set.of("Work.p"), named("Work.other"));
    assertThat(judgement.wrong()).hasSize(2).last().asString().contains("does not name any of [Work.p], but [Work.other]");
    assertThat(judgement.isGood()).isFalse();
    assertThat(judgement.table()).contains("| hpccg | 2 | 2 | 2 | 0, not `x`, `p` |");
  }

  @Test
  void aNeedlessItemThatChangesTheResultIsWrong() {
    judgement.mutant(ProvedApp.HPCCG, "arguments", CAUGHT, Set.of(), named());
    assertThat(judgement.wrong()).singleElement().asString().contains("which was not expected");
  }

  @Test
  void aJobThatFailsIsNoVerdict() {
    AppAdvice.Verdict failed = new AppAdvice.Verdict(-1, "nothing", Set.of(), Set.of(), Map.of());
    judgement.mutant(ProvedApp.HPCCG, "x", new AppProof.Verdict(-1, ""), X, failed);
    assertThat(judgement.wrong()).anyMatch(one -> one.contains("--advise: no verdict, code -1"))
        .anyMatch(one -> one.contains("--prove: no verdict, code -1"));
  }

  @Test
  void aFalseAlarmIsWrong() {
    judgement.complete(ProvedApp.HPCCG, CAUGHT, named("Work.scratch"));
    assertThat(judgement.wrong()).hasSize(2).last().asString().contains("missing: [Work.scratch]");
  }
}
