// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.io.File;
import java.util.List;
import java.util.OptionalInt;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.ErrorClasses;
import org.kintsugi.mpi.internal.check.CheckedComm;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.launcher.JobMark;
import org.kintsugi.mpi.internal.launcher.Launcher;
import org.kintsugi.mpi.internal.launcher.LauncherConnection;
import org.kintsugi.mpi.internal.lifetime.BeforeFinalize;
import org.kintsugi.mpi.internal.lifetime.Deadline;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.RunState;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.LoneSegments;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.startup.InitWatch;
import org.kintsugi.mpi.internal.startup.LoadedMpi;
import org.kintsugi.mpi.internal.startup.WorldAttributes;
import org.kintsugi.mpi.internal.threads.CallingThread;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.McaFiles;
import org.kintsugi.runtime.internal.protocol.RankPlace;

/**
 * MPI in this process, from {@link #init} to {@link #close}.
 *
 * <pre>{@code
 * try (Mpi mpi = Mpi.init(args)) {
 *   System.out.println("rank " + mpi.world().rank() + " of " + mpi.world().size());
 * }
 * }</pre>
 */
public final class Mpi implements AutoCloseable {
  static {
    Errors.provide(new ErrorClasses());
  }

  /**
   * The exit code of a job that could not be recovered. Start it again ({@code jmpirun --restart}
   * does).
   */
  public static final int RESTART_CODE = ExitCodes.RESTART;

  /** What a shell sees of an exit code. */
  private static final int LOWEST_BYTE = 0xff;
  /** Causes that are looked at: exceptions may be causes of each other, in a circle. */
  private static final int MOST_CAUSES = 100;

  private static volatile Mpi current;
  private static volatile boolean closed;

  private final Scope scope = new Scope("the MPI job", null);
  /**
   * The scope of handles for this process alone, or for another job. They are usable inside the
   * body of a Reinit run, too.
   */
  private final Scope apart = new Scope("the MPI job", null);
  private final Comm world;
  private final Comm self;
  private final ThreadLevel threadLevel;
  private final WorldAttributes attributes;
  private Intercomm parent;

  private Mpi(ThreadLevel threadLevel) {
    this.threadLevel = threadLevel;
    this.world = new Comm(MPI.MPI_COMM_WORLD, scope, true);
    this.self = new Comm(MPI.MPI_COMM_SELF, apart, true);
    this.attributes = WorldAttributes.read();
    world.state().setCompared(CheckedComm.ofJob(world.rank(), world.size()));
  }

  /** A program on one rank; see {@link Mpi#run}. */
  @FunctionalInterface
  public interface Program {
    /**
     * The program's work.
     *
     * @param mpi open until this returns
     * @throws Exception ends the job
     */
    void run(Mpi mpi) throws Exception;
  }

  /**
   * Initialises MPI, runs a program, and closes MPI. Collective over the job.
   *
   * <p>An exception of the program is printed at once, and ends the job with exit code 1: in
   * {@code try (Mpi mpi = Mpi.init(args))} it would be printed only after MPI_Finalize, which waits
   * for all ranks, and the other ranks may be waiting for this one. If the exception is, or was
   * caused by, the failure of another process, the job has that process's exit code.
   *
   * @param args the program's arguments; MPI does not read them
   * @param program what to run
   */
  public static void run(String[] args, Program program) {
    Mpi mpi = init(args);
    try {
      program.run(mpi);
    } catch (Throwable thrown) {
      thrown.printStackTrace();
      if (Flavour.current() == Flavour.ULFM && isOfAFailure(thrown)) {
        Launcher.abortForFailedProcess();
      }
      mpi.abort(1);
    }
    mpi.close();
  }

  private static boolean isOfAFailure(Throwable thrown) {
    int depth = 0;
    for (Throwable cause = thrown; cause != null && depth < MOST_CAUSES; cause = cause.getCause()) {
      if (cause instanceof MpiFaultException) {
        return true;
      }
      depth++;
    }
    return false;
  }

  /**
   * Initialises MPI with {@link ThreadLevel#FUNNELED}. Collective over the job. {@code MPI_Init_thread}.
   *
   * @param args the program's arguments; MPI does not read them
   * @return MPI, for the caller to close at the program's end
   * @throws IllegalStateException if MPI is or was initialised in this process, or if this process
   *     has loaded another Open MPI than the job's
   */
  public static Mpi init(String... args) {
    return init(ThreadLevel.FUNNELED, args);
  }

