// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.launcher.Launcher;
import org.kintsugi.mpi.internal.launcher.LauncherConnection;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Errno;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;
import org.kintsugi.runtime.internal.RawWords;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.protocol.FromLauncher;
import org.kintsugi.runtime.internal.protocol.FromProcess;
import org.kintsugi.runtime.internal.protocol.Line;

/**
 * Exchanges lines with {@code jmpirun} to replace spares ({@link JobConfig#REFILL}). The launcher
 * sees which processes are alive, has new ones started, and connects a waiting process with a run
 * that needs one. It also reports failed processes: for the runtime, each process that was started
 * later is a job of its own, and the runtime reports its failure only in that job.
 */
@InRecovery
final class SpareCalls implements Consumer<FromLauncher> {

  private static final long LOOK_MILLIS = 10;

  /** The limit of unsuccessful calls: more mean that something is wrong with this process. */
  private static final int MOST_CALLS = 4;

  /** A line of the launcher. */
  private record Word(FromLauncher line, long nanos) {
    boolean isFresh() {
      return System.nanoTime() - nanos < TimeUnit.MILLISECONDS.toNanos(TimeLimits.FRESH_MILLIS);
    }
  }

  /** A process by the launcher's names. */
  record OtherProcess(String job, int rank) {
    void reportFailure() {
      long name = Memory.allocateString(job);
      try {
        Kintsugi.kintsugi_report_failure(name, rank);
      } finally {
        Memory.free(name);
      }
    }

    /**
     * Fetches addresses in advance. Errors do not matter: the addresses are fetched again if
     * needed.
     */
    void prefetchAddress() {
      long name = Memory.allocateString(job);
      try {
        Kintsugi.kintsugi_prefetch_address(name, rank);
      } finally {
        Memory.free(name);
      }
    }
  }

  private final BlockingQueue<Word> words = new LinkedBlockingQueue<>();
  private volatile String meeting = "";
  private volatile String gone = "";
  private boolean isNoneToCome;

  private SpareCalls() {
    // Loads classes that the requester would otherwise load while all others wait.
    for (Line line : new Line[] {new FromProcess.Need(0), new FromProcess.Living(0), new FromProcess.Joined(),
        new FromLauncher.Called("-"),
        new FromLauncher.Come("-"), new FromLauncher.Gone("-"), new FromLauncher.ProcessFailed("-", 0)}) {
      if (line instanceof FromLauncher launchers) {
        words.add(new Word(FromLauncher.parse(launchers.toLine()), 0));
      } else {
        line.toLine();
      }
    }
    words.add(new Word(new FromLauncher.None(), 0));
    removeOld();
  }

  /**
   * For the first run of a process, with this policy.
   *
   * @return null: spares are not replaced
   */
  static SpareCalls ofJob(Policy policy) {
    boolean asked = JobConfig.REFILL.booleanValue() && !JobConfig.LAUNCHER_ADDRESS.value().isEmpty()
        && policy != Policy.SPAWN_TOGETHER && (JobConfig.SPARES.longValue() > 0 || policy == Policy.SPAWN);
    if (!asked) {
      return null;
    }
    int error = Kintsugi.kintsugi_limit_connecting(0);
    if (error != 0) {
      System.err.println("kintsugi: spares are not filled up again, with this Open MPI that is not possible: "
          + Errno.text(error));
      return null;
    }
    SpareCalls calls = new SpareCalls();
    LauncherConnection.listen(calls);
    return calls;
  }

  /** Whether this process was started while the job was running. */
  static boolean isStartedLater() {
    return JobConfig.STARTED.longValue() > 0;
  }

  /** Sets the number of processes that the launcher keeps alive from now on. */
  void keep(int processes) {
    LauncherConnection.tell(new FromProcess.Keep(processes));
  }

  /** Reports how many processes are left after a recovery. Called by one process for all. */
  void tellLiving(int processes) {
    LauncherConnection.tell(new FromProcess.Living(processes));
  }

  /** Ends the replacement of spares: the run is over. */
  void end() {
    keep(0);
  }

  @Override
  public void accept(FromLauncher line) {
    if (line instanceof FromLauncher.Start order) {
      // Starting waits for the launcher, and this thread has to answer other lines meanwhile.
      Thread starts = new StartThread(order);
      starts.setDaemon(true);
      starts.start();
    } else if (line instanceof FromLauncher.ProcessFailed failed) {
      new OtherProcess(failed.job(), failed.rank()).reportFailure();
    } else if (line instanceof FromLauncher.Prefetch prefetch) {
      new OtherProcess(prefetch.job(), prefetch.rank()).prefetchAddress();
    } else if (line instanceof FromLauncher.Forget forget) {
      forget(forget.job());
    } else if (line instanceof FromLauncher.Gone lost) {
      gone = lost.meeting();
      if (gone.equals(meeting)) {
        Kintsugi.kintsugi_stop_connecting();
      }
    } else {
      words.add(new Word(line, System.nanoTime()));
    }
  }

  /** Starts a process. */
  private static final class StartThread extends Thread {
    private final FromLauncher.Start order;

    StartThread(FromLauncher.Start order) {
      super("kintsugi-start");
      this.order = order;
    }

    @Override
    public void run() {
      SpareCalls.start(order);
    }
  }

