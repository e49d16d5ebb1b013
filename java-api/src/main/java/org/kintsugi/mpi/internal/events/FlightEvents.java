// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.events;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/**
 * Writes what is reported to {@link JobEvents} into a recording, as events of JDK Flight Recorder.
 *
 * <p>The events are the classes at the end of this file: the process ({@link Identity}), the beginning of a phase ({@link
 * PhaseBegins}), a failure that was detected ({@link Failure}), a step of a recovery ({@link Step}), the beginning of an epoch
 * ({@link Epoch}), iterations of the program ({@link Iterations}), a save ({@link Save}), and a restore ({@link Restore}). {@link
 * TimedCall}, a long call of MPI, is the only event that is not written here.
 *
 * <p>An event is in the recorder's memory until it is flushed, once a second, and a process that is killed loses those after the
 * last flush. So a phase is reported when it begins. Durations are reported when they end.
 */
@InRecovery
final class FlightEvents extends JobEvents {
  /** Short iterations are reported together. */
  private static final long LEAST_PIECE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private Step step; // null: no recovery is under way
  private Iterations iterations; // null: outside of the body, or before its first iteration
  private long piecesBeganNanos;
  private long lastIteration;
  private Save save; // null: no save is under way
  private Restore restore; // null: no restore is under way

  private FlightEvents() {}

  /** For a process that may be recorded. Loads all classes of events, which would take their time in a recovery. */
  static FlightEvents ofThisProcess() {
    FlightEvents events = new FlightEvents();
    for (Event event : new Event[] {new Identity(), new PhaseBegins(), new Failure(), new Step(), new Epoch(), new Iterations(),
        new Save(), new Restore(), new TimedCall()}) {
      event.isEnabled();
    }
    RecoveryStep.values();
    return events;
  }

  @Override
  public void begin(int launchRank) {
    Identity identity = new Identity();
    identity.processId = ProcessHandle.current().pid();
    identity.host = hostName();
    identity.launchRank = launchRank;
    identity.started = JobConfig.STARTED.longValue();
    identity.ranks = JobConfig.RANKS.longValue();
    identity.spares = JobConfig.SPARES.longValue();
    identity.flavour = JobConfig.FLAVOUR.value();
    identity.commit();
    phase(Phase.STARTS, launchRank);
  }

