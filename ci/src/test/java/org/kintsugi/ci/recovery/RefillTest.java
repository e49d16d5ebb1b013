// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.ci.soak.DeathTimer;
import org.kintsugi.ci.soak.Stages;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.ReinitConfig;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.reinit.State;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.test.RankJob;

/**
 * More processes die than there are spares, and new ones are started while the job runs ({@code jmpirun --refill}). Flavour ulfm;
 * the runtime of the fork starts a new process for each that dies, whatever it is asked.
 */
class RefillTest {
  private static final int STEPS = 200;
  static final String POLICY = "-D" + ReinitConfig.POLICY.property() + "=";
  static final String SPAWN = POLICY + "SPAWN";
  private static final long STEP_MILLIS = 5;
  private static final int SAVE_EVERY = 5;

  /** Of the stages of a meeting every so manyth. */
  private static final int SOME = 14;

  /** Before this step all are armed that are to die when the next new process is taken in. */
  private static final int ARMED = 99;

  /**
   * Runs in the ranks. Arguments: the folder for reports, and what becomes of the first new process: "after" and so many
   * milliseconds; "new", or "old" for all others, the name of a call, and at which of these calls it dies.
   */
  static final class Sums {
    /** Reported by the first new process if it is about to die after some time. */
    private static final String NEW_DIES = "new-dies";

