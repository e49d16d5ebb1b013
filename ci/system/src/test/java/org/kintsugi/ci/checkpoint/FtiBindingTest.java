// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.test.RankJob;

/** The raw binding of FTI: all of its header, and a program line by line as in C. */
@Tag("flavours")
class FtiBindingTest {
  private static final Pattern FUNCTION =
      Pattern.compile("^\\s*[\\w*]+\\s+\\*?(FTI_\\w+)\\s*\\(([^)]*)\\)\\s*;", Pattern.MULTILINE);
  private static final Pattern VARIABLE = Pattern.compile("extern\\s+\\w+\\s+(FTI_\\w+);");
  /** It returns a structure that Java gives the address for: address and length come in addition. */
  private static final String RETURNS_STRUCTURE = "FTI_GetConfig";

  @TempDir
  private Path folder;

  @Test
  void everyFunctionOfTheHeaderIsBound() throws IOException, ClassNotFoundException {
    String header = Files.readString(Installed.orSkip("fti").resolve("include").resolve("fti.h"));
    Map<String, Integer> declared = new TreeMap<>();
    Matcher function = FUNCTION.matcher(header);
    while (function.find()) {
      int parameters = function.group(2).isBlank() ? 0 : function.group(2).split(",").length;
      declared.put(function.group(1), function.group(1).equals(RETURNS_STRUCTURE) ? parameters + 2 : parameters);
    }
    Matcher variable = VARIABLE.matcher(header);
    while (variable.find()) {
      declared.put(variable.group(1), 0);
    }
    assertThat(declared).as("found in fti.h").hasSizeGreaterThanOrEqualTo(49).containsKeys("FTI_Init", "FTI_COMM_WORLD");
    Map<String, Integer> bound = new TreeMap<>();
    for (Method method : natives()) {
      // A variable has a setter, too.
      bound.merge(method.getName(), method.getParameterCount(), Math::min);
    }
    assertThat(bound).containsAllEntriesOf(declared);
  }

  @Test
  void handlesAndAddressesCrossAsPrimitives() throws ClassNotFoundException {
    for (Method method : natives()) {
      assertThat(method.getReturnType().isPrimitive()).as(method.toString()).isTrue();
      assertThat(method.getParameterTypes()).as(method.toString()).allMatch(Class::isPrimitive);
    }
  }

  /** Without initialising the class: this process has no MPI. */
  private static Method[] natives() throws ClassNotFoundException {
    Class<?> bindings = Class.forName("org.kintsugi.bindings.FTI", false, FtiBindingTest.class.getClassLoader());
    return Arrays.stream(bindings.getDeclaredMethods())
        .filter(method -> Modifier.isNative(method.getModifiers())).toArray(Method[]::new);
  }

  @Test
  void aProgramLineByLine() {
    Installed.orSkip("fti");
    RankJob.Outcome outcome = RankJob.of(2, 0).run(FtiLineByLine.class, folder.toString()).assertSuccess();
    assertThat(outcome.reports()).containsEntry("0", "as in C").containsEntry("1", "as in C");
  }

  @Test
  void whatIsMissingIsSaid() {
    RankJob.Outcome outcome = RankJob.of(2, 0).mpirun("-x", "FTI_HOME=/nowhere/fti").jvm("-Dkintsugi.checkpoint.store=fti")
        .run(FtiLossRanks.class, "all");
    assertThat(outcome.exitCode()).isNotZero();
    assertThat(outcome.output()).contains("libfti.so").contains("is not installed").contains("/nowhere/fti")
        .contains("FTI_HOME");
  }
}
