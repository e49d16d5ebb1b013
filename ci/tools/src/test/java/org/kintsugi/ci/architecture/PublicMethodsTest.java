// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.invoke.MethodHandles;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.kintsugi.bindings.MPI;
import org.kintsugi.launch.Jmpirun;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.test.RanksTest;

/**
 * What users may call can be called by reflection. Clojure, scripts, mocks and serializers do that, and Java refuses a public
 * method whose class is not public. Where a public class inherits it, javac declares it there once more, but not if it is final
 * or static.
 */
class PublicMethodsTest {
  private static final String ROOT = "org.kintsugi";

  private static final JavaClasses ALL = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS).importPackages(ROOT);

  /** One class of each module that users have. */
  private static final List<Class<?>> MODULES =
      List.of(Mpi.class, JobConfig.class, MPI.class, Jmpirun.class, RanksTest.class);

  private static Stream<String> exported(Class<?> one) {
    try {
      Path classes = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
      ModuleDescriptor module = ModuleFinder.of(classes).findAll().iterator().next().descriptor();
      return module.exports().stream().filter(exports -> !exports.isQualified()).map(ModuleDescriptor.Exports::source);
    } catch (URISyntaxException wrong) {
      throw new AssertionError(wrong);
    }
  }

  private static List<Class<?>> publicClasses() {
    List<String> packages = MODULES.stream().flatMap(PublicMethodsTest::exported).toList();
    List<Class<?>> classes = new ArrayList<>();
    for (JavaClass one : ALL) {
      if (packages.contains(one.getPackageName())) {
        // not initialised: that would load the MPI
        Class<?> loaded = load(one.getName());
        if (isPublic(loaded)) {
          classes.add(loaded);
        }
      }
    }
    return classes;
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, PublicMethodsTest.class.getClassLoader());
    } catch (ClassNotFoundException wrong) {
      throw new AssertionError(wrong);
    }
  }

  private static boolean isPublic(Class<?> one) {
    return Modifier.isPublic(one.getModifiers())
        && (one.getEnclosingClass() == null || isPublic(one.getEnclosingClass()));
  }

  private static boolean isOurs(Member member) {
    return member.getDeclaringClass().getName().startsWith(ROOT + ".");
  }

  @Test
  void everyPublicMethodAndFieldIsOfAPublicClass() {
    List<String> refused = new ArrayList<>();
    List<Class<?>> classes = publicClasses();
    for (Class<?> one : classes) {
      for (Method method : one.getMethods()) {
        try {
          MethodHandles.publicLookup().unreflect(method);
        } catch (IllegalAccessException notPublic) {
          if (isOurs(method)) {
            refused.add(one.getName() + ": " + method);
          }
        }
      }
      for (Field field : one.getFields()) {
        if (isOurs(field) && !isPublic(field.getDeclaringClass())) {
          refused.add(one.getName() + ": " + field);
        }
      }
    }
    assertThat(refused).isEmpty();
    // Had it looked at nothing, it would have found nothing.
    assertThat(classes).contains(Comm.class, CartComm.class, Buf.class, MPI.class, RanksTest.class).hasSizeGreaterThan(60);
  }

  @Test
  void elementsAreReadAndWrittenByReflection() throws ReflectiveOperationException {
    try (Buf buf = Buf.allocateInts(3)) {
      Buf.class.getMethod("putInt", long.class, int.class).invoke(buf, 1L, 42);
      assertThat(Buf.class.getMethod("getInt", long.class).invoke(buf, 1L)).isEqualTo(42);
    }
  }
}
