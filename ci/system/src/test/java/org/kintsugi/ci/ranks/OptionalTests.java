// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.kintsugi.test.RankJob;

/**
 * The tests that look for a native library which a machine may lack (the Reinit++ fork, FTI, SCR).
 *
 * <p>A run of all tests writes down which tests did so ({@link OptionalNatives}), in a file for each flavour. With {@value #ONLY}
 * set, only those are run: {@code make test-bare} does so with the libraries hidden, so that a test that fails where it should be
 * skipped is found on a machine that has them all. Of a test with parameters only the calls
 * that did so are run again: each line of the file has the method's name, and JUnit's id of one call of it.
 *
 * <p>JUnit finds all three classes as services.
 */
public final class OptionalTests implements TestExecutionListener {
  private static final String ONLY = "kintsugi.test.optional.only";
  private static final boolean IS_FILTERING = Boolean.getBoolean(ONLY);

  private static Path file() {
    return Path.of("target", "optional-tests-" + RankJob.flavour());
  }

  private static String name(MethodSource method) {
    return method.getClassName() + "." + method.getMethodName();
  }

  /** The file's lines, cut at the blank: 0 is the methods' names, 1 the calls' ids. */
  private static Set<String> read(int part) {
    if (!IS_FILTERING) {
      return Set.of();
    }
    try (Stream<String> lines = Files.lines(file())) {
      return lines.map(line -> line.split(" ", 2)[part]).collect(Collectors.toUnmodifiableSet());
    } catch (IOException e) {
      throw new UncheckedIOException("-D" + ONLY + " wants the file that make test writes", e);
    }
  }

  /** The methods of the file, where only they are to be run. */
  public static final class Only implements PostDiscoveryFilter {
    private final Set<String> names = read(0);

    @Override
    public FilterResult apply(TestDescriptor test) {
      TestSource source = test.getSource().orElse(null);
      return FilterResult.includedIf(!IS_FILTERING || !(source instanceof MethodSource)
          || names.contains(name((MethodSource) source)));
    }
  }

  /** The calls of the file: a method's parameters are not known before it runs. */
  public static final class OnlyCalls implements ExecutionCondition {
    private static final ConditionEvaluationResult RUNS = ConditionEvaluationResult.enabled(null);

    private final Set<String> ids = read(1);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      boolean hasParameters = context.getUniqueId().contains("/[test-template-invocation:");
      return !IS_FILTERING || !hasParameters || ids.contains(context.getUniqueId()) ? RUNS
          : ConditionEvaluationResult.disabled("needs none of the libraries that a machine may lack, and make test has run it");
    }
  }

  private final Set<String> lines = new ConcurrentSkipListSet<>();

  @Override
  public void executionStarted(TestIdentifier test) {
    OptionalNatives.forget();
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (OptionalNatives.wereWanted()) {
      test.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast)
          .ifPresent(method -> lines.add(name(method) + " " + test.getUniqueId()));
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    if (!IS_FILTERING) {
      try {
        // There may be a plan for each class.
        Files.write(file(), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        lines.clear();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
