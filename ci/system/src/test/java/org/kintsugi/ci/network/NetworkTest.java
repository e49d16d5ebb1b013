// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kintsugi.examples.network.NetworkTrial;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/** Jobs over UCX and libfabric survive failures of processes, with the right numbers. */
class NetworkTest {
  private static final Pattern ANSWER = Pattern.compile("network: answer ([0-9a-f]{16}), (\\d+) recoveries");
  private static final String[] TRIAL = {"--iterations", "60", "--pings", "100"};
  private static final long LIMIT_SECONDS = 120;

  private static String undisturbed;

  /** Each rank has null references, of which the JVM learns by SIGSEGV, before and after it loads the network's libraries. */
  static final class NullChecks {
    private static final int CHECKS = 20_000;

    public static void main(String[] args) {
      int before = nulls();
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          long all = 0;
          for (long i = 0; i < 3; i++) {
            run.iteration(i);
            all += run.world().allReduce(nulls() + before, Op.SUM);
          }
          if (run.world().rank() == 0) {
            RankJob.report(args[0], "nulls", String.valueOf(all / run.world().size()));
          }
        });
      }
    }

    private static int nulls() {
      int thrown = 0;
      for (int i = 0; i < CHECKS; i++) {
        try {
          thrown += length(i % 2 == 0 ? null : "x") - 1;
        } catch (NullPointerException expected) {
          thrown++;
        }
      }
      return thrown;
    }

    private static int length(String text) {
      return text.length();
    }
  }

  /** The example, without the folder for reports. */
  static final class Trial {
    public static void main(String[] args) {
      NetworkTrial.main(Arrays.copyOfRange(args, 1, args.length));
    }
  }

  /** What a rank has loaded. */
  static final class Loaded {
    public static void main(String[] args) throws IOException {
      try (Mpi mpi = Mpi.init(args)) {
        mpi.world().barrier();
        RankJob.report(args[0], String.valueOf(mpi.world().rank()), Files.readString(Path.of("/proc/self/maps")));
      }
    }
  }

  private static RankJob job(SoftwareRoute route, int spares) {
    MpiHome mpi = RankJob.mpiOrSkip(Flavour.ULFM);
    assumeTrue(route.isIn(mpi), route::whyNot);
    return route.addTo(RankJob.of(4, spares))
        .timeoutSeconds(LIMIT_SECONDS);
  }

  private static Matcher answer(RankJob job) {
    RankJob.Outcome outcome = job.run(Trial.class, TRIAL).assertSuccess();
    Matcher answer = ANSWER.matcher(outcome.output());
    assertThat(answer.find()).as(outcome.output()).isTrue();
    return answer;
  }

  /** The answer of an undisturbed run, over whatever network; made once. */
  private static synchronized String undisturbed() {
    if (undisturbed == null) {
      undisturbed = answer(job(SoftwareRoute.TCP, 0)).group(1);
    }
    return undisturbed;
  }

  @ParameterizedTest
  @EnumSource(value = SoftwareRoute.class, names = {"OFI_NET", "UCX_TCP"})
  void threeFailuresDoNotChangeTheAnswer(SoftwareRoute route) {
    assertSurvivesThree(route);
  }

  @Tag("series")
  @Test
  void threeFailuresDoNotChangeTheAnswerOverTcp() {
    assertSurvivesThree(SoftwareRoute.TCP);
  }

  private static void assertSurvivesThree(SoftwareRoute route) {
    Matcher failed = answer(job(route, 3).refill(false).kill("process:1@11").kill("process:3@29").kill("process:0@47"));
    assertThat(failed.group(1)).isEqualTo(undisturbed());
    assertThat(failed.group(2)).isEqualTo("3");
  }

  /** They would take signals of the JVM, and time at the start. */
  @Test
  void aJobThatDoesNotAskForThemLoadsNeither() {
    RankJob.mpiOrSkip(Flavour.ULFM);
    RankJob.Outcome outcome = RankJob.of(2, 0).network("tcp").run(Loaded.class).assertSuccess();
    assertThat(outcome.reports().values()).hasSize(2).allSatisfy(
        loaded -> assertThat(loaded).contains("libmpi.so").doesNotContain("libucs", "libfabric"));
  }

  @ParameterizedTest
  @EnumSource(value = SoftwareRoute.class, names = {"OFI_NET", "UCX_TCP"})
  void theirLibrariesLeaveTheSignalsOfTheJvmAlone(SoftwareRoute route) {
    RankJob.Outcome outcome = job(route, 1).kill("process:2@1").run(NullChecks.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("nulls", String.valueOf(3 * NullChecks.CHECKS));
  }
}
