// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Mpi;

/**
 * Dependencies between packages point one way: ci -> examples, test -> java-api, launcher -> runtime, bindings; inside java-api
 * reinit -> checkpoint, persist -> mpi. What lies below learns of what lies above through registered interfaces only.
 *
 * <p>A package and its {@code internal} part are one layer here. They need each other: {@code mpi.internal} makes exceptions and
 * knows the communicators of an epoch, {@code checkpoint.internal} has engines; {@code mpi} and {@code checkpoint} are built on
 * them. To part them would take an interface for each class of {@code mpi} that {@code mpi.internal} handles.
 */
class LayersTest {
  private static final String ROOT = "org.kintsugi.";
  private static final String INTERNAL = ".internal";
  private static final String BINDINGS = ROOT + "bindings..";

  private static final String[] API =
      {ROOT + "mpi..", ROOT + "inject..", ROOT + "checkpoint..", ROOT + "persist..", ROOT + "reinit.."};

  private static final String[] NOT_FOR_USERS =
      {BINDINGS, ROOT + "presets..", ROOT + "ci..", ROOT + "mpi.internal..", ROOT + "checkpoint.internal.."};

  /** Who calls C beside mpi and mpi.internal, each for a reason that its own comment gives. */
  private static final Set<String> CALLERS_OF_C = Set.of("checkpoint.internal.WorldDuplicate", "checkpoint.internal.RawFile",
      "checkpoint.fti.FtiInstance", "checkpoint.scr.ScrEngine", "checkpoint.scr.ScrLibrary",
      "inject.Killer", "persist.Payloads", "reinit.DeathWatch", "reinit.ReinitPlusPlusProvider", "reinit.SpareCalls",
      "reinit.RepairLimit", "reinit.WarmRank");