    private static DeathTimer death;

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        boolean isFirstNew = JobConfig.STARTED.longValue() == 1;
        if (args.length > 1 && isFirstNew && args[1].equals("after")) {
          RankJob.report(args[0], NEW_DIES, args[2]);
          death = new DeathTimer();
          death.strikeAfter(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[2])));
        }
        if (args.length > 1 && isFirstNew && args[1].equals("new")) {
          arm(args);
        }
        double[] sum = new double[1];
        RankReport.write(args[0], Reinit.call(mpi, run -> sum(run, args, sum)));
      }
    }

    private static void arm(String... args) {
      Stages.only(args[2]);
      Stages.arm(Long.parseLong(args[3]));
    }

    private static RankReport sum(Run run, String[] args, double... sum) {
      Comm world = run.world();
      Checkpoint checkpoint = run.checkpoint();
      checkpoint.protect("sum", sum);
      double[] one = new double[1];
      double[] all = new double[1];
      long first = checkpoint.restore().orElse(0);
      if (first == 0) {
        // Also where versions were lost, as two have died together who had each other's copies.
        sum[0] = 0;
      }
      for (long step = first; step < STEPS; step++) {
        if (step == ARMED && run.epoch() == 1 && world.rank() == 0 && args.length > 1 && args[1].equals("old")) {
          arm(args);
        }
        run.iteration(step);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS));
        one[0] = world.rank() + step;
        world.allReduce(Buf.wrap(one), Buf.wrap(all), Op.SUM);
        sum[0] += all[0];
        if (step % SAVE_EVERY == 0) {
          checkpoint.save(step + 1);
        }
      }
      if (death != null) {
        death.await(); // in the run, as nobody could take its place behind that
      }
      System.out.println(Scenario.deaths(world.rank(),
          run.recoveries().stream().flatMap(recovery -> recovery.failedRanks().stream()).sorted().toList()));
      return new RankReport(world.rank(), sum[0] + " after " + run.epoch());
    }
  }

  private static RankJob job(int ranks, int spares, String... kills) {
    RankJob job = RankJob.of(ranks, spares).refill(true);
    for (String kill : kills) {
      job.kill(kill);
    }
    return job;
  }

  /**
   * Runs in the ranks: a process that is started later does not come to the run, and the others do not end before that.
   * Arguments: the folder for reports, and whether it exits before it begins MPI, or throws behind that.
   */
  static final class EndsAtItsStart {
    private static final long EXIT_MILLIS = 1000;
    private static final String ENDS = "ends";

    public static void main(String[] args) {
      boolean isNew = JobConfig.STARTED.longValue() > 0;
      if (isNew && args[1].equals("exits")) {
        RankJob.report(args[0], ENDS, String.valueOf(ProcessHandle.current().pid()));
        System.exit(WaysToEnd.CODE);
      }
      try (Mpi mpi = Mpi.init(args)) {
        if (isNew) {
          RankJob.report(args[0], ENDS, String.valueOf(ProcessHandle.current().pid()));
          throw new IllegalStateException("on purpose");
        }
        double[] sum = new double[1];
        Reinit.run(mpi, run -> {
          Sums.sum(run, args, sum);
          if (run.world().rank() == 0) {
            awaitEnd(Path.of(args[0], "report-" + ENDS));
          }
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(EXIT_MILLIS)); // for what it has printed
          run.world().barrier();
        });
      }
    }

    /** Of the process whose number is in there: it prints what it throws when it has left MPI. */
    private static void awaitEnd(Path mark) throws IOException {
      Meeting.await(mark);
      long one = Long.parseLong(Files.readString(mark));
      while (ProcessHandle.of(one).map(ProcessHandle::isAlive).orElse(false)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS));
      }
    }
  }

  /**
   * Runs in the ranks: in epoch after epoch the lowest rank of which the process was started with the job ends, or rank 0 if
   * there is none, each time in the next of the ways that the arguments name behind the folder for reports.
   */
  static final class Ends {
    private static final String END = "end-";
    private static final String MAPPED = "mapped-";
    private static final String NODE = "node-";

    public static void main(String[] args) {
      Mpi mpi = Mpi.init(args);
      RankReport.write(args[0], Reinit.call(mpi, run -> {
        long started = JobConfig.STARTED.longValue();
        long first = run.world().allReduce(started == 0 ? run.world().rank() : run.world().size(), Op.MIN);
        if (run.epoch() < args.length - 1 && run.world().rank() == first % run.world().size()) {
          RankJob.report(args[0], END + run.epoch(), String.valueOf(started));
          WaysToEnd.end(args[1 + run.epoch()]);
        }
        run.world().barrier();
        RankJob.report(args[0], MAPPED + run.world().rank(), String.valueOf(mappedSegments()));
        try (Comm node = run.world().splitShared(0)) {
          RankJob.report(args[0], NODE + run.world().rank(), String.valueOf(node.size()));
        }
        return new RankReport(run.world().rank(), run.epoch() + " recoveries");
      }));
      mpi.close();
    }

    /** Of how many processes Open MPI's shared memory is mapped here, this one's included. */
    private static long mappedSegments() throws IOException {
      try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
        return lines.filter(line -> line.contains("/sm_segment.")).map(line -> line.substring(line.indexOf('/'))).distinct()
            .count();
      }
    }
  }

  /**
   * Runs in the ranks: reads the standard input to its end before it begins MPI. Arguments: the folder for reports, and possibly
   * a word: then a process that is started later waits for good instead.
   */
  static final class ReadsItsInput {
    public static void main(String[] args) throws IOException {
      if (args.length > 1 && JobConfig.STARTED.longValue() > 0) {
        RankJob.report(args[0], "waits", String.valueOf(ProcessHandle.current().pid()));
        LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1));
      }
      System.in.readAllBytes();
      Sums.main(new String[] {args[0]});
    }
  }

  /** Runs in the ranks: two runs, one after the other. */
  static final class TwoRuns {
    private static final int DIES = 9;

    public static void main(String[] args) {
      RunResult<RankReport> second;
      try (Mpi mpi = Mpi.init(args)) {
        double[] sum = new double[1];
        Reinit.run(mpi, run -> Sums.sum(run, args, sum));
        double[] next = new double[1];
        second = Reinit.call(mpi, run -> {
          if (args.length > 1 && run.world().rank() == 1 && run.state() == State.NEW) {
            Runtime.getRuntime().halt(DIES);
          }
          return Sums.sum(run, args, next);
        });
      }
      RankReport.write(args[0], second);
    }
  }

  /** The result of each rank. */
  static double expected(int ranks) {
    return ranks * (STEPS * (STEPS - 1) / 2.0) + STEPS * (ranks * (ranks - 1) / 2.0);
  }

  private static void assertAllRight(RankJob.Outcome outcome, int ranks) {
    outcome.assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(ranks);
    assertThat(outcome.reports().values()).as(outcome.output())
        .allSatisfy(report -> assertThat(report).startsWith(expected(ranks) + " after "));
  }

  private static void assertAllRight(RankJob.Outcome outcome, int ranks, int recoveries) {
    assertAllRight(outcome, ranks);
    assertThat(outcome.reports().values()).as(outcome.output())
        .allSatisfy(report -> assertThat(report).endsWith(" after " + recoveries));
  }

  @Test
  void oneSpareIsEnoughForManyDeaths() {
    // Some of the dead have been started later themselves, and so has whoever meets the next one in the end.
    assertAllRight(job(3, 1, "process:1@20", "process:2@50", "process:1@80", "process:0@110", "process:2@140", "process:0@170")
        .run(Sums.class), 3, 6);
  }

  @Test
  void theRunWaitsForThoseUnderWay() {
    assertAllRight(job(3, 1, "process:1@30", "process:2@60", "process:0@61").run(Sums.class), 3, 3);
  }

  @Test
  void withoutSparesThePolicySpawnWaitsForANewProcess() {
    assertAllRight(
        job(2, 0, "process:0@20", "process:1@60", "process:1@100", "process:0@140").jvm(SPAWN)
            .run(Sums.class),
        2, 4);
  }

  /** Before it is ready, or while it waits; the next one is started then. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "150"})
  void theNewProcessDies(String millis) {
    RankJob.Outcome outcome = job(2, 1, "process:1@30", "process:0@150").run(Sums.class, "after", millis).assertSuccess();
    Map<String, String> reports = new TreeMap<>(outcome.reports());
    assertThat(reports.remove(Sums.NEW_DIES)).as(outcome.output()).isEqualTo(millis);
    assertAllRight(new RankJob.Outcome(outcome.exitCode(), outcome.output(), reports), 2);
    // If the new process dies as a rank, that is one recovery more.
    assertThat(reports.values()).as(outcome.output()).allSatisfy(report -> assertThat(report).matches(".* after [23]"));
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = "500")
  void theNewProcessDiesLater(String millis) {
    theNewProcessDies(millis);
  }

  /** One of the new process, and one of who asks for it; all with {@code make refill}. */
  private static Stream<Arguments> stagesOfAMeeting() {
    List<String> all = List.of("new,MPI_Comm_accept,1", "new,PMIx_Publish,1", "new,PMIx_Publish,2", "new,PMIx_Lookup_nb,1",
        "new,PMIx_Lookup_nb,2", "new,PMIx_Get_nb,1", "new,MPI_Intercomm_merge,1", "new,MPI_Intercomm_create,1",
        "new,MPI_Intercomm_merge,2", "new,MPI_Recv,1", "new,MPI_Comm_split,1", "old,MPI_Comm_connect,1", "old,PMIx_Publish,1",
        "old,PMIx_Publish,2", "old,PMIx_Lookup_nb,1", "old,PMIx_Get_nb,1", "old,MPI_Intercomm_merge,1",
        "old,MPI_Intercomm_create,1", "old,MPI_Intercomm_merge,2", "old,MPI_Send,1");
    int step = "all".equals(System.getProperty("kintsugi.test.refill")) ? 1 : SOME;
    return IntStream.iterate(0, i -> i < all.size(), i -> i + step).mapToObj(i -> all.get(i).split(","))
        .map(stage -> Arguments.of(stage[0], stage[1], Integer.parseInt(stage[2])));
  }

  /** It, or the one that asks for it, dies at one stage of what they do to bring it in; the next one is taken in then. */
  @ParameterizedTest
  @MethodSource("stagesOfAMeeting")
  void oneOfThoseWhoMeetDies(String who, String call, int count) {
    Path library = TestLibrary.of(RankJob.flavour(), "stages");
    RankJob.Outcome outcome = job(3, 1, "process:1@30", "process:1@100").mpirun("-x", "LD_PRELOAD=" + library)
        .jvm("-D" + Stages.LIBRARY + "=" + library).run(Sums.class, who, call, String.valueOf(count));
    assertAllRight(outcome, 3);
    assertThat(outcome.output()).contains("stages: death at " + count + ", " + call);
  }

  @Tag("series")
  @ParameterizedTest
  @CsvSource("new,MPI_Intercomm_create,1")
  void oneOfThemDiesAtAnotherStage(String who, String call, int count) {
    oneOfThoseWhoMeetDies(who, call, count);
  }

  /** One that cannot come to the run is of no use, and does no harm. */
  @Test
  void whatANewProcessThrowsAtItsStartIsNotTheJobsEnd() {
    RankJob.Outcome outcome = job(2, 1, "process:1@20").run(EndsAtItsStart.class, "throws").assertSuccess();
    assertThat(outcome.output()).contains("IllegalStateException: on purpose");
  }

  @Test
  void theCodeOfANewProcessThatDoesNotComeToMpiIsNotTheJobs() {
    job(2, 1, "process:1@20").run(EndsAtItsStart.class, "exits").assertSuccess();
  }

  /** The report of {@link Ends}. */
  private static void assertRecoveries(RankJob.Outcome outcome, int ranks, int recoveries) {
    for (int rank = 0; rank < ranks; rank++) {
      assertThat(outcome.reports()).as(outcome.output()).containsEntry(String.valueOf(rank), recoveries + " recoveries");
    }
  }

  /**
   * However a process ends, a mended death is not the job's end. Two ranks and a spare are there at the start; the last to
   * end was started later.
   */
  @ParameterizedTest
  @ValueSource(strings = "9 9 9 exit")
  void aCodeThatWasMendedIsNotTheJobs(String ways) {
    String[] all = ways.split(" ");
    RankJob.Outcome outcome = job(2, 1).run(Ends.class, all).assertSuccess();
    for (int epoch = 0; epoch < all.length; epoch++) {
      String started = outcome.reports().get(Ends.END + epoch);
      assertThat(started).as("end %d: %s", epoch, outcome.output()).isNotNull();
      assertThat(Long.parseLong(started) > 0).as("end %d: %s", epoch, outcome.output()).isEqualTo(epoch >= 3);
    }
    assertRecoveries(outcome, 2, all.length);
  }

  /** In the second of these jobs nobody comes to the end who was there at the start. */
  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = {"9 9 9 15", "exit 9 9"})
  void norIsTheCodeOfAnotherEnd(String ways) {
    aCodeThatWasMendedIsNotTheJobs(ways);
  }

  /** Nobody is there any more who was at the start. What is mapped is of the two ranks, of spares, and of none of the dead. */
  @Test
  void newProcessesShareMemoryWithTheOthersAndTheDeadLeaveNone() {
    RankJob.Outcome outcome = job(2, 1).run(Ends.class, "9", "9", "9", "9", "9", "9", "9").assertSuccess();
    assertRecoveries(outcome, 2, 7);
    for (String rank : List.of("0", "1")) {
      assertThat(Long.parseLong(outcome.reports().get(Ends.MAPPED + rank))).as(outcome.output()).isBetween(2L, 4L);
    }
  }

  /** The first spare, a process of the start, and one that was started later, which only one of the others has met by itself. */
  @Test
  void newProcessesAreOnTheNodeForAll() {
    RankJob.Outcome outcome = job(3, 1).run(Ends.class, "9", "9").assertSuccess();
    assertRecoveries(outcome, 3, 2);
    for (String rank : List.of("0", "1", "2")) {
      assertThat(outcome.reports()).as(outcome.output()).containsEntry(Ends.NODE + rank, "3");
    }
  }

  /** A process that was started later has no part in it. */
  @Test
  void aSecondRunHasTheSparesThatAreLeft() {
    RankJob.Outcome outcome = job(3, 1, "process:1@20").run(TwoRuns.class);
    assertAllRight(outcome, 3);
    assertThat(outcome.output()).contains(Scenario.deaths(0, List.of(1)));
  }

  /** It has no input that could have an end, and the job waits for it. */
  @Test
  void aNewProcessMayReadItsInput() {
    assertAllRight(RankJob.of(2, 0).refill(true).jvm(SPAWN).kill("process:1@50").run(ReadsItsInput.class), 2, 1);
  }

  /** mpirun waits for its end. */
  @Test
  void oneThatDoesNotComeToMpiDoesNotHoldUpTheEnd() {
    RankJob.Outcome outcome = job(2, 1, "process:1@50").timeoutSeconds(40).run(ReadsItsInput.class, "waits").assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsKeys("0", "1", "waits");
    assertThat(ProcessHandle.of(Long.parseLong(outcome.reports().get("waits")))).as("it is gone").isEmpty();
  }

  /** A new process would come to the first run, and the others would take it for one of theirs. */
  @ParameterizedTest
  @ValueSource(strings = {"SPAWN", "SPAWN_TOGETHER"})
  void inALaterRunNoProcessIsStarted(String policy) {
    RankJob.Outcome outcome =
        RankJob.of(2, 0).refill(true).jvm(POLICY + policy).run(TwoRuns.class, "dies");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.RESTART);
    assertThat(outcome.output()).contains("rank(s) [1] died", "first Reinit.run, and this is a later one");
    assertThat(outcome.reports()).isEmpty();
  }

  /** The one that waits is of no use then, and must not keep the job from its end. */
  @Test
  void nobodyIsLeftWhoKnowsTheState() {
    RankJob.Outcome outcome = job(1, 1, "process:0@30", "process:0@31").run(Sums.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isIn(ExitCodes.RESTART, ExitCodes.DIED_OUT);
    assertThat(outcome.reports()).isEmpty();
  }

  @Test
  void sparesRunOutForWhoWantsThat() {
    RankJob.Outcome outcome = RankJob.of(2, 1).refill(false).kill("process:1@30").kill("process:0@60").run(Sums.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.RESTART);
    assertThat(outcome.output()).contains("rank(s) [0] died, and there are not enough spares");
  }
}
