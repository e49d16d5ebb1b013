// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code make test} succeeds or fails by this. */
class TestSummaryTest {
  private static final String PASSED = "<testcase name='good' classname='a.B'/>";

  @TempDir
  private Path root;

  private String printed;

  /** As Surefire leaves it: a module's folder of reports, the class, its seconds, its tests. */
  private void report(String module, String folder, String name, String seconds, String... tests) throws IOException {
    Path reports = Files.createDirectories(root.resolve(module).resolve("target").resolve(folder));
    Files.writeString(reports.resolve("TEST-" + name + ".xml"), "<?xml version='1.0' encoding='UTF-8'?>\n<testsuite name='" + name
        + "' time='" + seconds + "'>" + String.join("", tests) + "</testsuite>");
  }

  private static String skipped(String message) {
    return "<testcase name='skipped' classname='a.B'><skipped message='" + message + "'/></testcase>";
  }

  private int summarise(String... codeAndRun) throws Exception {
    String[] args = new String[1 + codeAndRun.length];
    args[0] = root.toString();
    System.arraycopy(codeAndRun, 0, args, 1, codeAndRun.length);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int code;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      code = TestSummary.run(out, args);
    }
    printed = bytes.toString(StandardCharsets.UTF_8);
    return code;
  }

  @Test
  void allThatPassedIsASuccess() throws Exception {
    report("ci", "surefire-reports", "a.B", "1.5", PASSED, PASSED);
    report("launcher", "surefire-reports", "c.D", "0.5", PASSED);
    assertThat(summarise("0")).as(printed).isZero();
    assertThat(printed).contains("2 s in test classes").endsWith("3 passed, 0 failed, 0 skipped" + System.lineSeparator());
  }

  @Test
  void eachTestThatFailedIsNamed() throws Exception {
    report("ci", "surefire-reports", "a.B", "1", PASSED,
        "<testcase name='bad' classname='a.B'><failure message='no'>no</failure></testcase>",
        "<testcase name='worse' classname='a.B'><error type='E'>stack</error></testcase>");
    assertThat(summarise("1")).as(printed).isEqualTo(1);
    assertThat(printed).contains("failed: a.B.bad", "failed: a.B.worse", "1 passed, 2 failed, 0 skipped")
        .doesNotContain("Maven ended");
  }

  @Test
  void noTestsAreNoSuccess() throws Exception {
    assertThat(summarise("0")).as(printed).isEqualTo(1);
    report("ci", "surefire-reports", "a.B", "1", skipped("no MPI"));
    assertThat(summarise("0")).as(printed).isEqualTo(1);
    assertThat(printed).contains("0 passed, 0 failed, 1 skipped");
  }

  @Test
  void aBuildThatFailedWithoutAFailedTestIsAFailure() throws Exception {
    report("ci", "surefire-reports", "a.B", "1", PASSED);
    assertThat(summarise("2")).as(printed).isEqualTo(1);
    assertThat(printed).contains("failed: Maven ended with 2", "1 passed, 1 failed, 0 skipped");
  }

  @Test
  void skippedTestsAreCountedByTheirReason() throws Exception {
    report("ci", "surefire-reports", "a.B", "1", PASSED, skipped("org.opentest4j.TestAbortedException: no fork"),
        skipped("Assumption failed: no fork"), skipped("no fork&#10;at some line"), skipped(""),
        "<testcase name='told' classname='a.B'><skipped>no FTI</skipped></testcase>");
    assertThat(summarise("0")).as(printed).isZero();
    assertThat(printed).contains("    3  no fork", "    1  no reason given", "    1  no FTI", "1 passed, 0 failed, 5 skipped");
  }

  @Test
  void runsOfTheSameTestsAreDistinguished() throws Exception {
    report("ci", "surefire-reports", "a.B", "1", PASSED);
    report("ci", "surefire-reports-reinit", "a.B", "20", PASSED);
    report("java-api", "surefire-reports-newer", "c.D", "1,234.25", PASSED);
    assertThat(summarise("0")).as(printed).isZero();
    assertThat(printed.lines()).contains("1255 s in test classes; longest:", " 1234  c.D (newer)", "   20  a.B (reinit)",
        "    1  a.B", "3 passed, 0 failed, 0 skipped");
  }

  @Test
  void theRunWithoutOptionalLibrariesIsOneOfItsOwn() throws Exception {
    report("ci", "surefire-reports", "a.B", "1", PASSED, PASSED);
    report("ci", "surefire-reports-bare", "a.B", "1", PASSED);
    assertThat(summarise("0")).as(printed).isZero();
    assertThat(printed).contains("2 passed");
    assertThat(summarise("0", "-bare")).as(printed).isZero();
    assertThat(printed).contains("1 passed");
  }

  /** Surefire's times are wrong where classes run side by side. */
  @Test
  void timesOfOurOwnReplaceSurefires() throws Exception {
    report("ci", "surefire-reports", "a.B", "1", PASSED);
    report("ci", "surefire-reports-reinit", "a.B", "2", PASSED);
    Files.writeString(root.resolve("ci/target/class-times-ulfm"), "1700000000 30.0 a.B\n1700000000 50.0 not.There\n");
    Files.writeString(root.resolve("ci/target/class-times-reinit"), "1700000000 40.0 a.B\n");
    assertThat(summarise("0")).as(printed).isZero();
    assertThat(printed.lines()).contains("   30  a.B", "   40  a.B (reinit)", "70 s in test classes; longest:");
  }
}
