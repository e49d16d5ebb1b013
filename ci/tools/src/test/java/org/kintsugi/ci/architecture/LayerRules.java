// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Dependencies between packages point one way: ci -> examples, test -> java-api, launcher -> runtime, bindings; inside java-api
 * reinit -> checkpoint, persist -> mpi. A lower layer reaches a higher one through registered interfaces only.
 *
 * <p>No packages make up a circle. A package and its {@code internal} packages count as one: they may use each other, but the
 * internal ones among themselves make up no circle either.
 *
 * <p>The rules are for the packages below a root, so that {@link LayerRulesTest} can see each rule fail.
 */
final class LayerRules {
  private static final String INTERNAL = ".internal";

  /** The packages of the launcher, each of which depends on earlier ones only. */
  static final List<String> LAUNCHER =
      List.of("spec", "internal.host", "internal.batch", "internal.commandline", "internal.recording",
          "internal.natives", "internal.network", "internal.mpirun", "internal.check", "internal.connections", "internal.stalls",
          "internal.spares",
          "internal.control",
          "internal.job", "internal.doctor", "internal.timeline", "internal.proof", "internal.advice", "");

  /** The largest number of files in a package whose classes users do not see. */
  static final int MOST_FILES = 25;

  private final String root;
  private final String bindings;
  private final String[] api;
  private final String[] notForUsers;

  /** For the packages of a tree, whose name ends with a dot. */
  LayerRules(String root) {
    this.root = root;
    bindings = root + "bindings..";
    api = new String[] {root + "mpi..", root + "inject..", root + "checkpoint..", root + "persist..", root + "reinit.."};
    notForUsers =
        new String[] {bindings, root + "presets..", root + "ci..", root + "(**)" + INTERNAL + ".."};
  }

  DescribedPredicate<JavaClass> isApi() {
    return resideInAnyPackage(api);
  }

  DescribedPredicate<JavaClass> isOfBindings() {
    return resideInAPackage(bindings);
  }

  ArchRule noPackagesMakeUpACircle() {
    return slices().assignedFrom(new Packages()).should().beFreeOfCycles();
  }

  ArchRule noInternalPackagesMakeUpACircle() {
    return slices().assignedFrom(new InternalPackages()).should().beFreeOfCycles();
  }

  /** These packages are below the classes that programs see. */
  ArchRule theBasisOfMpiDoesNotKnowMpi() {
    return noClasses().that().resideInAnyPackage(root + "mpi.internal.memory..", root + "mpi.internal.files..",
        root + "mpi.internal.launcher..", root + "mpi.internal.lifetime..").should().dependOnClassesThat()
        .resideInAPackage(root + "mpi");
  }

  ArchRule dependenciesPointOneWay() {
    return layeredArchitecture().consideringOnlyDependenciesInLayers()
        .layer("runtime").definedBy(root + "runtime..")
        .optionalLayer("presets").definedBy(root + "presets..")
        .layer("bindings").definedBy(bindings)
        .layer("mpi").definedBy(root + "mpi..")
        .layer("inject").definedBy(root + "inject..")
        .layer("checkpoint").definedBy(root + "checkpoint", root + "checkpoint.engine..", root + "checkpoint.internal",
            root + "checkpoint.internal.protection..", root + "checkpoint.internal.image..", root + "checkpoint.internal.files..",
            root + "checkpoint.internal.memory..", root + "checkpoint.internal.proof..")
        .layer("fti").definedBy(root + "checkpoint.internal.fti..")
        .layer("scr").definedBy(root + "checkpoint.scr..")
        .layer("persist").definedBy(root + "persist", root + "persist.internal")
        .layer("persist.scr").definedBy(root + "persist.internal.scr..")
        .layer("reinit").definedBy(root + "reinit..")
        .layer("launcher").definedBy(root + "launch..")
        .layer("test").definedBy(root + "test..")
        .optionalLayer("advice").definedBy(root + "advice..")
        .whereLayer("presets").mayOnlyBeAccessedByLayers("bindings")
        .whereLayer("inject").mayOnlyBeAccessedByLayers("reinit")
        .whereLayer("checkpoint").mayOnlyBeAccessedByLayers("fti", "scr", "persist.scr", "reinit", "test", "advice")
        .whereLayer("fti").mayNotBeAccessedByAnyLayer()
        .whereLayer("scr").mayOnlyBeAccessedByLayers("persist.scr")
        .whereLayer("persist").mayOnlyBeAccessedByLayers("persist.scr", "reinit")
        .whereLayer("persist.scr").mayNotBeAccessedByAnyLayer()
        .whereLayer("reinit").mayOnlyBeAccessedByLayers("test", "advice")
        .whereLayer("launcher").mayOnlyBeAccessedByLayers("test")
        .whereLayer("advice").mayNotBeAccessedByAnyLayer()
        .whereLayer("test").mayNotBeAccessedByAnyLayer();
  }

  ArchRule runtimeDependsOnNothing() {
    return classes().that().resideInAPackage(root + "runtime..").should().onlyDependOnClassesThat()
        .resideInAnyPackage(root + "runtime..", "java..");
  }

