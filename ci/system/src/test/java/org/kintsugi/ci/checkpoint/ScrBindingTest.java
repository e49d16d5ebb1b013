// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The hand-declared binding of SCR against the header of the SCR that is installed. */
@Tag("flavours")
class ScrBindingTest {
  private static final Pattern FUNCTION = Pattern.compile("(?m)^(?:const )?(?:int|char)[ *]+(SCR_\\w+)\\s*\\(");
  private static final Pattern FLAG =
      Pattern.compile("(?m)^#define\\s+(SCR_(?:FLAG_\\w+|SUCCESS|MAX_FILENAME))\\s+(?:\\((.*?)\\)|(\\d+))");

  private static Class<?> binding() throws ClassNotFoundException {
    // Not initialised: that would load it, and MPI, into the JVM of the tests.
    return Class.forName("org.kintsugi.bindings.SCR", false, ScrBindingTest.class.getClassLoader());
  }

  private static String header() throws IOException {
    return Files.readString(Installed.orSkip("scr").resolve("include").resolve("scr.h"));
  }

  @Test
  void everyFunctionIsBoundAndNoOther() throws IOException, ClassNotFoundException {
    Set<String> declared = new TreeSet<>();
    for (Matcher function = FUNCTION.matcher(header()); function.find();) {
      declared.add(function.group(1));
    }
    assertThat(declared).hasSizeGreaterThanOrEqualTo(18);
    Set<String> bound = Arrays.stream(binding().getDeclaredMethods()).filter(method -> Modifier.isNative(method.getModifiers()))
        .map(Method::getName).filter(name -> name.startsWith("SCR_")).collect(Collectors.toCollection(TreeSet::new));
    assertThat(bound).isEqualTo(declared);
  }

  @Test
  void constantsHaveTheHeadersValues() throws IOException, ReflectiveOperationException {
    int constants = 0;
    for (Matcher constant = FLAG.matcher(header()); constant.find(); constants++) {
      String value = constant.group(2) == null ? constant.group(3) : constant.group(2);
      String[] shift = value.split("<<");
      int expected = Integer.parseInt(shift[0].trim()) << (shift.length == 1 ? 0 : Integer.parseInt(shift[1].trim()));
      // A constant of the compiler: reading it initialises nothing, but reflection would.
      assertThat(constantOf(constant.group(1))).as(constant.group(1)).isEqualTo(expected);
    }
    assertThat(constants).isEqualTo(5);
  }

  private static int constantOf(String name) {
    return switch (name) {
      case "SCR_SUCCESS" -> org.kintsugi.bindings.SCR.SCR_SUCCESS;
      case "SCR_MAX_FILENAME" -> org.kintsugi.bindings.SCR.SCR_MAX_FILENAME;
      case "SCR_FLAG_NONE" -> org.kintsugi.bindings.SCR.SCR_FLAG_NONE;
      case "SCR_FLAG_CHECKPOINT" -> org.kintsugi.bindings.SCR.SCR_FLAG_CHECKPOINT;
      case "SCR_FLAG_OUTPUT" -> org.kintsugi.bindings.SCR.SCR_FLAG_OUTPUT;
      default -> throw new AssertionError("the binding has no " + name);
    };
  }
}
