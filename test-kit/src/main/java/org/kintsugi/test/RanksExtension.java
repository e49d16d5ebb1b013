// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.kintsugi.mpi.Mpi;

/** See {@link RanksTest}: here, in the JUnit process, a test method is not run but looked up in what its ranks reported. */
public final class RanksExtension implements TestTemplateInvocationContextProvider {
  static final String PASSED = "passed";
  /**
   * The limit for all methods of a launch together: a busy machine makes each take five times
   * longer.
   */
  private static final long LIMIT_SECONDS = 180;

  /** The outcome of a launch, and its reports by name. */
  private record Launch(RankJob.Outcome outcome, Map<String, String> reports) {}

  /** JUnit makes it. */
  RanksExtension() {}

  static List<Method> methodsFor(Class<?> test, int ranks, boolean areChecked) {
    return Arrays.stream(test.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(RanksTest.class))
        .filter(method -> method.getAnnotation(RanksTest.class).check() == areChecked)
        .filter(method -> IntStream.of(method.getAnnotation(RanksTest.class).n()).anyMatch(n -> n == ranks))
        .sorted(Comparator.comparing(Method::getName)).toList();
  }

  /**
   * The failure of a test on several ranks. The reason is first: when one rank throws, the job is
   * ended, and the end of the other ranks says nothing about it.
   *
   * @return empty if it passed on all
   */
  static Optional<String> failure(RankJob.Outcome outcome, String test, int ranks) {
    List<String> silent = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      String report = outcome.reports().get(RankMain.name(test, rank));
      if (report == null) {
        silent.add(String.valueOf(rank));
      } else if (!report.equals(PASSED)) {
        return Optional.of("rank " + rank + " of " + ranks + ": " + report);
      }
    }
    if (silent.isEmpty()) {
      return Optional.empty();
    }
    // Another test of the launch may have thrown; then this one was not reached.
    String before = outcome.reports().entrySet().stream().filter(report -> !report.getValue().equals(PASSED)).findFirst()
        .map(report -> "another test of this launch ended it, " + report.getKey() + " (its name and rank): " + report.getValue()
            + "\n")
        .orElse("");
    return Optional.of(before + "rank " + String.join(", ", silent) + " of " + ranks + " did not come to the end of this test ("
        + "exit code " + outcome.exitCode() + "); the job printed:\n" + outcome.output());
  }

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return context.getTestMethod().map(method -> method.isAnnotationPresent(RanksTest.class)).orElse(false);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
    return IntStream.of(context.getRequiredTestMethod().getAnnotation(RanksTest.class).n()).mapToObj(OnRanks::new);
  }

  private record OnRanks(int ranks) implements TestTemplateInvocationContext {
    @Override
    public String getDisplayName(int invocationIndex) {
      return "on " + ranks + " rank" + (ranks == 1 ? "" : "s");
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(new NoMpiHere(), new Judge(ranks));
    }
  }

  /** The parameter of the test method; nobody uses it in this process. */
  private static final class NoMpiHere implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Mpi.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return null;
    }
  }

  private record Judge(int ranks) implements InvocationInterceptor {
    @Override
    public void interceptTestTemplateMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method,
        ExtensionContext context) {
      invocation.skip();
      Class<?> test = context.getRequiredTestClass();
      boolean isChecked = method.getExecutable().getAnnotation(RanksTest.class).check();
      Launch launch = context.getRoot().getStore(ExtensionContext.Namespace.create(RanksExtension.class))
          .getOrComputeIfAbsent(test.getName() + "/" + ranks + "/" + isChecked, key -> launch(test, isChecked), Launch.class);
      Optional<String> failure = failure(launch.outcome, method.getExecutable().getName(), ranks);
      if (failure.isPresent()) {
        throw new AssertionError(failure.get());
      }
      if (launch.reports.values().stream().allMatch(PASSED::equals)) {
        launch.outcome.assertSuccess();
      }
    }

    private Launch launch(Class<?> test, boolean isChecked) {
      RankJob job = RankJob.of(ranks, 0).timeoutSeconds(LIMIT_SECONDS);
      RankJob.Outcome outcome = (isChecked ? job.check() : job).run(RankMain.class, test.getName(), String.valueOf(isChecked));
      return new Launch(outcome, outcome.reports());
    }
  }
}
