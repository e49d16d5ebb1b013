// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.Locale;
import java.util.Objects;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;

/** Global-restart recovery: the entry points. See the package page for a program. */
public final class Reinit {
  private Reinit() {}

  /** The program's part: entered anew after every recovery. */
  @FunctionalInterface
  public interface Body {
    /**
     * Runs until the work is done; an exception leaves {@link Reinit#run} on this process as it is.
     *
     * <p>Threads of its own that call MPI must have ended when it returns or throws, on a rollback too (each of them gets it):
     * the epoch's communicators end with the epoch.
     *
     * @param run the epoch: its world, this process's state, and its checkpoint; valid until the body ends
     * @throws Exception any exception of the program; it ends the run on all processes
     */
    void enter(Run run) throws Exception;
  }

  /** A body with a result. */
  @FunctionalInterface
  public interface Task<T> {
    /**
     * As {@link Body#enter}, with a result: the value that it returns in the last epoch is the run's result on this process.
     *
     * @param run the epoch: its world, this process's state, and its checkpoint; valid until the body ends
     * @return the result
     * @throws Exception any exception of the program; it ends the run on all processes
     */
    T enter(Run run) throws Exception;
  }

  /** How a run behaves; every method returns this object. */
  public static final class Options {
    private Policy policy = policyOfJob();
    private Runnable warmUp;

    /** The defaults: {@link ReinitConfig#POLICY} when spares run out, no warm-up. */
    public Options() {}

    private static Policy policyOfJob() {
      String name = ReinitConfig.POLICY.value().toUpperCase(Locale.ROOT);
      try {
        return Policy.valueOf(name);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("-D" + ReinitConfig.POLICY.property() + "=" + name
            + ": expected SPAWN, SPAWN_TOGETHER, SHRINK or RESTART", e);
      }
    }

    /**
     * Sets the reaction to more failures than there are spares.
     *
     * @param policy the same on all processes
     * @return this
     */
    public Options policy(Policy policy) {
      this.policy = Objects.requireNonNull(policy, "policy is null");
      return this;
    }

    /**
     * Sets work for a spare while it waits: the program's kernels on small data, so that the JIT has compiled them before the
     * spare takes a place. Runs once, on a thread of its own, without MPI; interrupted when the place is taken.
     *
     * @param warmUp touches nothing that the body uses; null: nothing
     * @return this
     */
    public Options warmUp(Runnable warmUp) {
      this.warmUp = warmUp;
      return this;
    }

    Policy policy() {
      return policy;
    }

    Runnable warmUp() {
      return warmUp;
    }
  }

  /**
   * Runs a body with default options; see {@link #run(Mpi, Options, Body)}.
   *
   * @param mpi the process's MPI
   * @param body the program's part; entered anew after every recovery
   * @throws UnsupportedOperationException if a job of several processes was started without fault tolerance
   * @throws IllegalStateException inside the body of another run
   */
  public static void run(Mpi mpi, Body body) {
    run(mpi, new Options(), body);
  }

  /**
   * Runs a body until it has ended on every process of one epoch; after a failure all return to its beginning.
   *
   * <p>Collective over the whole job, spares included: a spare waits in here and returns when the job is done, or enters
   * the body when it takes a place. {@code MPI_Reinit} of the Reinit papers; on the Reinit++ fork its runtime starts a new
   * process instead, which comes here by itself, and a process can have one run.
   *
   * <p>One process that was started without {@code jmpirun} and {@code mpirun}, in an IDE, enters the body once; nothing protects
   * it, and it says so.
   *
   * @param mpi the process's MPI
   * @param options what to do when spares run out, and what spares do while they wait; the same on all processes
   * @param body the program's part; entered anew after every recovery
   * @throws UnsupportedOperationException if a job of several processes was started without fault tolerance
   * @throws IllegalStateException inside the body of another run
   */
  public static void run(Mpi mpi, Options options, Body body) {
    Objects.requireNonNull(body, "body is null");
    ReinitPoint point = point(mpi, options);
    while (point.enter()) {
      point.attempt(body);
    }
  }