  ArchRule theLauncherNeedsNoNativesAndNoApi() {
    return noClasses().that().resideInAPackage(root + "launch..").should().dependOnClassesThat()
        .resideInAnyPackage(with(api, bindings, root + "presets..", "org.bytedeco.."));
  }

  /** {@link #LAUNCHER} is complete, and no package depends on a later one. */
  ArchRule noPackageOfTheLauncherLooksUp() {
    return classes().that().resideInAPackage(root + "launch..").should(new ArchCondition<>("depend on lower packages only") {
      @Override
      public void check(JavaClass one, ConditionEvents events) {
        for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
          int target = floor(dependency.getTargetClass());
          boolean isOfLauncher = dependency.getTargetClass().getPackageName().startsWith(root + "launch");
          if (isOfLauncher && (target < 0 || target > floor(one))) {
            events.add(SimpleConditionEvent.violated(one, dependency.getDescription()));
          }
        }
      }
    });
  }

  private int floor(JavaClass one) {
    String name = one.getPackageName();
    String launcher = root + "launch";
    return LAUNCHER.indexOf(name.equals(launcher) ? "" : name.substring(Math.min(name.length(), launcher.length() + 1)));
  }

  /** A package with more is several things. */
  ArchRule packagesAreSmall(String packages, int mostFiles) {
    return classes().that().resideInAPackage(root + packages).should(new ArchCondition<>("be in packages of few files") {
      private final Map<String, Set<String>> files = new TreeMap<>();

      @Override
      public void check(JavaClass one, ConditionEvents events) {
        files.computeIfAbsent(one.getPackageName(), name -> new TreeSet<>()).add(outermost(one));
      }

      @Override
      public void finish(ConditionEvents events) {
        files.forEach((name, found) -> {
          if (found.size() > mostFiles) {
            events.add(SimpleConditionEvent.violated(name, name + " has " + found.size() + " files"));
          }
        });
      }
    });
  }

  /** These may, by their names without the root. */
  ArchRule onlyTheseCallCPastMpi(Collection<String> callers) {
    return classes().that().resideInAnyPackage(api).and().resideOutsideOfPackage(root + "mpi..")
        .and(DescribedPredicate.describe("are not listed as callers of C", one -> !callers.contains(outermost(one))))
        .should().onlyDependOnClassesThat(DescribedPredicate.not(resideInAPackage(bindings)));
  }

  ArchRule nobodyAboveTheBindingsNeedsJavaCpp() {
    return noClasses().that().resideInAnyPackage(with(api, root + "launch..", root + "runtime..")).should()
        .dependOnClassesThat().resideInAnyPackage("org.bytedeco..", root + "presets..");
  }

  ArchRule signaturesForUsersHaveTypesForUsersOnly() {
    return members().that().areDeclaredInClassesThat().resideInAnyPackage(api).and(areForUsers())
        .should(haveNoTypeOf("org.bytedeco..", bindings, root + "presets..", root + "(**)" + INTERNAL + ".."));
  }

  ArchRule examplesUseWhatUsersMayUse() {
    return noClasses().that().resideInAPackage(root + "examples..").and().resideOutsideOfPackage(root + "examples.experiments..")
        .should().dependOnClassesThat().resideInAnyPackage(with(notForUsers, root + "launch..", root + "test.."));
  }

  /** They lose nodes of the simulated cluster. */
  ArchRule experimentsUseWhatTestsOfUsersMayUse() {
    return noClasses().that().resideInAPackage(root + "examples.experiments..").should().dependOnClassesThat()
        .resideInAnyPackage(with(notForUsers, root + "launch.."));
  }

  ArchRule testsOfUsersCanDoWhatTheSupportForThemDoes() {
    return noClasses().that().resideInAPackage(root + "test..").should().dependOnClassesThat().resideInAnyPackage(notForUsers);
  }

  private static String[] with(String[] some, String... more) {
    List<String> all = new ArrayList<>(List.of(some));
    all.addAll(List.of(more));
    return all.toArray(new String[0]);
  }

  /** The name of the class whose file it is in, without the root. */
  String outermost(JavaClass one) {
    return one.getName().substring(root.length()).replaceFirst("\\$.*", "");
  }

  /** Public, or protected, in a class that users see. */
  private DescribedPredicate<JavaMember> areForUsers() {
    return DescribedPredicate.describe("are for users",
        member -> isSeen(member.getModifiers()) && areSeen(member.getOwner())
            && !isInternal(member.getOwner().getPackageName()));
  }

  private static boolean isSeen(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  private static boolean areSeen(JavaClass one) {
    return isSeen(one.getModifiers()) && one.getEnclosingClass().map(LayerRules::areSeen).orElse(true);
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

  private static boolean isInternal(String name) {
    return (name + ".").contains(INTERNAL + ".");
  }

  /** A package is a slice, together with its internal packages. */
  private static final class Packages implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass one) {
      String name = one.getPackageName();
      return SliceIdentifier.of(isInternal(name) ? name.substring(0, (name + ".").indexOf(INTERNAL + ".")) : name);
    }

    @Override
    public String getDescription() {
      return "packages";
    }
  }

  /** Each internal package is a slice. */
  private static final class InternalPackages implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass one) {
      String name = one.getPackageName();
      return isInternal(name) ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "internal packages";
    }
  }
}
