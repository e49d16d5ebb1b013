// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Prints which tests are skipped and why, as Maven prints only how many. Found by JUnit as a service. */
public final class SkipReasons implements TestExecutionListener {
  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    print(test, reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      print(test, result.getThrowable().map(Throwable::getMessage).orElse("no reason given"));
    }
  }

  private static void print(TestIdentifier test, String reason) {
    String name = test.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast)
        .map(method -> method.getClassName() + "." + method.getMethodName() + " ").orElse("") + test.getDisplayName();
    System.out.println("skipped: " + name + ": " + reason);
  }
}
