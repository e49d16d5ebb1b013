// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.internal.launcher.OwnPackages;

/** The packages of Kintsugi keep to the {@link LayerRules}. */
class LayersTest {
  private static final String ROOT = "org.kintsugi.";
  private static final LayerRules RULES = new LayerRules(ROOT);

  /** The classes that call C beside mpi and mpi.internal, each for a reason that its own comment gives. */
  private static final Set<String> CALLERS_OF_C =
      Set.of("checkpoint.internal.WorldDuplicate", "checkpoint.internal.files.RawFile",
          "checkpoint.internal.fti.FtiInstance", "checkpoint.scr.internal.ScrEngine", "checkpoint.scr.ScrLibrary",
          "inject.Killer", "reinit.ProcessFailureWatch", "reinit.ReinitPlusPlusProvider", "reinit.SpareCalls",
          "reinit.RepairLimit", "reinit.WarmRank");

  private static final JavaClasses ALL = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS).importPackages(ROOT.substring(0, ROOT.length() - 1));

  private static final JavaClasses PRODUCT = ALL.that(DescribedPredicate.not(
      resideInAnyPackage(ROOT + "ci..", ROOT + "examples..")));

  @Test
  void allIsLookedAt() {
    // Rules about no class hold. The presets are not there at run time.
    Set<String> packages = PRODUCT.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
    assertThat(packages).containsExactly(ROOT + "advice", ROOT + "advice.internal.calls", ROOT + "advice.internal.code",
        ROOT + "advice.internal.findings", ROOT + "advice.internal.objects", ROOT + "advice.internal.protection",
        ROOT + "advice.internal.rewrite", ROOT + "advice.internal.shadow", ROOT + "bindings", ROOT + "bindings.internal",
        ROOT + "checkpoint",
        ROOT + "checkpoint.engine", ROOT + "checkpoint.internal", ROOT + "checkpoint.internal.files",
        ROOT + "checkpoint.internal.fti", ROOT + "checkpoint.internal.image", ROOT + "checkpoint.internal.memory",
        ROOT + "checkpoint.internal.proof", ROOT + "checkpoint.internal.protection", ROOT + "checkpoint.scr",
        ROOT + "checkpoint.scr.internal", ROOT + "inject",
        ROOT + "launch", ROOT + "launch.internal.advice", ROOT + "launch.internal.batch", ROOT + "launch.internal.check",
        ROOT + "launch.internal.commandline",
        ROOT + "launch.internal.connections", ROOT + "launch.internal.control", ROOT + "launch.internal.doctor",
        ROOT + "launch.internal.host", ROOT + "launch.internal.job", ROOT + "launch.internal.mpirun",
        ROOT + "launch.internal.natives", ROOT + "launch.internal.network", ROOT + "launch.internal.proof",
        ROOT + "launch.internal.recording",
        ROOT + "launch.internal.spares",
        ROOT + "launch.internal.stalls", ROOT + "launch.internal.timeline", ROOT + "launch.spec",
        ROOT + "mpi", ROOT + "mpi.internal", ROOT + "mpi.internal.calls", ROOT + "mpi.internal.check",
        ROOT + "mpi.internal.collective", ROOT + "mpi.internal.events",
        ROOT + "mpi.internal.files", ROOT + "mpi.internal.launcher", ROOT + "mpi.internal.layout", ROOT + "mpi.internal.lifetime",
        ROOT + "mpi.internal.memory", ROOT + "mpi.internal.objects", ROOT + "mpi.internal.startup",
        ROOT + "mpi.internal.threads", ROOT + "mpi.internal.variants",
        ROOT + "persist", ROOT + "persist.internal", ROOT + "persist.internal.scr", ROOT + "reinit", ROOT + "runtime",
        ROOT + "runtime.internal", ROOT + "runtime.internal.advice", ROOT + "runtime.internal.protocol", ROOT + "test",
        ROOT + "test.cluster");
  }

  /** By name, which no compiler compares. */
  @Test
  void thePackagesOfTheApiAreKnownToThoseWhoTellThemFromPrograms() {
    JavaClasses api = new ClassFileImporter().importUrl(Mpi.class.getProtectionDomain().getCodeSource().getLocation());
    assertThat(api).isNotEmpty().allSatisfy(one -> assertThat(OwnPackages.NAMES)
        .anyMatch(name -> one.getPackageName().equals(name) || one.getPackageName().startsWith(name + ".")));
  }

  @Test
  void noPackagesMakeUpACircle() {
    RULES.noPackagesMakeUpACircle().check(ALL);
  }

  @Test
  void noInternalPackagesMakeUpACircle() {
    RULES.noInternalPackagesMakeUpACircle().check(ALL);
  }

  @Test
  void theBasisOfMpiDoesNotKnowMpi() {
    RULES.theBasisOfMpiDoesNotKnowMpi().check(PRODUCT);
  }

  @Test
  void internalPackagesAreSmall() {
    RULES.packagesAreSmall("(**).internal..", LayerRules.MOST_FILES).check(PRODUCT);
  }

  @Test
  void dependenciesPointOneWay() {
    RULES.dependenciesPointOneWay().check(PRODUCT);
  }

  @Test
  void runtimeDependsOnNothing() {
    RULES.runtimeDependsOnNothing().check(PRODUCT);
  }

  @Test
  void theLauncherNeedsNoNativesAndNoApi() {
    RULES.theLauncherNeedsNoNativesAndNoApi().check(PRODUCT);
  }

  @Test
  void noPackageOfTheLauncherLooksUp() {
    RULES.noPackageOfTheLauncherLooksUp().check(PRODUCT);
  }

  @Test
  void packagesOfTheLauncherAreSmall() {
    RULES.packagesAreSmall("launch..", LayerRules.MOST_FILES).check(PRODUCT);
    RULES.packagesAreSmall("runtime..", LayerRules.MOST_FILES).check(PRODUCT);
  }

  @Test
  void onlyAFewCallCPastMpi() {
    RULES.onlyTheseCallCPastMpi(CALLERS_OF_C).check(PRODUCT);
    // And the list has no name that needs it no more.
    Set<String> callers = PRODUCT.stream().filter(RULES.isApi().and(DescribedPredicate.not(resideInAPackage(ROOT + "mpi.."))))
        .filter(one -> one.getDirectDependenciesFromSelf().stream().map(Dependency::getTargetClass)
            .anyMatch(RULES.isOfBindings()))
        .map(RULES::outermost).collect(Collectors.toCollection(TreeSet::new));
    assertThat(callers).containsExactlyInAnyOrderElementsOf(CALLERS_OF_C);
  }

  @Test
  void nobodyAboveTheBindingsNeedsJavaCpp() {
    RULES.nobodyAboveTheBindingsNeedsJavaCpp().check(PRODUCT);
  }

  @Test
  void signaturesForUsersHaveTypesForUsersOnly() {
    RULES.signaturesForUsersHaveTypesForUsersOnly().check(PRODUCT);
  }

  @Test
  void examplesUseWhatUsersMayUse() {
    RULES.examplesUseWhatUsersMayUse().check(ALL);
    RULES.experimentsUseWhatTestsOfUsersMayUse().check(ALL);
  }

  @Test
  void testsOfUsersCanDoWhatTheSupportForThemDoes() {
    RULES.testsOfUsersCanDoWhatTheSupportForThemDoes().check(ALL);
  }

  @Test
  void theModuleExportsWhatUsersMayTouch() throws URISyntaxException {
    Path classes = Path.of(Mpi.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleDescriptor module = ModuleFinder.of(classes).find("org.kintsugi").orElseThrow().descriptor();
    assertThat(module.exports()).allMatch(one -> !one.isQualified()).extracting(ModuleDescriptor.Exports::source)
        .containsExactlyInAnyOrder(ROOT + "mpi", ROOT + "inject", ROOT + "reinit", ROOT + "checkpoint",
            ROOT + "checkpoint.engine",
            ROOT + "checkpoint.scr", ROOT + "persist");
  }
}
