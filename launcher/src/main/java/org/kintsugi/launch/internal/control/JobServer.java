// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.control;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.ClosedSelectorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.kintsugi.launch.internal.connections.JobConnections;
import org.kintsugi.launch.internal.connections.WatchedRank;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.internal.host.JobProcesses;
import org.kintsugi.launch.internal.recording.JobLog;
import org.kintsugi.launch.internal.spares.SparePool;
import org.kintsugi.launch.internal.spares.StoppedSpares;
import org.kintsugi.launch.internal.stalls.StallReport;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.internal.JobFiles;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.protocol.FromLauncher;
import org.kintsugi.runtime.internal.protocol.FromProcess;
import org.kintsugi.runtime.internal.protocol.Handshake;
import org.kintsugi.runtime.internal.protocol.HandshakeLine;
import org.kintsugi.runtime.internal.protocol.Line;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/**
 * The launcher's end of the connections of a job's processes: hears their lines, and answers them.
 *
 * <p>The processes connect to this one ({@link Line}), on this host or from others. It asks them at intervals whether they make
 * progress, and reports a stall: a time in which no rank does. The same set of places is reported once. Lines about spares go to
 * {@link SparePool}, those of checked calls to {@link JobChecks}. A process that does not answer is stopped; one whose connection
 * ends without {@link FromProcess.Left} has failed.
 */
public final class JobServer extends Thread implements JobConnections.Hearer, AutoCloseable {
  /** A hint for jobs in which processes of other hosts have not reported. */
  public static final String WHAT_A_HOST_MAY_LACK = "if a host lacks Java, Open MPI, Kintsugi or the program, "
      + "kintsugi doctor --hostfile FILE -cp CLASSPATH Main says which (a firewall between hosts looks the same here)";

  /** The number of questions in the time after which a stall is reported, within limits. */
  private static final int LOOKS = 8;
  /** The time within which the same limit of several ranks is reported once. */
  private static final long SAME_LIMIT_MILLIS = 10_000;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** The origin of a report. */
  private enum Cause {
    /** A user, by {@code jmpirun --stacks}. */
    USER,
    /** A rank, on which a limit has struck. */
    RANK,
    /** The launcher, which ends the job. */
    LAUNCHER,
    /** This server: by the last answers no process makes progress. Some may have since. */
    STALL
  }

  /** A requested report. It is printed when all have answered, or after the limit of an answer. */
  private static final class Wanted {
    private final Cause cause;
    private final String why;
    private final WatchedRank asker; // null: nobody
    private final CountDownLatch printed = new CountDownLatch(1);
    private long question;
    private long askedNanos;

    Wanted(Cause cause, String why, WatchedRank asker) {
      this.cause = cause;
      this.why = why;
      this.asker = asker;
    }
  }

  private final JobConnections connections;
  private final boolean isOnThisHostOnly;
  private final int processes;
  private final long stallMillis;
  private final boolean ends;
  private final PrintStream messages;
  private final CompletableFuture<Integer> verdict = new CompletableFuture<>();
  private final Set<Integer> everConnected = ConcurrentHashMap.newKeySet();
  private final Set<String> hostsHeard = ConcurrentHashMap.newKeySet();
  private final Set<Integer> died = new TreeSet<>();
  private final Set<String> told = new LinkedHashSet<>();
  private final SparePool spares;
  private final JobProcesses jobProcesses;
  private final StoppedSpares stoppedSpares;
  private final JobChecks checks;
  private final List<Wanted> wanted = Collections.synchronizedList(new ArrayList<>());
  private long questions;
  private long lastLimitNanos;
  private boolean hasReportedLimit;
  private boolean hasReportedVersion;
  private boolean hasAnnouncedEnd;
  private volatile boolean isEndAnnounced;
  private volatile boolean hasOneFinished;
  private volatile boolean isBroken; // hears nothing any more
  private volatile boolean closed;
  private volatile JobLog log; // null: the job is not recorded

