// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.launch.Kintsugi;

/** The doctor's checks of the environment. InstallationTest has those of jobs and other hosts. */
class ExaminationTest {
  private static final int LIMIT_SECONDS = 30;

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

  /** The doctor's output in separate namespaces, after a command has been run there. */
  private static String doctorBehind(String namespaces, String before) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process;
    try {
      process = new ProcessBuilder("unshare", namespaces, "sh", "-c", before + " && exec \"$@\"", "sh", java.toString(),
          "-cp", System.getProperty("java.class.path"), Kintsugi.class.getName(), "doctor", "--mpi", "/proc/none")
          .redirectErrorStream(true).start();
    } catch (IOException e) {
      Assumptions.abort("no unshare here: " + e.getMessage());
      throw e;
    }
    try {
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      Assumptions.assumeTrue(said.contains("well   Java: "), "namespaces, mount or ip are not permitted here: " + said);
      return said;
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void littleSharedMemoryIsFound() throws Exception {
    assertThat(doctorBehind("--mount", "mount -t tmpfs -o size=8m none /dev/shm"))
        .contains("WRONG  shared memory: only 8 MiB free in /dev/shm");
    assertThat(doctorBehind("--mount", "mount -t tmpfs -o size=80m none /dev/shm"))
        .contains("well   shared memory: 80 MiB free in /dev/shm").doesNotContain("WRONG  shared memory");
  }

  @Test
  void aHostWithoutNetworkIsFound() throws Exception {
    assertThat(doctorBehind("--net", "true")).contains("WRONG  network: no interface is up").contains("ip link set lo up");
    assertThat(doctorBehind("--net", "ip link set lo up")).doesNotContain("WRONG  network");
  }
}
