// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.kintsugi.test.RankJob;

/**
 * Writes down when each class of tests ended and how long it took, a line each. Surefire's own reports give the time of one class
 * to another where classes run side by side.
 */
public final class ClassTimes implements TestExecutionListener {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Map<String, Long> begun = new ConcurrentHashMap<>();

  @Override
  public void executionStarted(TestIdentifier test) {
    if (isClass(test)) {
      begun.put(test.getUniqueId(), System.nanoTime());
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Long begin = begun.remove(test.getUniqueId());
    if (begin == null) {
      return;
    }
    double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
    String line = String.format(Locale.ROOT, "%s %.3f %s%n", LocalTime.now().truncatedTo(ChronoUnit.SECONDS), seconds,
        ((ClassSource) test.getSource().orElseThrow()).getClassName());
    try {
      Files.writeString(Path.of("target", "class-times-" + RankJob.flavour()), line, StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nested ones are part of theirs. */
  private static boolean isClass(TestIdentifier test) {
    return test.getSource().filter(ClassSource.class::isInstance).isPresent()
        && test.getParentIdObject().filter(parent -> parent.getSegments().size() == 1).isPresent();
  }
}