  private JobServer(JobConnections connections, JobFolders folders, boolean isOnThisHostOnly, int processes, long stallSeconds,
      boolean ends, PrintStream messages) {
    super("jmpirun-server");
    setDaemon(true);
    this.connections = connections;
    this.isOnThisHostOnly = isOnThisHostOnly;
    this.processes = processes;
    this.stallMillis = TimeUnit.SECONDS.toMillis(stallSeconds);
    this.ends = ends;
    this.messages = messages;
    jobProcesses = new JobProcesses(folders.mark());
    stoppedSpares = new StoppedSpares(jobProcesses, messages);
    spares = new SparePool(folders.name(), isOnThisHostOnly, messages);
    checks = new JobChecks(messages);
  }

  /**
   * Begins to listen.
   *
   * @param isOnThisHostOnly whether no other host needs to reach it
   * @param processes how many the job has
   * @param stallSeconds the time after which a job counts as stalled; 0: never
   * @param ends whether the job is ended then
   * @param messages to the user
   * @return null, with a message, if that is not possible here: the job goes on without
   */
  public static JobServer begin(JobFolders folders, boolean isOnThisHostOnly, int processes, long stallSeconds, boolean ends,
      PrintStream messages) {
    try {
      JobConnections connections = JobConnections.open(folders.secret(), processes, isOnThisHostOnly);
      Path address = folders.session().resolve(JobFiles.ADDRESS);
      Files.createFile(address, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(address, connections.ownAddress() + " " + folders.secret().text());
      JobServer server = new JobServer(connections, folders, isOnThisHostOnly, processes, stallSeconds, ends, messages);
      server.start();
      return server;
    } catch (IOException e) {
      messages.println("jmpirun: cannot listen for the job's processes, so a stall is not explained: " + e);
      return null;
    }
  }

  /** From now on writes down the processes that fail. To be called before the job's processes are started. */
  public void recordIn(JobLog jobLog) {
    log = jobLog;
  }

  /** Tells all processes, also those that connect later, that the job's time ends soon. From any thread. */
  public void announceEnd() {
    isEndAnnounced = true;
    connections.wakeUp();
  }

  /** From now on no spare is started on a host that was lost. To be called before the job's processes are started. */
  public void hostsAreLostForGood() {
    spares.hostsAreLostForGood();
  }

  /** The addresses for the job's processes. */
  public String addresses() {
    return connections.addresses();
  }

  /** Completes with an exit code when the job must end with it. */
  public CompletableFuture<Integer> verdict() {
    return verdict;
  }

  /** Prints where all processes are now. Returns when that is printed. */
  public void report(String why) {
    Wanted report = new Wanted(Cause.LAUNCHER, why, null);
    wanted.add(report);
    connections.wakeUp();
    try {
      report.printed.await(2 * TimeLimits.ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    long between = stallMillis == 0 ? TimeLimits.QUESTION_MOST_MILLIS : Math.max(TimeLimits.QUESTION_LEAST_MILLIS,
        Math.min(TimeLimits.QUESTION_MOST_MILLIS, stallMillis / LOOKS));
    long next = System.nanoTime();
    try {
      while (!closed) {
        long now = System.nanoTime();
        if (now - next >= 0) {
          if (wanted.isEmpty() && isStalled(now)) {
            wanted.add(new Wanted(Cause.STALL, "no rank has made progress for " + stallMillis / 1000 + " s", null));
          }
          askAll(false);
          next = now + TimeUnit.MILLISECONDS.toNanos(between);
        }
        tellWanted(now);
        if (isEndAnnounced && !hasAnnouncedEnd) {
          hasAnnouncedEnd = true;
          connections.known().forEach(rank -> rank.say(new FromLauncher.EndAnnounced()));
        }
        if (!verdict.isDone()) {
          checks.look(now, connections.all()).ifPresent(verdict::complete);
        }
        spares.look(now);
        jobProcesses.endStarted(spares.takeUnneeded(now));
        if (isOnThisHostOnly) {
          stoppedSpares.look(now, connections.known());
        }
        long wait = wanted.isEmpty() && !checks.isUrgent() ? (next - now) / 1_000_000 : TimeLimits.QUESTION_LEAST_MILLIS / LOOKS;
        connections.serve(Math.max(1, Math.min(wait, spares.millisToNextLook(now))), this);
        // Look after serve(), not before: it handles the end of a connection, and a process must
        // not count as failed twice.
        long behind = System.nanoTime();
        if (spares.isToSee(behind)) {
          spares.see(jobProcesses.started(), behind);
        }
      }
    } catch (ClosedSelectorException tooLate) {
      // The job has ended, and close() has not waited long enough for this thread (a busy machine).
    } catch (IOException | RuntimeException | Error e) {
      // Do this first: ranks may wait for an answer. println may throw again if the heap is full.
      isBroken = true;
      connections.dropAll();
      messages.println("jmpirun: a stall of this job is not explained any more, and its spares are not filled up: " + e);
    }
  }

  @Override
  public void loses(WatchedRank rank) {
    if (rank.isKnown() && !rank.hasLeft()) {
      if (log != null) {
        log.lost(rank.processId(), rank.host());
      }
      died.add(rank.rank());
      checks.processFailed(System.nanoTime(), connections.all());
    }
    spares.lose(rank, rank.hasLeft(), System.nanoTime());
  }

  @Override
  public void hears(WatchedRank rank, String text) {
    if (!rank.isKnown()) {
      greet(rank, text);
      return;
    }
    FromProcess line = FromProcess.parse(text);
    if (line instanceof FromProcess.Here here) {
      rank.hears(here);
      if (!wanted.isEmpty() && !rank.hasAnswered(questions)) {
        // It had an older question to answer when the report was requested.
        rank.ask(questions, true);
      }
    } else if (line instanceof FromProcess.Limit limit) {
      wanted.add(new Wanted(Cause.RANK, "a limit has struck on rank " + rank.rank() + ": " + limit.why(), rank));
    } else if (line instanceof FromProcess.Left) {
      rank.leaves();
      hasOneFinished = true;
      spares.lose(rank, true, System.nanoTime());
    } else if (line instanceof FromProcess.Ends) {
      rank.say(new FromLauncher.Ends());
    } else if (!checks.hear(rank, line, System.nanoTime())) {
      spares.hear(rank, line, System.nanoTime());
    }
  }

  private void greet(WatchedRank rank, String line) {
    if (!rank.handshake().hasAnswered()) {
      rank.say(answer(rank, line));
      return;
    }
    FromProcess client = rank.handshake().client(line);
    if (client instanceof FromProcess.Stacks) {
      connections.setAside(rank);
      wanted.add(new Wanted(Cause.USER, "", rank));
    } else if (client instanceof FromProcess.Introduction process) {
      rank.identify(process.processId(), process.host(), process.rank());
      spares.greet(rank, process.job(), process.host(), process.started(), System.nanoTime());
      hostsHeard.add(process.host());
      if (process.started() == 0) {
        everConnected.add(process.rank());
      }
      rank.ask(++questions, false);
      if (hasAnnouncedEnd) {
        rank.say(new FromLauncher.EndAnnounced());
      }
    } else {
      throw new IllegalArgumentException("neither a process nor a question for stacks: " + client.toLine());
    }
  }

  /** The answer to a client's first line. A client of another version is refused, and reported once to the user. */
  private HandshakeLine answer(WatchedRank rank, String line) {
    try {
      return rank.handshake().answer(line);
    } catch (Handshake.OtherVersionException other) {
      if (!hasReportedVersion) {
        hasReportedVersion = true;
        messages.println("jmpirun: a process that speaks version " + other.version() + " of the launcher's protocol was refused, "
            + "as this jmpirun speaks version " + HandshakeLine.VERSION + ": do all hosts have the same Kintsugi?");
      }
      throw other;
    }
  }

  private void askAll(boolean isWhole) {
    questions++;
    for (WatchedRank rank : connections.all()) {
      if (rank.isKnown() && !rank.hasLeft()) {
        rank.ask(questions, isWhole);
      }
    }
  }

  private StallReport places(long now) {
    List<WatchedRank> all = connections.known();
    Set<Integer> gone = new TreeSet<>(died);
    all.forEach(rank -> gone.remove(rank.rank()));
    return new StallReport(all, now, neverHeard(), gone);
  }

  private boolean isStalled(long now) {
    if (stallMillis == 0 || connections.known().isEmpty() || checks.isEnding()) {
      return false;
    }
    for (WatchedRank rank : connections.known()) {
      boolean counts = !rank.hasLeft() && (rank.place() == null || rank.place().phase() != Phase.SPARE);
      boolean isEnding = rank.hasLeft() && !rank.hasEnded() && rank.lingersMillis(now) < stallMillis;
      if (counts && rank.stillMillis(now) < stallMillis || isEnding) {
        return false;
      }
    }
    return places(now).isAnybodyWaiting();
  }

  /** The ranks of processes that have never reported to this launcher. */
  public Set<Integer> neverHeard() {
    Set<Integer> missing = IntStream.range(0, processes).boxed().collect(Collectors.toCollection(TreeSet::new));
    missing.removeAll(everConnected);
    return missing;
  }

  /**
   * Whether processes have reported to this launcher, and none of them has come to the end of MPI in order, although mpirun has
   * ended. Their last lines may still be under way, so that this waits for a moment.
   */
  public boolean haveAllFailed() {
    long until = System.nanoTime() + TimeLimits.nanos(TimeLimits.ANSWER_MILLIS);
    while (!everConnected.isEmpty() && !hasOneFinished && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return !everConnected.isEmpty() && !hasOneFinished && !isBroken;
  }

  /** Whether no process has ever reported to this launcher. */
  public boolean isNobodyHeard() {
    return everConnected.isEmpty() && !isBroken;
  }

  /** The number of hosts from which a process has reported to this launcher. */
  public int hostsHeard() {
    return hostsHeard.size();
  }

  /** Reports a stall by the latest answers. The same report is printed once. */
  private void tellStall(String why, long now) {
    StallReport report = places(now);
    if (isStalled(now) && told.add(report.places())) {
      tell(why, report);
      if (!isOnThisHostOnly && !neverHeard().isEmpty()) {
        messages.println("jmpirun: " + WHAT_A_HOST_MAY_LACK);
      }
      if (report.isHeldUpAtAnEnd() && checks.endsStalled(now, connections.all())) {
        messages.println("jmpirun: nobody can go on. An exception that has led a rank to its end is printed below");
      } else if (ends) {
        messages.println("jmpirun: the job is ended (--stall-ends)");
        verdict.complete(ExitCodes.TIMED_OUT);
      } else {
        messages.println("jmpirun: the job goes on waiting; --stall-ends would end it. "
            + Installation.page("my-program-hangs.md") + " says what to do");
      }
    }
  }

  private void tell(String why, StallReport report) {
    messages.print("jmpirun: " + why + ". Where the ranks are:\n" + report.text());
    messages.flush();
  }

  private void tellWanted(long now) {
    for (Wanted report : new ArrayList<>(wanted)) {
      if (report.question == 0) {
        askAll(true);
        report.question = questions;
        report.askedNanos = now;
      }
      boolean isComplete = connections.known().stream().allMatch(rank -> rank.hasLeft() || rank.hasAnswered(report.question));
      if (isComplete || now - report.askedNanos > TimeLimits.nanos(TimeLimits.ANSWER_MILLIS)) {
        wanted.remove(report);
        tell(report, now);
      }
    }
  }

  private void tell(Wanted report, long now) {
    switch (report.cause) {
      case USER -> {
        report.asker.sayLast(places(now).text().stripTrailing());
      }
      case STALL -> tellStall(report.why, now);
      case RANK -> {
        if (!hasReportedLimit || now - lastLimitNanos > TimeUnit.MILLISECONDS.toNanos(SAME_LIMIT_MILLIS)) {
          tell(report.why, places(now));
        }
        hasReportedLimit = true;
        lastLimitNanos = now;
        report.asker.say(new FromLauncher.Reported());
      }
      default -> {
        tell(report.why, places(now));
        report.printed.countDown();
      }
    }
  }

  /** The address of a job's launcher, as it has written it into the job's folder, and the job's secret. */
  static String[] addressAndSecret(Path session) throws IOException {
    return Files.readString(session.resolve(JobFiles.ADDRESS)).split(" ");
  }

  /** The job has ended. */
  @Override
  public void close() {
    closed = true;
    connections.wakeUp();
    try {
      join(TimeLimits.ANSWER_MILLIS);
      connections.close();
    } catch (IOException e) {
      // The connection is not needed any more in either case.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connections.all().forEach(WatchedRank::close);
  }
}
