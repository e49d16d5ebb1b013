// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.persist;

import java.util.Map;
import java.util.concurrent.Callable;
import org.kintsugi.examples.app.JobCommand;
import org.kintsugi.examples.app.ReportOptions;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.persist.PersistSettings;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The program of the paper's figure 3: two processes evolve an array each and exchange a boundary value. They persist a
 * seed, from which the array can be made again, the iteration, and the boundary value for the other process.
 *
 * <p>One thing is added: a barrier on the persistent communicator ends each iteration, so that after a failure both find the same
 * one. (In the paper only the failed process goes back; here all do, as Reinit has it.)
 */
@Command(name = "two-processes",
    description = "Two processes that persist a seed, an iteration and a boundary value.")
public final class TwoProcesses implements Callable<Integer> {
  private static final int SEED_TAG = 1;
  private static final int ITERATION_TAG = 2;
  private static final int BOUNDARY_TAG = 3;
  private static final double FIRST_SEED = 321;

  @Spec
  private CommandSpec program;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "this help")
  private boolean help;

  @Option(names = "--size", paramLabel = "N", defaultValue = "100000",
      description = "elements of each array, at least 2 (100000)")
  private int size;

  @Option(names = "--iterations", paramLabel = "I", defaultValue = "10", description = "(10)")
  private int iterations;

  @Option(names = "--key", paramLabel = "KEY", defaultValue = "two-processes", description = "the session key")
  private String key;

  /** Runs the program. */
  public static void main(String[] args) {
    JobCommand.run(new TwoProcesses(), args);
  }

  @Override
  public Integer call() {
    try (Mpi mpi = Mpi.init()) {
      if (size < 2 || iterations < 1) {
        return ReportOptions.tell(new ParameterException(program.commandLine(),
            "--size " + size + " --iterations " + iterations + ": at least 2 and 1 would do"), mpi.world().rank());
      }
      Reinit.run(mpi, this::body);
    }
    return 0;
  }

  private void body(Run run) {
    Comm world = run.world();
    if (world.size() != 2) {
      throw new IllegalStateException("started with " + world.size() + " processes: this is a program for 2");
    }
    int rank = world.rank();
    int other = 1 - rank;
    double[] data = new double[size];
    double[] seed = {FIRST_SEED + rank};
    int[] iteration = {0};
    double[] boundary = {0};
    try (Info info = Info.of(Map.of(PersistSettings.RECOVER, "barrier"));
        PersistentComm persistent = PersistentComm.of(world, key, info)) {
      Comm stored = persistent.comm();
      if (persistent.restarted()) {
        stored.recv(Buf.wrap(seed), rank, SEED_TAG);
        stored.recv(Buf.wrap(iteration), rank, ITERATION_TAG);
        stored.recv(Buf.wrap(boundary), other, BOUNDARY_TAG);
      }
      initialise(data, seed[0]);
      data[size - 1] = boundary[0];
      for (int i = iteration[0]; i < iterations; i++) {
        run.iteration(i);
        compute(data);
        boundary[0] = data[0];
        world.sendRecv(Buf.wrap(boundary), other, BOUNDARY_TAG, Buf.wrap(data, size - 1, 1), other, BOUNDARY_TAG);
        stored.send(Buf.wrap(boundary), other, BOUNDARY_TAG);
        double received = data[size - 1];
        seed[0] = aggregate(data);
        System.out.println(rank + " " + i + " " + seed[0]);
        stored.send(Buf.wrap(seed), rank, SEED_TAG);
        stored.send(Buf.copyOf(i + 1), rank, ITERATION_TAG);
        stored.barrier();
        // The array is what the seed makes of it: so the paper has it, and so nothing else is to be persisted.
        initialise(data, seed[0]);
        data[size - 1] = received;
      }
      System.out.println("Final: " + rank + " " + seed[0]);
      persistent.forget();
    }
  }

  private static void initialise(double[] data, double seed) {
    double value = seed;
    for (int k = 0; k < data.length; k++) {
      value = (value * 997 + 1) % 1021;
      data[k] = value;
    }
  }

  private static void compute(double[] data) {
    for (int sweep = 0; sweep < 4; sweep++) {
      for (int k = 1; k < data.length - 1; k++) {
        data[k] += 0.25 * (data[k - 1] - 2 * data[k] + data[k + 1]);
      }
    }
    data[0] = 0.5 * (data[0] + data[1]);
  }

  private static double aggregate(double[] data) {
    double sum = 0;
    for (double value : data) {
      sum += value;
    }
    return sum / data.length;
  }
}
