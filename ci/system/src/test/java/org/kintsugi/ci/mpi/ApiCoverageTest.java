// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.kintsugi.runtime.MpiHome;

/** The bindings against the headers: every function is bound, but for those listed here with their reason. */
class ApiCoverageTest {
  private static final Pattern FUNCTION = Pattern.compile("OMPI_DECLSPEC\\s+\\w[\\w\\s*]*?\\b(MPIX?_\\w+)\\s*\\(");

  private static final String REMOVED = "removed by MPI 3.0; the header stops the compiler where it is used";

  /** Functions of the headers that are not bound, and why. */
  private static final Map<String, String> OMITTED = Map.ofEntries(
      Map.entry("MPI_Address", REMOVED),
      Map.entry("MPI_Errhandler_create", REMOVED),
      Map.entry("MPI_Errhandler_get", REMOVED),
      Map.entry("MPI_Errhandler_set", REMOVED),
      Map.entry("MPI_Type_extent", REMOVED),
      Map.entry("MPI_Type_hindexed", REMOVED),
      Map.entry("MPI_Type_hvector", REMOVED),
      Map.entry("MPI_Type_lb", REMOVED),
      Map.entry("MPI_Type_struct", REMOVED),
      Map.entry("MPI_Type_ub", REMOVED));

  @Test
  void everyFunctionOfMpiAndUlfmIsBound() throws Exception {
    Path include = MpiHome.find(null, System.getenv()).prefix().resolve("include");
    assertBound(include.resolve("mpi.h"), "org.kintsugi.bindings.MPI", 400);
    assertBound(include.resolve("openmpi/mpiext/mpiext_ftmpi_c.h"), "org.kintsugi.bindings.ULFM", 9);
  }

  @Test
  void handlesAndAddressesCrossAsPrimitives() throws ClassNotFoundException {
    for (String name : new String[] {"org.kintsugi.bindings.MPI", "org.kintsugi.bindings.ULFM"}) {
      for (Method method : natives(name)) {
        assertThat(method.getReturnType().isPrimitive()).as(method.toString()).isTrue();
        assertThat(method.getParameterTypes()).as(method.toString()).allMatch(Class::isPrimitive);
      }
    }
  }

  private static void assertBound(Path header, String className, int atLeast) throws Exception {
    Set<String> declared = functions(header);
    assertThat(declared.size()).as("functions of " + header).isGreaterThanOrEqualTo(atLeast);
    Set<String> bound = Arrays.stream(natives(className)).map(Method::getName).collect(Collectors.toSet());
    Set<String> missing = new TreeSet<>(declared);
    missing.removeAll(bound);
    missing.removeAll(OMITTED.keySet());
    assertThat(missing).as("functions of " + header + " that are not bound").isEmpty();
  }

  /** Without initialising the class: this process has no MPI. */
  private static Method[] natives(String className) throws ClassNotFoundException {
    Class<?> bindings = Class.forName(className, false, ApiCoverageTest.class.getClassLoader());
    return Arrays.stream(bindings.getDeclaredMethods())
        .filter(method -> Modifier.isNative(method.getModifiers())).toArray(Method[]::new);
  }

  private static Set<String> functions(Path header) throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher matcher = FUNCTION.matcher(Files.readString(header));
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }
}
