// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.persist;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.kintsugi.examples.app.JobCommand;
import org.kintsugi.examples.app.ReportOptions;
import org.kintsugi.examples.app.RunClock;
import org.kintsugi.examples.app.RunReport;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.persist.PersistSettings;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.reinit.Recovery;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.runtime.JobConfig;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/**
 * The program of the paper's figure 8: heat spreads over a plate, and every few steps each process persists its state by a
 * message to itself. A barrier on the persistent communicator makes one state of them.
 */
@Command(name = "heat",
    description = "2-D heat equation; every rank owns ROWS rows of COLUMNS points, one rank below the other.")
public final class Heat implements Callable<Integer> {
  /** The persisted data. */
  enum State {
    /** All temperatures: a run that was interrupted ends with the same bits. */
    FULL,
    /** Their average, as in the paper's measurements: the cost does not depend on the size of the plate. */
    AVERAGE
  }

  private static final List<String> STORES = List.of("memory", "file", "jdbc", "scr");
  private static final int STATE_TAG = 1;
  private static final int STEP_TAG = 2;

  @Mixin
  private ReportOptions options;

  @Parameters(index = "0", paramLabel = "COLUMNS", description = "points in a row")
  private int columns;

  @Parameters(index = "1", paramLabel = "ROWS", description = "rows of each process")
  private int rows;

  @Parameters(index = "2", paramLabel = "STEPS", description = "steps in time")
  private int steps;

  @Option(names = "--interval", paramLabel = "I", defaultValue = "10",
      description = "steps between two states that are persisted; 0: never (10)")
  private int interval;

  @Option(names = "--state", defaultValue = "FULL", description = "what is persisted: ${COMPLETION-CANDIDATES} (FULL)")
  private State state;

  @Option(names = "--key", paramLabel = "KEY", defaultValue = "heat", description = "the session key")
  private String key;

  @Option(names = "--store", paramLabel = "STORE", description = "memory, file, jdbc or scr (-Dkintsugi.persist.store)")
  private String store;

  /** Runs the program. */
  public static void main(String[] args) {
    JobCommand.run(commandLine(new Heat()), args);
  }

  private static CommandLine commandLine(Heat heat) {
    return new CommandLine(heat).setCaseInsensitiveEnumValuesAllowed(true);
  }

  /** As its command line says, for a program that runs it more than once ({@link #seconds}). */
  public static Heat of(String... arguments) {
    Heat heat = new Heat();
    commandLine(heat).parseArgs(arguments);
    heat.check();
    return heat;
  }

  /** Goes through all steps. Collective over the run's world. @return how long the steps took, in seconds */
  public double seconds(Run run) {
    return solve(run).seconds;
  }

  /** As {@link #seconds}. @return a hash of every bit of every temperature of all ranks */
  public long hash(Run run) {
    return solve(run).hash;
  }

  private void check() {
    options.check();
    options.requireAtLeast(3, columns, "COLUMNS");
    options.requirePositive(rows, "ROWS");
    options.requirePositive(steps, "STEPS");
    if ((rows + 2L) * columns > Integer.MAX_VALUE) {
      throw options.refuse("COLUMNS " + columns + " and ROWS " + rows + ": a process would have " + (rows + 2L) * columns
          + " points, and " + Integer.MAX_VALUE + " is the most; more processes with fewer rows each would do");
    }
    options.requireAtLeast(0, interval, "--interval");
    if (store != null && !STORES.contains(store)) {
      throw options.refuse("--store " + store + ": expected one of " + String.join(", ", STORES));
    }
  }

  private record Result(int rank, int ranks, double average, long hash, double seconds) {}

  @Override
  public Integer call() throws IOException {
    try (Mpi mpi = Mpi.init()) {
      try {
        check();
      } catch (ParameterException refused) {
        return ReportOptions.tell(refused, mpi.world().rank());
      }
      RunClock clock = new RunClock();
      RunResult<Result> outcome = Reinit.call(mpi, run -> {
        clock.enter(run);
        return solve(run);
      });
      if (!outcome.stayedSpare() && outcome.value().rank == 0) {
        report(outcome.value(), outcome.recoveries(), clock.seconds());
      }
    }
    return 0;
  }

  private Result solve(Run run) {
    Comm world = run.world();
    HeatGrid grid = new HeatGrid(columns, rows);
    if (interval == 0) {
      double seconds = loop(run, grid, null, 0);
      return result(world, grid, seconds);
    }
    try (Info info = Info.of(Map.of(PersistSettings.RECOVER, "barrier", PersistSettings.NAME, "heat"))) {
      if (store != null) {
        info.set(PersistSettings.STORE, store);
      }
      try (PersistentComm persistent = PersistentComm.of(world, key, info)) {
        Comm stored = persistent.comm();
        int[] step = {0};
        if (persistent.restarted()) {
          stored.recv(Buf.wrap(step), world.rank(), STEP_TAG);
          restore(grid, stored);
          if (world.rank() == 0 && run.epoch() == 0) {
            System.out.println("heat goes on from step " + step[0]);
          }
        }
        double seconds = loop(run, grid, stored, step[0]);
        Result result = result(world, grid, seconds);
        persistent.forget();
        return result;
      }
    }
  }

  private double loop(Run run, HeatGrid grid, Comm stored, int first) {
    Comm world = run.world();
    world.barrier();
    long start = System.nanoTime();
    for (int step = first; step < steps; step++) {
      run.iteration(step);
      grid.exchangeBoundaries(world);
      grid.step();
      if (stored != null && (step + 1) % interval == 0) {
        stored.send(state == State.FULL ? grid.state() : Buf.copyOf(grid.average()), world.rank(), STATE_TAG);
        stored.send(Buf.copyOf(step + 1), world.rank(), STEP_TAG);
        stored.barrier();
        if (run.isEndAnnounced()) {
          run.endForRestart();
        }
      }
    }
    world.barrier();
    return (System.nanoTime() - start) / 1e9;
  }

  private void restore(HeatGrid grid, Comm stored) {
    if (state == State.FULL) {
      stored.recv(grid.state(), stored.rank(), STATE_TAG);
    } else {
      double[] average = new double[1];
      stored.recv(Buf.wrap(average), stored.rank(), STATE_TAG);
      grid.fill(average[0]);
    }
  }

  private static Result result(Comm world, HeatGrid grid, double seconds) {
    long hash = world.allReduce(grid.hash() * (2L * world.rank() + 1), Op.SUM);
    return new Result(world.rank(), world.size(), world.allReduce(grid.average(), Op.SUM) / world.size(), hash, seconds);
  }

  private void report(Result result, List<Recovery> recoveries, double seconds) throws IOException {
    System.out.printf(Locale.ROOT, "heat %d x %d on %d ranks: %d steps, average %s, hash %016x, %.3f s%n", columns, rows,
        result.ranks, steps,
        result.average, result.hash, result.seconds);
    recoveries.forEach(recovery -> System.out.printf(Locale.ROOT, "recovered from the loss of rank(s) %s: together %.1f ms%n",
        recovery.failedRanks(), recovery.totalMillis()));
    if (options.json() != null) {
      new RunReport("heat", result.ranks, (int) JobConfig.SPARES.longValue())
          .put("average", result.average)
          .put("hash", Long.toHexString(result.hash))
          .put("loopSeconds", result.seconds)
          .times(seconds, 0, recoveries)
          .write(options.json());
    }
  }
}
