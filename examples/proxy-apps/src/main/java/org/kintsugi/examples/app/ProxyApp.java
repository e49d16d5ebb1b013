// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.LevelCost;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Policy;
import org.kintsugi.reinit.Recovery;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.ReinitConfig;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.runtime.JobConfig;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A proxy application: loses processes and finishes with the same figures, bit for bit.
 *
 * <p>The subclass is the command line ({@code @Command}, its own options); it checks its arguments and makes the {@link Work}.
 * This class has the parts that all have in common: MPI, the restart point, checkpoints at their time, progress, and the result.
 *
 * <pre>{@code
 * enter the body -> work(world) -> protect -> restore? resume : begin -> iterate 1, 2, ... (save when due) -> figures
 *       ^                                                               |
 *       +----------------------- a process has died --------------------+
 * }</pre>
 */
public abstract class ProxyApp implements Callable<Integer> {
  private final String title;

  @Spec
  private CommandSpec program;

  @Mixin
  private RunOptions options;

  /** With the name that people know it by; the result has it in small letters. */
  protected ProxyApp(String title) {
    this.title = title;
  }

  /**
   * Looks for mistakes in the arguments before the work starts: {@link #refuse} them. Every process does, spares too.
   *
   * @param ranks how many will do the work
   * @throws ParameterException if there is one
   */
  protected abstract void check(int ranks);

  /**
   * The arguments as the result has them: the names and values of the reference file's {@code params}. With other ones a run does
   * not go on from a checkpoint.
   */
  protected abstract Map<String, Object> params(int ranks);

  /** How many iterations there will be, at most or about: what a progress bar shows as the whole. */
  protected abstract int iterations();

  /**
   * A number that is another one if files that {@link #check} has read have other contents: all ranks have to agree on it, and a
   * checkpoint keeps it. 0: it reads no files, with these arguments.
   */
  protected long inputs() {
    return 0;
  }

  /** Makes the work of this process for one entry of the body. Collective. */
  protected abstract Work work(Comm world);

  /** Work for a waiting spare until the JIT has compiled enough, without MPI; it ends soon after an interrupt. */
  protected abstract Runnable warmUp();

  /** The option of a program whose work has a {@link Work#picture}; null: it has none. */
  protected PictureOption pictureOption() {
    return null;
  }

  /** Null: no picture is wanted. */
  private Path picture() {
    return pictureOption() == null ? null : pictureOption().file();
  }

  /** The options that all have: with methods that check numbers. */
  protected final RunOptions options() {
    return options;
  }

  /** For arguments that cannot work. @param why names the argument and its value, and says what would do */
  protected final ParameterException refuse(String why) {
    return options.refuse(why);
  }

  /**
   * Why the program cannot run.
   *
   * @param mistake null: another rank has found it
   * @param isTold whether this rank is the one that says so
   */
  private record Refused(ParameterException mistake, boolean isTold) {}

  @Override
  public final Integer call() throws IOException {
    try (Mpi mpi = Mpi.init()) {
      int ranks = Reinit.ranks(mpi);
      ParameterException mistake = mistake(ranks);
      if (mistake != null && (JobConfig.STARTED.longValue() > 0 || mpi.world().size() < ranks)) {
        return ReportOptions.tell(mistake, 0); // started later, alone; the others go on
      }
      RunClock clock = new RunClock();
      IterationTimes times = new IterationTimes();
      Stamps stamps = new Stamps(mistake == null ? options.stamps() : null);
      RunResult<Result> outcome;
      // It does not leave the body as an exception, of which the spares would tell, too.
      Refused[] refused = {null};
      int iterations = mistake == null ? iterations() : 0;
      try (Progress progress = new Progress(options.progress() && mistake == null, title, iterations)) {
        outcome = Reinit.call(mpi, new Reinit.Options().warmUp(mistake == null ? warmUp() : null), run -> {
          clock.enter(run);
          refused[0] = agreedOn(mistake, run.world());
          if (refused[0] != null) {
            return null;
          }
          try {
            return solve(run, times, stamps, progress);
          } catch (ParameterException e) { // all ranks alike
            refused[0] = new Refused(e, run.world().rank() == 0);
            return null;
          }
        });
      }
      if (refused[0] != null && refused[0].isTold) {
        return ReportOptions.tell(refused[0].mistake, 0);
      }
      if (refused[0] != null) {
        return program.exitCodeOnInvalidInput();
      }
      if (outcome.stayedSpare() && mistake instanceof MissingHereException missing) {
        missing.tellOfSpare(mpi.processorName());
      }
      if (!outcome.stayedSpare() && outcome.value().rank == 0) {
        report(outcome.value(), outcome.recoveries(), clock.seconds());
      }
    }
    return 0;
  }

  /** What is wrong with the arguments, as this process sees it: one host may lack a file. Null: nothing. */
  private ParameterException mistake(int ranks) {
    try {
      options.check();
      if (pictureOption() != null) {
        pictureOption().check(options);
      }
      requireSameRanks();
      check(ranks);
      return null;
    } catch (ParameterException mistake) {
      return mistake;
    }
  }