  /** Frees the data about a job. Errors do not matter: some memory is kept. */
  private static void forget(String job) {
    long name = Memory.allocateString(job);
    try {
      Kintsugi.kintsugi_forget_job(name);
    } finally {
      Memory.free(name);
    }
  }

  private static void start(FromLauncher.Start order) {
    List<String> line = Replacements.commandLine();
    String program = Replacements.program();
    String ours = "-D" + JobConfig.STARTED.property() + "=";
    StringBuilder all = new StringBuilder(program).append('\0').append(ours).append(order.number()).append('\0');
    String spawned = "-D" + JobConfig.SPAWNED.property() + "=true";
    all.append(spawned).append('\0');
    boolean mayBeOurs = true; // until the first word that is no property: the program's own words stay as they are
    for (String word : line.subList(1, line.size())) {
      mayBeOurs &= word.startsWith("-D");
      if (!mayBeOurs || !word.startsWith(ours) && !word.equals(spawned)) {
        all.append(word).append('\0');
      }
    }
    String text = all.toString();
    long address = Memory.allocateWord(text);
    long host = order.host().isEmpty() ? 0 : Memory.allocateString(order.hostForMpirun());
    try {
      int length = RawWords.encode(text).length;
      int error = Kintsugi.kintsugi_start_process(address, length, host, order.number());
      if (error != 0) {
        LauncherConnection.tell(new FromProcess.Unable(order.number(), Errno.text(error)));
      }
    } finally {
      Memory.free(address);
      if (host != 0) {
        Memory.free(host);
      }
    }
  }

  /**
   * Asks for a waiting process, and connects to it. Called by one process for all.
   *
   * @param left the number of processes that are left
   * @return a communicator of both, this process first; null: not now, see {@link #isNoneToCome}
   */
  Comm fetch(Mpi mpi, Scope scope, int left) {
    isNoneToCome = false;
    removeOld();
    if (words.isEmpty() && !LauncherConnection.tell(new FromProcess.Need(left))) {
      isNoneToCome = true;
      return null;
    }
    Word answer = await(TimeLimits.ROUND_MILLIS);
    if (answer == null) {
      return null;
    }
    if (!(answer.line instanceof FromLauncher.Called called)) {
      isNoneToCome = true;
      return null;
    }
    try {
      return meet(mpi, scope, called.meeting(), false);
    } catch (MpiException itDoesNotCome) {
      return null;
    }
  }

  private void removeOld() {
    for (Iterator<Word> each = words.iterator(); each.hasNext();) {
      Word word = each.next();
      if (!word.isFresh() || word.line instanceof FromLauncher.None) {
        each.remove();
      }
    }
  }

  /** Whether the last {@link #fetch} has shown that no process will come. */
  boolean isNoneToCome() {
    return isNoneToCome;
  }

  private Word await(long millis) {
    try {
      return words.poll(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /**
   * Limits the time that calls wait for a process that has died, until {@link #leave}. All
   * processes that admit a process call it.
   */
  void enter() {
    Kintsugi.kintsugi_limit_connecting(TimeLimits.CALLED_MILLIS);
  }

  /** See {@link #enter}. */
  void leave() {
    Kintsugi.kintsugi_limit_connecting(0);
  }

  private Comm meet(Mpi mpi, Scope scope, String name, boolean isCalled) {
    meeting = name;
    Kintsugi.kintsugi_limit_connecting(isCalled ? TimeLimits.CALLED_MILLIS : TimeLimits.CALLER_MILLIS);
    if (gone.equals(name)) {
      Kintsugi.kintsugi_stop_connecting();
    }
    try {
      return Access.comms().connectByName(mpi.self(), name, isCalled, scope);
    } finally {
      Kintsugi.kintsugi_limit_connecting(0);
      meeting = "";
    }
  }

  /**
   * Waits until this process is called, and connects to the process that needs it.
   *
   * @return a communicator of both, this process second; if no process needs it any more, LauncherConnection ends this one
   */
  Comm awaitCall(Mpi mpi, Scope scope) {
    tellReady();
    int calls = 0;
    while (true) {
      Word word = await(Long.MAX_VALUE);
      if (word == null) {
        Launcher.endUnneeded();
      } else if (word.line instanceof FromLauncher.Come come) {
        try {
          return meet(mpi, scope, come.meeting(), true);
        } catch (MpiException alone) {
          // If the other process lives, it may wait for a message of this one: only the end of this
          // process interrupts that wait.
          if (!isGone(come.meeting()) || ++calls == MOST_CALLS) {
            Replacements
                .end("this process, started in place of a dead one, was called, but cannot connect: " + alone.getMessage());
          }
          tellReady();
        }
      }
    }
  }

  /** Reports that this process waits. Without the launcher no process can call it, so it ends. */
  private static void tellReady() {
    if (!LauncherConnection.tell(new FromProcess.Ready())) {
      Launcher.endUnneeded();
    }
  }

  private boolean isGone(String name) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TimeLimits.GONE_MILLIS);
    while (!gone.equals(name) && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
    }
    return gone.equals(name);
  }

  /** Reports to the launcher that the run has admitted this process. */
  void reportAdmitted() {
    Launcher.markNeeded();
    LauncherConnection.tell(new FromProcess.Joined());
  }
}
