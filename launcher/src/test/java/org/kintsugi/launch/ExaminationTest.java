// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor reads in the environment; jobs and other hosts are InstallationTest's. */
class ExaminationTest {
  private static List<String> findings(Map<String, String> environment) {
    return new Examination(environment, null).findings(Path.of("/proc/none"), null, null, List.of()).stream()
        .map(Object::toString).toList();
  }

  @ParameterizedTest
  @CsvSource(value = {"SIGILL,SIGSEGV;true", "4,11;true", "SIGILL,SIGBUS,SIGFPE;false", "111;false"}, delimiter = ';')
  void ucxTakesSignals(String signals, boolean isWrong) {
    assertThat(
        findings(Map.of("UCX_ERROR_SIGNALS", signals)).stream().anyMatch(line -> line.contains("UCX_ERROR_SIGNALS=" + signals)))
        .isEqualTo(isWrong);
  }

  @Test
  void sshIsLookedForOnThePath(@TempDir Path folder) throws Exception {
    assertThat(findings(Map.of("PATH", folder.toString()))).anyMatch(line -> line.contains("Install an ssh client"));
    assertThat(Files.createFile(folder.resolve("ssh")).toFile().setExecutable(true)).isTrue();
    assertThat(findings(Map.of("PATH", folder.toString()))).noneMatch(line -> line.contains("Install an ssh client"));
  }
}
