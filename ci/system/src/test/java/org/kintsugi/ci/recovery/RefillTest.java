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
import org.kintsugi.ci.soak.FailureTimer;
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
 * More processes fail than there are spares, and new ones start ({@code jmpirun --refill}).
 *
 * <p>Only for the flavour ulfm: the runtime of the fork starts a new process for each failed one,
 * with this option or without.
 */
class RefillTest {
  private static final int STEPS = 200;
  static final String POLICY = "-D" + ReinitConfig.POLICY.property() + "=";
  static final String SPAWN = POLICY + "SPAWN";
  private static final long STEP_MILLIS = 5;
  private static final int SAVE_EVERY = 5;

  /** The distance between the stages of {@link #stagesOfAMeeting} that are tried by default. */
  private static final int SOME = 14;

  /** Before this step rank 0 is armed to die when it admits a new process. */
  private static final int ARMED = 99;

  /**
   * Runs in the ranks: sums up, with checkpoints.
   *
   * <p>Arguments: the folder for reports, and who dies when the first new process has started.
   * "after" and a time: the new process, after these milliseconds. "new", the name of a call and a
   * number: the new process, at this call of that name. "old" with the same: rank 0.
   */
  static final class Sums {
    /** The report of the first new process if it dies after some time. */
    private static final String NEW_DIES = "new-dies";

    private static FailureTimer death;

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        boolean isFirstNew = JobConfig.STARTED.longValue() == 1;
        if (args.length > 1 && isFirstNew && args[1].equals("after")) {
          RankJob.report(args[0], NEW_DIES, args[2]);
          death = new FailureTimer();
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
        // Versions are lost if two ranks fail together that hold each other's copies.
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
        death.await(); // in the run: after it no process could take its place
      }
      System.out.println(Scenario.listOfFailures(world.rank(),
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
   * Runs in the ranks: a process that starts later ends before it reaches the run.
   *
   * <p>The other processes wait for its end. Arguments: the folder for reports, and "exits" if the
   * new process exits before MPI_Init, or "throws" if it throws an exception after that.
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

    /** Waits for the end of the process whose id the file has. It prints its exception last. */
    private static void awaitEnd(Path mark) throws IOException {
      Meeting.await(mark);
      long one = Long.parseLong(Files.readString(mark));
      while (ProcessHandle.of(one).map(ProcessHandle::isAlive).orElse(false)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS));
      }
    }
  }

  /**
   * Runs in the ranks: in each epoch one process ends.
   *
   * <p>It is the lowest rank whose process was started with the job, or rank 0 if no such process
   * is left. Arguments: the folder for reports, and how the process of each epoch ends.
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

    /** The number of processes whose shared memory is mapped here, this one's included. */
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
    // Some of the failed processes were started later, and so were those that admit the next one.
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

  /** A stage of the new process and one of the admitting rank; {@code make refill}: all. */
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

  /** The new process dies in the middle, or the rank that admits it. The next one is admitted. */
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

  /** A new process that fails before it reaches the run must not harm the job. */
  @Test
  void whatANewProcessThrowsAtItsStartIsNotTheJobsEnd() {
    RankJob.Outcome outcome = job(2, 1, "process:1@20").run(EndsAtItsStart.class, "throws").assertSuccess();
    assertThat(outcome.output()).contains("IllegalStateException: on purpose");
  }

  @Test
  void theCodeOfANewProcessThatDoesNotComeToMpiIsNotTheJobs() {
    job(2, 1, "process:1@20").run(EndsAtItsStart.class, "exits").assertSuccess();
  }

  /** Checks the reports of {@link Ends}. */
  private static void assertRecoveries(RankJob.Outcome outcome, int ranks, int recoveries) {
    for (int rank = 0; rank < ranks; rank++) {
      assertThat(outcome.reports()).as(outcome.output()).containsEntry(String.valueOf(rank), recoveries + " recoveries");
    }
  }