  /**
   * Initialises MPI. Collective over the job; once in a process. {@code MPI_Init_thread}.
   *
   * <p>If a process fails before all have returned from {@code MPI_Init}, the others wait for it
   * for ever. So each process then ends, with {@link #RESTART_CODE} and a message, a few seconds
   * after the launcher has reported the failure, and in any case after
   * {@link JobConfig#INIT_TIMEOUT_SECONDS}.
   *
   * @param required the thread level that the program needs; on the Reinit++ fork at most {@code FUNNELED}
   * @param args the program's arguments; MPI does not read them
   * @return MPI, for the caller to close at the program's end
   * @throws IllegalStateException if MPI is or was initialised, or cannot give that thread level, or if this process has loaded
   *     the library of another Open MPI than the job was started with
   * @throws org.kintsugi.runtime.SetupException if there is no Open MPI where the natives look for it, nor where jmpirun would
   */
  public static synchronized Mpi init(ThreadLevel required, String... args) {
    if (current != null) {
      throw new IllegalStateException(
          closed ? "MPI was closed: it can be initialised once in a process" : "MPI is initialised already");
    }
    LoadedMpi.requireAny();
    LoadedMpi.requireAskedFor();
    if (CheckedComm.IS_ON && JobConfig.LAUNCHER_ADDRESS.value().isEmpty()) {
      throw new IllegalStateException("-D" + JobConfig.CHECK.property()
          + " needs somebody who compares: start the job with jmpirun --check instead");
    }
    boolean reinit = Flavour.current() == Flavour.REINIT;
    if (reinit) {
      Rollbacks.prepare(required);
      endWhereOthersHaveFinished();
    }
    if (JobConfig.MEMORY_HOLDER.booleanValue()) {
      // Without it, failures are detected somewhat later.
      Kintsugi.kintsugi_start_memory_holder();
    }
    if (required == ThreadLevel.MULTIPLE && !reinit
        && !McaFiles.isSet("mpi_yield_when_idle", System.getenv(), LoadedMpi.file().getParent().getParent())) {
      // A thread that waits in MPI would keep a core from the program's other threads, for milliseconds each time.
      Kintsugi.kintsugi_yield_when_idle();
    }
    long scratch = Scratch.address();
    JobMark.BEGUN.leave("");
    CallTrace.begin();
    InitWatch watch = InitWatch.begin();
    int code = MPI.MPI_Init_thread(0, 0, reinit ? ThreadLevel.SINGLE.level : required.level, scratch);
    if (code != MPI.MPI_SUCCESS) {
      watch.failed(code);
    }
    watch.end();
    Errors.check(code, "MPI_Init_thread");
    ThreadLevel provided = reinit ? ThreadLevel.FUNNELED : ThreadLevel.of(Memory.getInt(scratch));
    CallingThread.begin(required);
    current = new Mpi(provided);
    RunState.begin(current.scope, current.world.rank());
    CallTrace.enterProgram(current.scope, current.world.rank());
    if (provided.compareTo(required) < 0) {
      throw current.refused(required);
    }
    if (provided == ThreadLevel.MULTIPLE) {
      // Fails where Open MPI has patch mpi/0006, and none of its waits misses a failure.
      Kintsugi.kintsugi_watch_waits();
    }
    return current;
  }

  /** Finalizes an MPI without the required thread level: the program gets no object to close. */
  private IllegalStateException refused(ThreadLevel required) {
    IllegalStateException refusal = new IllegalStateException("this MPI gives thread level " + threadLevel + ", and " + required
        + " is required: MPI is finalized, as it can be initialised once in a process");
    RunState.endsBy(refusal); // printed if other ranks, to which MPI gives another level, do not call MPI_Finalize
    close();
    return refusal;
  }

  /**
   * Ends a replacement that was started too late. The runtime of the Reinit++ fork starts one even
   * when the job is over for the other processes.
   */
  private static void endWhereOthersHaveFinished() {
    if (JobMark.EXITED.isLeftForRank()) {
      Launcher.endJob(1, "a process ended with an error after Mpi.close, and the runtime has started this one in its place: the "
          + "job ends");
    }
    if (JobMark.FINISHED.isLeft()) {
      Launcher.endJobForRestart("a process died when others had finished already");
    }
  }

