// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.kintsugi.ci.ranks.NamedLines.assertNames;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.beginner.Mistakes;
import org.kintsugi.launch.Job;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.cluster.Cluster;

/**
 * A job that makes no progress prints where its ranks are.
 *
 * <p>It also prints for which of them the others wait.
 */
@Tag("flavours")
@Execution(ExecutionMode.CONCURRENT)
class StallTest {
  private static final int RANKS = 3;
  private static final int LIMIT_SECONDS = 120;
  /** Longer than ranks wait for each other when they start, on a busy machine as well: that would be another stall. */
  private static final int STALL_SECONDS = 8;
  private static final int SHORT_STALL_SECONDS = 4;
  private static final int REPORT_SECONDS = 3;
  /** For the end of the job, on a machine that has other things to do. */
  private static final int END_SECONDS = 30;
  private static final String STALLS = "no rank has made progress for ";

  /** Runs in the ranks: rank 1 is stopped while the others wait for it. */
  static final class IsStopped {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          run.world().barrier();
          if (run.world().rank() == 1) {
            // Until the launcher has heard of it.
            TimeUnit.SECONDS.sleep(STALL_SECONDS / 2);
            Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGSTOP);
          }
          run.world().recv(Buf.allocateDoubles(1), (run.world().rank() + 1) % RANKS, 7);
        });
      }
    }
  }

  /** Runs in the ranks: rank 2 computes for longer than the time after which a job is said to stall, twice. */
  static final class Computes {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          boolean computes = run.world().rank() == 2;
          for (int i = 0; i < 2; i++) {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SHORT_STALL_SECONDS + REPORT_SECONDS);
            while (computes && System.nanoTime() - until < 0) {
              Thread.onSpinWait();
            }
            run.world().barrier();
          }
        });
      }
    }
  }

  /**
   * Runs in the ranks: each step is shorter than the limit, the program longer.
   *
   * <p>Nearly all of the time is spent in two lines of code. The program goes on until the question
   * where its ranks are is answered.
   */
  static final class PassesTheSameLine {
    private static final int STEPS = 5 * STALL_SECONDS + 15;
    private static final int STEP_MILLIS = 200;

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          Path answer = Path.of(args[0], "has-answer");
          Buf isLast = Buf.allocateInts(1);
          for (int i = 0; run.world().rank() < 2 && isLast.getInt(0) == 0; i++) {
            if (run.world().rank() == 0) {
              TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
              isLast.putInt(0, i >= STEPS && Files.exists(answer) ? 1 : 0);
              run.world().send(isLast, 1, 0);
            } else {
              run.world().recv(isLast, 0, 0);
            }
          }
          if (run.world().rank() == 2) {
            // Until the launcher has heard of all.
            TimeUnit.SECONDS.sleep(3);
            Process asking = new ProcessBuilder(List.of(args).subList(1, args.length)).redirectErrorStream(true).start();
            RankJob.report(args[0], "answer", new String(asking.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            Files.createFile(answer);
          }
        });
      }
    }
  }

  /** Runs in the ranks: looks, while its JVM ends, at the thread that has the connection to the launcher. */
  static final class Ends {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        mpi.world().barrier();
      }
      Thread listening = Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().equals("kintsugi-watch-line")).findAny().orElseThrow();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> {
        long limit = System.nanoTime() + PATIENCE_NANOS;
        while (listening.getState() != Thread.State.TIMED_WAITING && System.nanoTime() - limit < 0) {
          Thread.onSpinWait();
        }
        RankJob.report(args[0], "state", listening.getState().toString());
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(Long.parseLong(args[1])));
      }));
    }
  }

  /** The job ends by the stall, as soon as it is reported. */
  private static String stalled(Class<?> program) {
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).timeoutSeconds(LIMIT_SECONDS).stall(STALL_SECONDS, true).run(program);
    long ended = System.currentTimeMillis();
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(Job.TIMED_OUT);
    assertThat(outcome.output()).containsOnlyOnce(STALLS + STALL_SECONDS + " s").contains("(--stall-ends)");
    for (int rank = 0; rank < RANKS && outcome.reports().containsKey(Mistakes.SINCE + rank); rank++) {
      assertThat(ended - Long.parseLong(outcome.reports().get(Mistakes.SINCE + rank))).as(outcome.output())
          .isBetween(TimeUnit.SECONDS.toMillis(STALL_SECONDS),
              TimeUnit.SECONDS.toMillis(STALL_SECONDS + REPORT_SECONDS + END_SECONDS));
    }
    return outcome.output();
  }

  @Tag("series")
  @Test
  void aSaveOnOneRankOnly() throws IOException {
    String output = stalled(Mistakes.SavesOnOneRank.class);
    assertNames(output, "rank 0: waits for \\d+ s in MPI_\\w+ \\(Checkpoint\\.save", Mistakes.class, "checkpoint().save(i + 1)");
    assertNames(output, "ranks 1-2: wait for \\d+ s in MPI_Allreduce \\(Comm\\.allReduce on the run's world\\)", Mistakes.class,
        "allReduce(x[0], Op.SUM)");
    assertThat(output).contains("The odd one out: rank 0");
  }

  @Tag("series")
  @Test
  void aRankThatReturnsEarly() throws IOException {
    String output = stalled(Mistakes.LeavesTheBodyEarly.class);
    assertNames(output, "rank 0: has left the body of the run, and waits for \\d+ s .*Reinit\\.run", Mistakes.class,
        "Reinit.run(mpi, run -> {");
    assertNames(output, "ranks 1-2: wait for \\d+ s in MPI_Allreduce \\(Comm\\.allReduce on the run's world\\)", Mistakes.class,
        "allReduce(i, Op.MAX)");
    assertThat(output).contains("The odd one out: rank 0");
  }

  @Tag("series") // on another host below, in make test
  @Test
  void aRankThatIsStopped() throws IOException {
    String output = stalled(IsStopped.class);
    assertThat(output).containsPattern("rank 1: does not answer for \\d+ s \\(process \\d+ on ")
        .contains("The odd one out: rank 1");
    assertNames(output, "ranks 0,2: wait for \\d+ s in MPI_Recv \\(Comm\\.recv on the run's world\\)", StallTest.class,
        "recv(Buf.allocateDoubles(1)");
    assertThat(output).contains("(rank 0 from rank 1, tag 7; rank 2 from rank 0, tag 7)");
  }

  @Tag("once")
  @Test
  void aRankThatIsStoppedOnAnotherHost() throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip();
    try (Cluster cluster = Cluster.of(1, 1, 1)) {
      RankJob.Outcome outcome = cluster.run(mpi, LIMIT_SECONDS,
          List.of("-n", String.valueOf(RANKS), "--stall", String.valueOf(STALL_SECONDS), "--stall-ends"), IsStopped.class);
      assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(Job.TIMED_OUT);
      assertThat(outcome.output()).containsPattern("rank 1: does not answer for \\d+ s \\(process \\d+ on ")
          .containsPattern("ranks 0,2: wait for \\d+ s in MPI_Recv");
    } catch (Cluster.UnavailableException e) {
      abort(e.getMessage());
    }
  }

  @Tag("once")
  @Test
  void aRankThatComputes() throws IOException {
    RankJob.Outcome outcome =
        RankJob.of(RANKS, 1).timeoutSeconds(LIMIT_SECONDS).stall(SHORT_STALL_SECONDS, false).run(Computes.class).assertSuccess();
    // The second time all is as it was the first time, and the user knows.
    assertThat(outcome.output()).containsOnlyOnce(STALLS).contains("the job goes on waiting");
    assertNames(outcome.output(), "rank 2: computes for \\d+ s", StallTest.class, "onSpinWait");
    assertNames(outcome.output(), "ranks 0-1: wait for \\d+ s in MPI_Barrier", StallTest.class, "barrier()");
  }

  @Tag("series")
  @Tag("once")
  @Test
  void aJobThatGoesOnSaysNothingButWhenItIsAsked() throws IOException {
    List<String> ask = new ArrayList<>(RankJob.jmpirun(RankJob.mpiOrSkip()));
    ask.addAll(List.of("--stacks", String.valueOf(ProcessHandle.current().pid())));
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).timeoutSeconds(LIMIT_SECONDS).stall(STALL_SECONDS, false)
        .run(PassesTheSameLine.class, ask.toArray(new String[0])).assertSuccess();
    assertThat(outcome.output()).doesNotContain(STALLS);
    String answer = outcome.reports().get("answer");
    // Other jobs of this process may run at the same time.
    if (RankJob.flavour() == Flavour.ULFM) {
      assertThat(answer).contains("1 spare waits for a process failure");
    }
    assertNames(answer, "rank 1: waits for \\d+ s in MPI_Recv", StallTest.class, "recv(isLast, 0, 0)");
    assertNames(answer, "rank 2: computes for \\d+ s \\(InputStream", StallTest.class, "readAllBytes");
  }

  /** A JVM gives threads in native code, as in a read, 0.3 s at its end. */
  @Test
  void anEndingProcessDoesNotWaitForItsConnection() {
    assertThat(RankJob.of(1, 0).check().run(Ends.class, "0").assertSuccess().reports()).containsEntry("state", "TIMED_WAITING");
  }

  @Tag("series")
  @Test
  void aProcessThatDoesNotEndIsNamed() {
    assertThat(RankJob.of(1, 0).check().stall(SHORT_STALL_SECONDS, false).run(Ends.class, "12").assertSuccess().output())
        .contains(STALLS, "rank 0: has left MPI (Mpi.close)");
  }
}