  /**
   * The exit code of a process that was replaced is never the job's.
   *
   * <p>The job starts with two ranks and a spare; the last process to end was started later.
   */
  @ParameterizedTest
  @ValueSource(strings = "9 9 9 exit")
  void theExitCodeOfAReplacedProcessIsNotTheJobs(String ways) {
    String[] all = ways.split(" ");
    RankJob.Outcome outcome = job(2, 1).run(Ends.class, all).assertSuccess();
    for (int epoch = 0; epoch < all.length; epoch++) {
      String started = outcome.reports().get(Ends.END + epoch);
      assertThat(started).as("end %d: %s", epoch, outcome.output()).isNotNull();
      assertThat(Long.parseLong(started) > 0).as("end %d: %s", epoch, outcome.output()).isEqualTo(epoch >= 3);
    }
    assertRecoveries(outcome, 2, all.length);
  }

  /** At the end of the second job no process of the start is left. */
  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = {"9 9 9 15", "exit 9 9"})
  void theCodeOfAnotherEndIsNotTheJobs(String ways) {
    theExitCodeOfAReplacedProcessIsNotTheJobs(ways);
  }

  /**
   * At the end no process of the start is left.
   *
   * <p>Mapped is the shared memory of the two ranks and of spares, and none of failed processes.
   */
  @Test
  void newProcessesShareMemoryAndFailedProcessesLeaveNone() {
    RankJob.Outcome outcome = job(2, 1).run(Ends.class, "9", "9", "9", "9", "9", "9", "9").assertSuccess();
    assertRecoveries(outcome, 2, 7);
    for (String rank : List.of("0", "1")) {
      assertThat(Long.parseLong(outcome.reports().get(Ends.MAPPED + rank))).as(outcome.output()).isBetween(2L, 4L);
    }
  }

  /**
   * The ranks are the first spare, a process of the start, and a later one.
   *
   * <p>Only one of the others connects to the last one itself, and yet all find it on their node.
   */
  @Test
  void newProcessesAreOnTheNodeForAll() {
    RankJob.Outcome outcome = job(3, 1).run(Ends.class, "9", "9").assertSuccess();
    assertRecoveries(outcome, 3, 2);
    for (String rank : List.of("0", "1", "2")) {
      assertThat(outcome.reports()).as(outcome.output()).containsEntry(Ends.NODE + rank, "3");
    }
  }

  /** A process that was started later takes no part in the second run. */
  @Test
  void aSecondRunHasTheSparesThatAreLeft() {
    RankJob.Outcome outcome = job(3, 1, "process:1@20").run(TwoRuns.class);
    assertAllRight(outcome, 3);
    assertThat(outcome.output()).contains(Scenario.listOfFailures(0, List.of(1)));
  }

  /** Its standard input must be at its end, or the job would wait forever. */
  @Test
  void aNewProcessMayReadItsInput() {
    assertAllRight(RankJob.of(2, 0).refill(true).jvm(SPAWN).kill("process:1@50").run(ReadsItsInput.class), 2, 1);
  }

  /** A new process that waits must be ended by jmpirun, as mpirun waits for it. */
  @Test
  void oneThatDoesNotComeToMpiDoesNotHoldUpTheEnd() {
    RankJob.Outcome outcome = job(2, 1, "process:1@50").timeoutSeconds(40).run(ReadsItsInput.class, "waits").assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsKeys("0", "1", "waits");
    assertThat(ProcessHandle.of(Long.parseLong(outcome.reports().get("waits")))).as("it is gone").isEmpty();
  }

  /**
   * A later run must not start processes.
   *
   * <p>A new process would enter its own first run, where the others do not expect it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"SPAWN", "SPAWN_TOGETHER"})
  void noProcessIsStartedInALaterRun(String policy) {
    RankJob.Outcome outcome =
        RankJob.of(2, 0).refill(true).jvm(POLICY + policy).run(TwoRuns.class, "dies");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.RESTART);
    assertThat(outcome.output()).contains("rank(s) [1] died", "first Reinit.run, and this is a later one");
    assertThat(outcome.reports()).isEmpty();
  }

  /** The new process has no rank to join, and must not keep the job alive. */
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