  /** The mistake of the first rank that has found one, so that all end together. Null: none has. Collective. */
  private static Refused agreedOn(ParameterException mistake, Comm world) {
    int first = world.allReduce(mistake == null ? world.size() : world.rank(), Op.MIN);
    return first == world.size() ? null : new Refused(mistake, world.rank() == first);
  }

  /** The problem is divided among the ranks of the start: with fewer it would be another one. */
  private void requireSameRanks() {
    String policy = ReinitConfig.POLICY.value();
    if (policy.equalsIgnoreCase(Policy.SHRINK.name())) {
      throw refuse("-D" + ReinitConfig.POLICY.property() + "=" + policy + ": " + title
          + " cannot go on with fewer ranks than it was started with; SPAWN and RESTART would do");
    }
  }

  /**
   * A process on another host, or one that was started later, may have found another file under the name. Collective if there are
   * files, which is the same on all.
   */
  private void requireSameInputs(Comm world) {
    if (inputs() != 0 && world.allReduce(inputs(), Op.MIN) != world.allReduce(inputs(), Op.MAX)) {
      throw refuse("the ranks have read files of one name and different contents: the same file on all hosts would do");
    }
  }

  private record Result(int rank, int ranks, int iterations, String summary, Map<String, Object> figures,
      Map<String, Object> details, double[] iterationSeconds, long[] iterationBytes, double[] saveSeconds,
      List<Map<String, Object>> takeovers, List<Map<String, Object>> resumptions, double checkpointSeconds,
      List<LevelCost> checkpoints, Picture picture) {}

  private Result solve(Run run, IterationTimes times, Stamps stamps, Progress progress) {
    Comm world = run.world();
    Checkpoint checkpoint = run.checkpoint();
    requireSameInputs(world);
    try (Work work = work(world)) {
      Arguments arguments = new Arguments(params(world.size()), inputs());
      arguments.protect(checkpoint); // first, to be known where what follows does not fit
      work.protect(checkpoint);
      int k = restored(run, arguments);
      if (k == 0) {
        work.begin();
        k = 1;
      } else {
        work.resume();
      }
      times.enter(run, k);
      stamps.enter(world.rank(), run.epoch(), k);
      for (; work.goesOn(k); k++) {
        stamps.begin(k);
        run.iteration(k);
        times.begin();
        work.iterate(k);
        times.note(k);
        if (options.isCheckpointDue(k)) {
          boolean isEnd = run.isEndAnnounced(); // before the save, which is to outlive the job then
          long start = System.nanoTime();
          checkpoint.save(k + 1L);
          stamps.saved(System.nanoTime() - start);
          times.noteSave(k);
          if (isEnd) {
            run.endForRestart();
          }
        }
        progress.at(run, k, work);
      }
      stamps.begin(k);
      Map<String, Object> figures = work.figures();
      return new Result(world.rank(), world.size(), k - 1, work.summary(), figures, work.details(), times.first(k),
          times.firstBytes(k), times.firstSaves(k), times.takeovers(world, k), times.resumptions(), checkpoint.seconds(),
          checkpoint.costs(), picture() == null ? null : work.picture());
    }
  }

  /** The iteration to go on from: a checkpoint's, which may be an earlier run's, and has to be of the same problem. 0: none. */
  private int restored(Run run, Arguments arguments) {
    String remedy = ": choose another folder by -D" + CheckpointConfig.DIR.property() + ", or empty it";
    int k;
    try {
      k = (int) run.checkpoint().restore().orElse(0);
    } catch (CheckpointException e) {
      if (run.epoch() > 0) {
        throw e;
      }
      throw arguments.areTheSame() ? refuse("the checkpoints of an earlier run cannot be used" + remedy + ". " + e.getMessage())
          : refuseOthers(arguments, remedy);
    }
    // Of all ranks, so that none goes on without the others.
    if (k > 0 && run.world().allReduce(arguments.areTheSame() ? 0 : 1, Op.MAX) > 0) {
      throw refuseOthers(arguments, remedy);
    }
    return k;
  }

  private ParameterException refuseOthers(Arguments arguments, String remedy) {
    return refuse("the checkpoints are those of a run with other arguments, " + arguments.saved() + ", and these are "
        + arguments + remedy);
  }

  private void report(Result result, List<Recovery> recoveries, double seconds) throws IOException {
    System.out.println(result.summary);
    recoveries.forEach(recovery -> System.out.printf(Locale.ROOT,
        "recovered from the loss of rank(s) %s: detection %.1f ms, repair %.1f ms, together %.1f ms%n",
        recovery.failedRanks(), recovery.detectionMillis(), recovery.repairMillis(), recovery.totalMillis()));
    if (options.json() != null) {
      RunReport report = new RunReport(program.name(), result.ranks, (int) JobConfig.SPARES.longValue())
          .put("params", params(result.ranks))
          .put("iterations", result.iterations)
          .put("figures", result.figures);
      result.details.forEach(report::put);
      report.put("iterationSeconds", result.iterationSeconds)
          .put("iterationBytes", result.iterationBytes)
          .put("saveSeconds", result.saveSeconds)
          .put("takeovers", result.takeovers)
          .put("resumptions", result.resumptions)
          .checkpoints(result.checkpoints)
          .times(seconds, result.checkpointSeconds, recoveries)
          .write(options.json());
    }
    if (result.picture != null) {
      result.picture.write(picture());
    }
  }
}