  /** The same name that the launcher has for this host. */
  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
    } catch (IOException unknown) {
      return "?";
    }
  }

  @Override
  public void phase(Phase next, int rank) {
    endIterations();
    PhaseBegins event = new PhaseBegins();
    event.phase = next.name();
    event.rank = rank;
    event.commit();
    if (next == Phase.BODY) {
      TimedCall.forget();
    }
  }

  @Override
  public void failure(String message) {
    Failure event = new Failure();
    event.message = message;
    event.commit();
  }

  @Override
  public void step(RecoveryStep next) {
    endIterations();
    endStep();
    Step begins = new Step();
    begins.step = next.text;
    begins.begin();
    step = begins;
  }

  private void endStep() {
    Step ended = step;
    if (ended != null) {
      step = null;
      ended.commit();
    }
  }

  @Override
  public void together(int epoch) {
    if (step != null) {
      step.end();
      step.together = epoch;
      endStep();
    }
  }

  @Override
  public void epoch(int epoch, int rank, int size, String state, List<Integer> failed) {
    endStep();
    Epoch event = new Epoch();
    event.epoch = epoch;
    event.rank = rank;
    event.size = size;
    event.state = state;
    event.failed = text(failed);
    event.commit();
  }

  private static String text(List<Integer> ranks) {
    StringBuilder all = new StringBuilder();
    for (int rank : ranks) {
      all.append(all.length() == 0 ? "" : ",").append(rank);
    }
    return all.toString();
  }

  @Override
  public void iteration(long number) {
    long now = System.nanoTime();
    if (iterations != null && now - piecesBeganNanos < LEAST_PIECE_NANOS) {
      lastIteration = number;
      return;
    }
    endIterations();
    iterations = new Iterations();
    iterations.first = number;
    iterations.begin();
    lastIteration = number;
    piecesBeganNanos = now;
  }

  private void endIterations() {
    Iterations ended = iterations;
    if (ended != null) {
      iterations = null;
      ended.last = lastIteration;
      ended.inMpi = TimedCall.takeNanos();
      ended.commit();
    }
  }

  @Override
  public void saving(long version) {
    save = new Save();
    save.version = version;
    save.begin();
  }

  @Override
  public void saved(String level, long bytes) {
    Save ended = save;
    if (ended != null) {
      save = null;
      ended.level = level;
      ended.bytes = bytes;
      ended.commit();
    }
  }

  @Override
  public void restoring() {
    restore = new Restore();
    restore.begin();
  }

  @Override
  public void takenFrom(String level) {
    if (restore != null) {
      restore.level = level;
    }
  }

  @Override
  public void restored(long version, String engine) {
    Restore ended = restore;
    if (ended != null) {
      restore = null;
      ended.version = version;
      ended.level = version < 0 ? "" : ended.level == null ? engine : ended.level;
      ended.commit();
    }
  }

  /** The process. */
  @Name("kintsugi.Process")
  @Label("Process")
  @Category("Kintsugi")
  @StackTrace(false)
  static final class Identity extends Event {
    @Label("Process ID")
    long processId;
    @Label("Host")
    String host;
    @Label("Rank in the Job")
    int launchRank;
    @Label("Number among the Processes Started Later")
    long started;
    @Label("Ranks of the Job")
    long ranks;
    @Label("Spares of the Job")
    long spares;
    @Label("Flavour of MPI")
    String flavour;
  }

  /** A phase begins. */
  @Name("kintsugi.Phase")
  @Label("Phase Begins")
  @Category("Kintsugi")
  @StackTrace(false)
  static final class PhaseBegins extends Event {
    @Label("Phase")
    String phase;
    @Label("Rank")
    int rank;
  }

  /** A failure was detected. */
  @Name("kintsugi.Failure")
  @Label("Failure Detected")
  @Category("Kintsugi")
  @StackTrace(false)
  static final class Failure extends Event {
    @Label("Message")
    String message;
  }

  /** A step of a recovery. */
  @Name("kintsugi.RecoveryStep")
  @Label("Recovery Step")
  @Category("Kintsugi")
  @StackTrace(false)
  static final class Step extends Event {
    @Label("Step")
    String step;
    @Label("Epoch to Which All Agreed")
    @Description("A number means that no process has left this step before all had entered it; -1: not known")
    int together = -1;
  }

  /** An epoch begins. */
  @Name("kintsugi.Epoch")
  @Label("Epoch Begins")
  @Category("Kintsugi")
  @StackTrace(false)
  static final class Epoch extends Event {
    @Label("Epoch")
    int epoch;
    @Label("Rank")
    @Description("In the epoch's world; -1: a spare")
    int rank;
    @Label("Size of the World")
    int size;
    @Label("State")
    String state;
    @Label("Failed Ranks of the Last Epoch")
    String failed;
  }

  /** Iterations of the program's loop, at least 10 ms of them. */
  @Name("kintsugi.Iterations")
  @Label("Iterations")
  @Category("Kintsugi")
  @StackTrace(false)
  static final class Iterations extends Event {
    @Label("First")
    long first;
    @Label("Last")
    long last;
    @Label("Time in MPI")
    @Timespan(Timespan.NANOSECONDS)
    long inMpi;
  }

  /** A part of a save for which the program waits. */
  @Name("kintsugi.Save")
  @Label("Save")
  @Category("Kintsugi")
  @StackTrace(false)
  static final class Save extends Event {
    @Label("Version")
    long version;
    @Label("Level")
    String level;
    @Label("Bytes of This Rank")
    @DataAmount
    long bytes;
  }

  /** A restore. */
  @Name("kintsugi.Restore")
  @Label("Restore")
  @Category("Kintsugi")
  @StackTrace(false)
  static final class Restore extends Event {
    @Label("Version")
    @Description("-1: there was none")
    long version;
    @Label("Level")
    String level;
  }
}