  /**
   * Whether MPI is initialised and not closed in this process.
   *
   * @return whether functions of MPI may be called
   */
  public static boolean isActive() {
    return current != null && !closed;
  }

  /** Whether MPI was initialised and closed in this process. */
  static boolean isOver() {
    return closed;
  }

  /**
   * MPI as it was initialised.
   *
   * @return the object that {@link #init} returned
   * @throws IllegalStateException before {@link #init} and after {@link #close}
   */
  public static Mpi current() {
    if (!isActive()) {
      throw new IllegalStateException(current == null ? "MPI is not initialised: call Mpi.init" : "MPI is closed");
    }
    return current;
  }

  static void requireFaultTolerance(String what) {
    if (!current().isFaultTolerant()) {
      throw new UnsupportedOperationException(what + (Flavour.current() == Flavour.REINIT
          ? " is ULFM's, and this is the Reinit++ fork of Open MPI: use org.kintsugi.reinit, or start the job under an Open MPI "
              + "with ULFM"
          : " needs fault tolerance, which is off in this job: start it with jmpirun, or with mpirun --with-ft ulfm "
              + "(Open MPI 5.0 or newer, configured --with-ft=mpi)"));
    }
  }

  /**
   * All processes of the job, spares included. {@code MPI_COMM_WORLD}. Not to be closed.
   *
   * <p>Inside the body of a Reinit run it is refused, as are communicators made from it: no
   * recovery repairs it, and spares, which wait for a failure, would have to take part. Use
   * {@code run.world()} there.
   *
   * @return the same object at every call
   * @throws IllegalStateException if MPI is closed
   */
  public Comm world() {
    current();
    return world;
  }

  /**
   * This process alone. {@code MPI_COMM_SELF}. Not to be closed.
   *
   * @return the same object at every call
   * @throws IllegalStateException if MPI is closed
   */
  public Comm self() {
    current();
    return self;
  }

  /**
   * The thread level in force.
   *
   * @return the level that MPI provides, which may be higher than required
   */
  public ThreadLevel threadLevel() {
    return threadLevel;
  }

  /**
   * Whether ULFM is active: the job was started under {@code mpirun --with-ft ulfm}.
   *
   * @return whether {@link Comm#shrink}, {@link Comm#agree(boolean)} and their like can be called: without it they throw
   */
  public boolean isFaultTolerant() {
    return attributes.ft().orElse(0) != 0;
  }