  /**
   * As {@link #run(Mpi, Body)}, for a body with a result: the value that {@code OMPI_Reinit}'s restart point hands back.
   * Collective
   * over the whole job.
   *
   * @param <T> the type of the body's value
   * @param mpi the process's MPI
   * @param task the body; entered anew after every recovery
   * @return the body's value on this process, the recoveries, and whether the process stayed a spare
   * @throws UnsupportedOperationException if a job of several processes was started without fault tolerance
   * @throws IllegalStateException inside the body of another run
   */
  public static <T> RunResult<T> call(Mpi mpi, Task<T> task) {
    return call(mpi, new Options(), task);
  }

  /**
   * As {@link #call(Mpi, Task)}, with options.
   *
   * @param <T> the type of the body's value
   * @param mpi the process's MPI
   * @param options what to do when spares run out, and what spares do while they wait; the same on all processes
   * @param task the body; entered anew after every recovery
   * @return the body's value on this process, the recoveries, and whether the process stayed a spare
   * @throws UnsupportedOperationException if a job of several processes was started without fault tolerance
   * @throws IllegalStateException inside the body of another run
   */
  public static <T> RunResult<T> call(Mpi mpi, Options options, Task<T> task) {
    ValueKeeper<T> body = new ValueKeeper<>(Objects.requireNonNull(task, "task is null"));
    ReinitPoint point = point(mpi, options);
    while (point.enter()) {
      point.attempt(body);
    }
    return new RunResult<>(body.value, point.recoveries(), !body.entered);
  }

  /** Keeps the value of the last entry of a body. */
  @InRecovery
  static final class ValueKeeper<T> implements Body {
    private final Task<T> task;
    private T value;
    private boolean entered;

    ValueKeeper(Task<T> task) {
      this.task = task;
    }

    @Override
    public void enter(Run run) throws Exception {
      entered = true;
      value = null;
      value = task.enter(run);
    }
  }

  /** The class of what the program has given for a body. */
  static Class<?> programClass(Body body) {
    return body instanceof ValueKeeper<?> keeper ? keeper.task.getClass() : body.getClass();
  }

  /**
   * A restart point with default options; see {@link #point(Mpi, Options)}.
   *
   * @param mpi the process's MPI
   * @return the point, for the thread that calls
   */
  public static ReinitPoint point(Mpi mpi) {
    return point(mpi, new Options());
  }

  /**
   * How many processes do the work of a job's runs, spares not counted. Known before a run, and in processes that are started
   * later too, which see no others at first. A run that has shrunk has fewer.
   *
   * @param mpi the job's MPI
   * @return the number of ranks that a run has at its start
   */
  public static int ranks(Mpi mpi) {
    if (Flavour.current() == Flavour.REINIT) {
      return mpi.world().size(); // spares are no processes of the job
    }
    int told = (int) JobConfig.RANKS.longValue();
    return told > 0 ? told : mpi.world().size() - (int) JobConfig.SPARES.longValue();
  }

  /**
   * Sets the restart point: the second interface of the Reinit proposal (set a point, ask for the state) in the form that
   * Java allows. Collective over the whole job.
   *
   * <pre>{@code
   * ReinitPoint point = Reinit.point(mpi);
   * while (point.enter()) {
   *   if (point.run().state() == State.NEW) { ... }
   *   point.attempt(run -> { ... });
   * }
   * }</pre>
   *
   * @param mpi the process's MPI
   * @param options what to do when spares run out, and what spares do while they wait; the same on all processes
   * @return the point, for the thread that calls
   */
  public static ReinitPoint point(Mpi mpi, Options options) {
    Objects.requireNonNull(mpi, "mpi is null");
    Objects.requireNonNull(options, "options is null");
    ReinitPoint.requireNoOtherRun();
    return new ReinitPoint(mpi, options, provider(mpi, options));
  }

  private static Provider provider(Mpi mpi, Options options) {
    if (Flavour.current() == Flavour.REINIT) {
      return new ReinitPlusPlusProvider(mpi);
    }
    Provider unprotected = UnprotectedProvider.ifUnprotected(mpi);
    return unprotected == null ? new UlfmProvider(mpi, options.policy()) : unprotected;
  }
}
