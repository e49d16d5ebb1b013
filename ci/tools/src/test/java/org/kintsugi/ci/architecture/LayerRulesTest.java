// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each of the {@link LayerRules} fails where it is broken: on classes in packages called as ours, each of which breaks some. */
class LayerRulesTest {
  private static final String ROOT = "org.kintsugi.ci.architecture.wrong.";
  private static final LayerRules RULES = new LayerRules(ROOT);
  private static final JavaClasses WRONG = new ClassFileImporter().importPackages(ROOT.substring(0, ROOT.length() - 1));

  /** One of what the rule finds has all of these words. */
  private static void assertFinds(ArchRule rule, String... words) {
    assertThat(rule.evaluate(WRONG).getFailureReport().getDetails()).anySatisfy(found -> assertThat(found).contains(words));
  }

  @Test
  void aCircle() {
    assertFinds(RULES.noPackagesMakeUpACircle(), "Cycle detected", ROOT + "mpi", ROOT + "persist");
  }

  @Test
  void aPackageAndItsInternalPartMayMakeUpACircle() {
    assertThat(RULES.noPackagesMakeUpACircle().evaluate(WRONG).getFailureReport().getDetails())
        .noneSatisfy(found -> assertThat(found).contains("Slice " + ROOT + "mpi.internal"));
  }

  @Test
  void internalPackagesThatMakeUpACircle() {
    assertFinds(RULES.noInternalPackagesMakeUpACircle(), "Cycle detected", ROOT + "mpi.internal", ROOT + "mpi.internal.memory");
  }

  @Test
  void aBasisThatKnowsWhatIsAboveIt() {
    assertFinds(RULES.theBasisOfMpiDoesNotKnowMpi(), "mpi.internal.memory.Block.answer", "mpi.Lower.answer");
  }

  @Test
  void aLayerThatKnowsOneAboveIt() {
    assertFinds(RULES.dependenciesPointOneWay(), "mpi.Lower.answer", "persist.Upper.answer");
  }

  @Test
  void aRuntimeThatDependsOnMore() {
    assertFinds(RULES.runtimeDependsOnNothing(), "runtime.Names.answer", "mpi.Lower.answer");
  }

  @Test
  void aLauncherThatNeedsTheApi() {
    assertFinds(RULES.theLauncherNeedsNoNativesAndNoApi(), "launch.Starter.answer", "mpi.Lower.answer");
  }

  @Test
  void aPackageOfTheLauncherThatLooksUp() {
    assertFinds(RULES.noPackageOfTheLauncherLooksUp(), "launch.internal.host.Folder.answer", "launch.Starter.answer");
  }

  @Test
  void aPackageThatIsNotInTheListOfTheLaunchers() {
    assertFinds(RULES.noPackageOfTheLauncherLooksUp(), "launch.Starter.odd", "launch.odd.Odd.answer");
  }

  @Test
  void aPackageOfManyFiles() {
    assertFinds(RULES.packagesAreSmall("launch", 0), ROOT + "launch has 1 files");
  }

  @Test
  void aCallOfCPastMpi() {
    assertFinds(RULES.onlyTheseCallCPastMpi(Set.of()), "persist.Upper.answer", "bindings.Native.call");
    assertThat(RULES.onlyTheseCallCPastMpi(Set.of("persist.Upper")).allowEmptyShould(true).evaluate(WRONG).hasViolation())
        .isFalse();
  }

  @Test
  void aPresetAboveTheBindings() {
    assertFinds(RULES.nobodyAboveTheBindingsNeedsJavaCpp(), "mpi.Lower.answer", "presets.Preset.ANSWER");
  }

  @Test
  void aSignatureWithWhatIsNotForUsers() {
    assertFinds(RULES.signaturesForUsersHaveTypesForUsersOnly(), "mpi.Lower.answer", "mpi.internal.Hidden");
  }

  @Test
  void anExampleThatUsesWhatIsNotForUsers() {
    assertFinds(RULES.examplesUseWhatUsersMayUse(), "examples.Example.answer", "mpi.internal.Hidden");
  }

  @Test
  void aSupportForTestsThatUsesWhatIsNotForUsers() {
    assertFinds(RULES.testsOfUsersCanDoWhatTheSupportForThemDoes(), "test.Support.answer", "mpi.internal.Hidden");
  }
}