  /**
   * The intercommunicator to the processes that spawned this one; null in a process that mpirun started.
   *
   * @return the same object at every call; null for none
   */
  public synchronized Intercomm parent() {
    current();
    CallingThread.check();
    if (parent != null) {
      return parent;
    }
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Comm_get_parent(scratch), "MPI_Comm_get_parent");
    long found = Memory.getLong(scratch);
    if (found != MPI.MPI_COMM_NULL) {
      parent = new Intercomm(found, apart);
    }
    return parent;
  }

  /**
   * The largest tag that a message may have. {@code MPI_TAG_UB}.
   *
   * @return at least 32767
   */
  public int tagUpperBound() {
    current();
    return attributes.tagUpperBound().orElseThrow();
  }

  /**
   * How many processes the job could have with those that it could still spawn, if known. {@code MPI_UNIVERSE_SIZE}.
   *
   * @return a number of processes; empty: MPI does not say
   */
  public OptionalInt universeSize() {
    current();
    return attributes.universeSize();
  }

  /**
   * The number of this program on its {@code mpirun} line, if known. {@code MPI_APPNUM}.
   *
   * @return from 0 on; empty: MPI does not provide it
   */
  public OptionalInt appNumber() {
    current();
    return attributes.appNumber();
  }

  /**
   * Seconds since some moment in the past. {@code MPI_Wtime}.
   *
   * @return seconds; only differences within this process are meaningful
   */
  public double wtime() {
    current();
    return MPI.MPI_Wtime();
  }

  /**
   * The name of the node. {@code MPI_Get_processor_name}.
   *
   * @return the host's name, as MPI has it
   */
  public String processorName() {
    current();
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Get_processor_name(scratch + Scratch.TEXT, scratch + Scratch.LENGTH), "MPI_Get_processor_name");
    return Memory.getString(scratch + Scratch.TEXT, Memory.getInt(scratch + Scratch.LENGTH));
  }

  /**
   * The library's own description, and the file that it was loaded from, in one line. {@code MPI_Get_library_version}.
   *
   * @return one line, for messages and logs
   */
  public static String libraryVersion() {
    return LoadedMpi.version() + ", loaded from " + LoadedMpi.file();
  }

  /**
   * Sets how much memory buffered sends may use. A buffer that was attached before is detached
   * first, which waits for its messages. Kintsugi allocates the memory. {@code MPI_Buffer_attach}.
   *
   * @param bytes room for the messages under way: for each its data and {@code MPI.MPI_BSEND_OVERHEAD} (of the raw bindings).
   *     A send for which too little is free throws an {@link MpiException} of the class {@code MPI_ERR_BUFFER}
   * @throws IllegalArgumentException if that is negative
   */
  public void attachBuffer(int bytes) {
    current();
    CallingThread.check();
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes " + bytes + " is negative");
    }
    BufferedSends.attach(bytes);
  }

  /**
   * Frees the memory of buffered sends; waits until its messages are sent. Messages to failed
   * processes, and on revoked communicators, are dropped. {@code MPI_Buffer_detach}.
   */
  public void detachBuffer() {
    current();
    CallingThread.check();
    BufferedSends.detach();
  }

  /** The scope of handles that are valid until MPI ends; for {@code org.kintsugi.mpi.internal}. */
  Scope scope() {
    return scope;
  }

  /**
   * Ends the whole job at once, with an exit code. {@code MPI_Abort}.
   *
   * @param code the exit code of the job, of which a shell sees the lowest 8 bits. If these are 0, it is 1: a job that was
   *     aborted is no success
   */
  public void abort(int code) {
    int exitCode = (code & LOWEST_BYTE) == 0 ? 1 : code;
    if (Flavour.current() == Flavour.REINIT) {
      Launcher.endJob(exitCode, "rank " + world.state().rawRank() + " ended the job with Mpi.abort(" + code + ")");
    }
    Launcher.abort(exitCode);
  }

  /**
   * Finalizes MPI. Collective over the living; idempotent. {@code MPI_Finalize}.
   *
   * <p>It waits for the other processes. If an exception has ended a Reinit run in this process, it
   * waits for {@link JobConfig#FINALIZE_TIMEOUT_SECONDS} at most: then the process prints the
   * exception and ends with exit code 1 (on the Reinit++ fork the whole job does), because while
   * this call blocks, the exception that was thrown cannot be printed. If a program without a
   * Reinit run throws on some ranks only, it should call {@link #abort} before this.
   */
  @Override
  public void close() {
    synchronized (Mpi.class) {
      if (closed) {
        return;
      }
      CallingThread.check();
      CallTrace.enter(RankPlace.Phase.LEAVES);
      if (CheckedComm.IS_ON) {
        CheckedComm.tellEnd(world.state(), CheckedComm.END);
        if (LauncherConnection.isJobDifferent()) {
          closed = true; // an exception that caused this close is printed before the job is ended
          Launcher.awaitEnd();
          return;
        }
      }
      deliver();
      BeforeFinalize.run();
      Leaks.reportLast();
      scope.reportLeaks();
      apart.reportLeaks();
      Leaks.end();
      closed = true;
      scope.end();
      apart.end();
      Deadline deadline = RunState.endDeadline("MPI_Finalize");
      Kintsugi.kintsugi_idle();
      try {
        if (Flavour.current() == Flavour.REINIT) {
          Rollbacks.finalizeMpi();
        } else {
          List<File> segments = LoneSegments.ofThisProcess();
          Errors.check(MPI.MPI_Finalize(), "MPI_Finalize");
          LoneSegments.remove(segments);
        }
      } finally {
        Kintsugi.kintsugi_idle_is_over();
        if (deadline != null) {
          deadline.close();
        }
      }
      if (!Launcher.isUnneeded()) {
        JobMark.FINISHED.leave("");
      }
      CallTrace.leave();
      Kintsugi.kintsugi_end_memory_holder();
    }
  }

  /** Delivers the messages of buffered sends, before MPI ends. */
  private static void deliver() {
    Deadline deadline = RunState.endDeadline("MPI_Buffer_detach");
    try {
      BufferedSends.detach();
    } catch (MpiFaultException forFinalize) {
      assert Flavour.current() == Flavour.REINIT; // MPI_Finalize detects the failure again, and ends the job
    } finally {
      if (deadline != null) {
        deadline.close();
      }
    }
  }
}