  private static final JavaClasses ALL = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS).importPackages(ROOT.substring(0, ROOT.length() - 1));

  private static final JavaClasses PRODUCT = ALL.that(DescribedPredicate.not(
      resideInAnyPackage(ROOT + "ci..", ROOT + "examples..")));

  @Test
  void allIsLookedAt() {
    // Rules about no class hold.
    Set<String> packages = PRODUCT.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
    assertThat(packages).containsExactly(ROOT + "bindings", ROOT + "checkpoint", ROOT + "checkpoint.fti",
        ROOT + "checkpoint.internal",
        ROOT + "checkpoint.scr",
        ROOT + "inject", ROOT + "launch", ROOT + "mpi", ROOT + "mpi.internal", ROOT + "persist", ROOT + "persist.scr",
        ROOT + "presets", ROOT + "reinit", ROOT + "runtime", ROOT + "test", ROOT + "test.cluster");
  }

  @Test
  void noPackagesMakeUpACircle() {
    slices().assignedFrom(new Packages()).should().beFreeOfCycles().check(ALL);
  }

  @Test
  void dependenciesPointOneWay() {
    layeredArchitecture().consideringOnlyDependenciesInLayers()
        .layer("runtime").definedBy(ROOT + "runtime..")
        .layer("presets").definedBy(ROOT + "presets..")
        .layer("bindings").definedBy(BINDINGS)
        .layer("mpi").definedBy(ROOT + "mpi..")
        .layer("inject").definedBy(ROOT + "inject..")
        .layer("checkpoint").definedBy(ROOT + "checkpoint", ROOT + "checkpoint.internal..")
        .layer("fti").definedBy(ROOT + "checkpoint.fti..")
        .layer("scr").definedBy(ROOT + "checkpoint.scr..")
        .layer("persist").definedBy(ROOT + "persist")
        .layer("persist.scr").definedBy(ROOT + "persist.scr..")
        .layer("reinit").definedBy(ROOT + "reinit..")
        .layer("launcher").definedBy(ROOT + "launch..")
        .layer("test").definedBy(ROOT + "test..")
        .whereLayer("presets").mayOnlyBeAccessedByLayers("bindings")
        .whereLayer("inject").mayOnlyBeAccessedByLayers("reinit")
        .whereLayer("checkpoint").mayOnlyBeAccessedByLayers("fti", "scr", "persist.scr", "reinit", "test")
        .whereLayer("fti").mayNotBeAccessedByAnyLayer()
        .whereLayer("scr").mayOnlyBeAccessedByLayers("persist.scr")
        .whereLayer("persist").mayOnlyBeAccessedByLayers("persist.scr", "reinit")
        .whereLayer("persist.scr").mayNotBeAccessedByAnyLayer()
        .whereLayer("reinit").mayOnlyBeAccessedByLayers("test")
        .whereLayer("launcher").mayOnlyBeAccessedByLayers("test")
        .whereLayer("test").mayNotBeAccessedByAnyLayer()
        .check(PRODUCT);
  }

  @Test
  void runtimeDependsOnNothing() {
    classes().that().resideInAPackage(ROOT + "runtime..").should().onlyDependOnClassesThat()
        .resideInAnyPackage(ROOT + "runtime..", "java..").check(PRODUCT);
  }

  @Test
  void theLauncherNeedsNoNativesAndNoApi() {
    noClasses().that().resideInAPackage(ROOT + "launch..").should().dependOnClassesThat()
        .resideInAnyPackage(with(API, BINDINGS, ROOT + "presets..", "org.bytedeco..")).check(PRODUCT);
  }

  @Test
  void onlyAFewCallCPastMpi() {
    classes().that().resideInAnyPackage(API).and().resideOutsideOfPackage(ROOT + "mpi..").and(
        DescribedPredicate.describe("are not listed as callers of C", one -> !CALLERS_OF_C.contains(outermost(one))))
        .should().onlyDependOnClassesThat(DescribedPredicate.not(resideInAPackage(BINDINGS))).check(PRODUCT);
    // And the list has no name that needs it no more.
    Set<String> callers =
        PRODUCT.stream().filter(resideInAnyPackage(API).and(DescribedPredicate.not(resideInAPackage(ROOT + "mpi.."))))
            .filter(one -> one.getDirectDependenciesFromSelf().stream().map(Dependency::getTargetClass).anyMatch(
                resideInAPackage(BINDINGS)))
            .map(LayersTest::outermost).collect(Collectors.toCollection(TreeSet::new));
    assertThat(callers).containsExactlyInAnyOrderElementsOf(CALLERS_OF_C);
  }

  @Test
  void nobodyAboveTheBindingsNeedsJavaCpp() {
    // MemoryView makes a ByteBuffer of any address, which only JNI can; it keeps that to itself.
    noClasses().that().resideInAnyPackage(with(API, ROOT + "launch..", ROOT + "runtime..")).and()
        .doNotHaveFullyQualifiedName(ROOT + "mpi.internal.MemoryView$Reach").should().dependOnClassesThat()
        .resideInAnyPackage("org.bytedeco..", ROOT + "presets..").check(PRODUCT);
  }

  @Test
  void signaturesForUsersHaveTypesForUsersOnly() {
    members().that().areDeclaredInClassesThat().resideInAnyPackage(API).and(areForUsers())
        .should(haveNoTypeOf("org.bytedeco..", BINDINGS, ROOT + "presets..", ROOT + "(**)" + INTERNAL + ".."))
        .check(PRODUCT);
  }

  @Test
  void examplesUseWhatUsersMayUse() {
    noClasses().that().resideInAPackage(ROOT + "examples..").should().dependOnClassesThat()
        .resideInAnyPackage(with(NOT_FOR_USERS, ROOT + "launch..", ROOT + "test.."))
        .check(ALL);
  }

  @Test
  void testsOfUsersCanDoWhatTheSupportForThemDoes() {
    noClasses().that().resideInAPackage(ROOT + "test..").should().dependOnClassesThat().resideInAnyPackage(NOT_FOR_USERS)
        .check(ALL);
  }

  @Test
  void theModuleExportsWhatUsersMayTouch() throws URISyntaxException {
    Path classes = Path.of(Mpi.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleDescriptor module = ModuleFinder.of(classes).find("org.kintsugi").orElseThrow().descriptor();
    assertThat(module.exports()).allMatch(one -> !one.isQualified()).extracting(ModuleDescriptor.Exports::source)
        .containsExactlyInAnyOrder(ROOT + "mpi", ROOT + "inject", ROOT + "reinit", ROOT + "checkpoint", ROOT + "checkpoint.scr",
            ROOT + "persist");
  }

  private static String[] with(String[] some, String... more) {
    List<String> all = new ArrayList<>(List.of(some));
    all.addAll(List.of(more));
    return all.toArray(new String[0]);
  }

  /** The name of the class whose file it is in, without that of the project. */
  private static String outermost(JavaClass one) {
    return one.getName().substring(ROOT.length()).replaceFirst("\\$.*", "");
  }

  /** Public, or protected, in a class that users see. */
  private static DescribedPredicate<JavaMember> areForUsers() {
    return DescribedPredicate.describe("are for users",
        member -> isSeen(member.getModifiers()) && areSeen(member.getOwner())
            && !member.getOwner().getPackageName().endsWith(INTERNAL));
  }

  private static boolean isSeen(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  private static boolean areSeen(JavaClass one) {
    return isSeen(one.getModifiers()) && one.getEnclosingClass().map(LayersTest::areSeen).orElse(true);
  }

  private static ArchCondition<JavaMember> haveNoTypeOf(String... packages) {
    return new ArchCondition<>("have no type of " + String.join(", ", packages)) {
      @Override
      public void check(JavaMember member, ConditionEvents events) {
        for (JavaClass type : typesOf(member)) {
          events.add(new SimpleConditionEvent(member, !resideInAnyPackage(packages).test(type),
              member.getFullName() + " has " + type.getName()));
        }
      }
    };
  }

  private static Set<JavaClass> typesOf(JavaMember member) {
    if (member instanceof JavaField field) {
      return field.getType().getAllInvolvedRawTypes();
    }
    JavaCodeUnit unit = (JavaCodeUnit) member;
    Set<JavaClass> types = new HashSet<>(unit.getReturnType().getAllInvolvedRawTypes());
    unit.getParameterTypes().forEach(type -> types.addAll(type.getAllInvolvedRawTypes()));
    types.addAll(unit.getExceptionTypes());
    return types;
  }

  /** Each package is a slice of its own, its internal part included. */
  private static final class Packages implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass one) {
      String name = one.getPackageName();
      return SliceIdentifier.of(name.endsWith(INTERNAL) ? name.substring(0, name.length() - INTERNAL.length()) : name);
    }

    @Override
    public String getDescription() {
      return "packages";
    }
  }
}
