// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.VariableNames;
import org.kintsugi.runtime.internal.protocol.CollectiveCall;
import org.kintsugi.runtime.internal.protocol.CommMember;
import org.kintsugi.runtime.internal.protocol.FromLauncher;
import org.kintsugi.runtime.internal.protocol.FromProcess;
import org.kintsugi.runtime.internal.protocol.JobSecret;
import org.kintsugi.runtime.internal.protocol.MessageCount;

/**
 * The connection to the launcher, which asks over it where this process is ({@link FromLauncher}).
 * This thread does not call MPI: it answers even if another thread waits in MPI for ever. If no
 * launcher listens, the thread is not started.
 */
@InRecovery
public final class LauncherConnection extends Thread {
  /** A replacement connects after this time: its recovery comes first. */
  private static final long BEGIN_MILLIS = 500;

  /**
   * The time to wait for the launcher's answer, in each round through the addresses. A launcher
   * that is busy or stopped gets more time, but only after all addresses were tried: on another
   * host, another program may listen at the same address.
   */
  private static final int[] ANSWER_MILLIS = {TimeLimits.CONNECT_ANSWER_FIRST_MILLIS,
      TimeLimits.CONNECT_ANSWER_SECOND_MILLIS, TimeLimits.CONNECT_ANSWER_LAST_MILLIS};

  /**
   * The number of connections that are made while the launcher has said nothing. It closes a
   * connection that has been too slow, or one of too many, while this process proves its identity,
   * and this process cannot see that. The pauses before the next ones become longer.
   */
  private static final int ATTEMPTS = 5;
  private static final long RETRY_MILLIS = 500;

  /**
   * The interval of polling for a line while the JVM ends. The JVM would wait 0.3 s for a thread in
   * a blocking read.
   */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int LOOKS_PER_QUESTION = 50;

  /**
   * The pause after an error, for instance if the heap is full. With {@link #ERRORS} it makes a
   * minute.
   */
  private static final long ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int ERRORS = 600;

  /** Room for the runtime's name of a job. */
  private static final int JOB_BYTES = 256;

  private static volatile boolean different;
  private static volatile boolean isEndAnnounced;
  private static volatile LauncherConnection current;
  private static volatile Consumer<FromLauncher> listener;

  /** Lines of the launcher that came before a listener was set. */
  private static final List<FromLauncher> UNHEARD = new ArrayList<>();

  /** The threads that wait for the launcher's answer, by the numbers of their calls. */
  private static final Map<Long, Thread> WAITING = new ConcurrentHashMap<>();
  private static final AtomicLong CALLS = new AtomicLong();

  private final String addresses;
  private final int launchRank;
  private final CountDownLatch wanted = new CountDownLatch(1);
  private final CountDownLatch connected = new CountDownLatch(1);
  private final CountDownLatch reported = new CountDownLatch(1);
  private final JobSecret secret;
  private volatile LauncherSocket socket;
  private volatile boolean jvmEnds;
  private boolean isHeard; // whether the launcher has sent a line, so that it knows this process
  private int failuresSaid;

  private LauncherConnection(String addresses, JobSecret secret, int launchRank) {
    super("kintsugi-watch-line");
    setDaemon(true);
    this.addresses = addresses;
    this.secret = secret;
    this.launchRank = launchRank;
  }

  /** Begins to answer, if the launcher listens. */
  static void begin(int launchRank) {
    String addresses = JobConfig.LAUNCHER_ADDRESS.value();
    JobSecret secret = JobSecret.of(System.getenv(VariableNames.JOB_SECRET));
    if (!addresses.isEmpty() && secret != null && !SpawnedJob.isThis()) {
      current = new LauncherConnection(addresses, secret, launchRank);
      current.start();
      current.listensAtExit();
    }
    if (JobConfig.STARTED.longValue() > 0) {
      Launcher.markUnneeded();
    }
  }

  /** See {@link FromProcess.Left}. */
  static void sayLeft() {
    sayNow(new FromProcess.Left());
  }

  /** Sends a line; does nothing if it is not connected. */
  private static void sayNow(FromProcess words) {
    LauncherConnection line = current;
    if (line != null) {
      line.say(words);
    }
  }

  /**
   * The job is about to be aborted. No replacements are needed for the processes that this ends.
   */
  static void sayThatNobodyIsNeeded() {
    sayNow(new FromProcess.Keep(0));
  }

  private void listensAtExit() {
    try {
      Runtime.getRuntime().addShutdownHook(new AtExit(this));
    } catch (IllegalStateException shuttingDown) {
      jvmEnds = true;
    }
  }

  /** Makes the launcher send a line, which wakes up the thread that reads. */
  private static final class AtExit extends Thread {
    private final LauncherConnection line;

    AtExit(LauncherConnection line) {
      super("kintsugi-at-exit-watch-line");
      this.line = line;
    }

    @Override
    public void run() {
      line.jvmEnds = true;
      line.say(new FromProcess.Ends());
    }
  }

  /** See {@link FromProcess.Limit}. Returns when the report is printed, or is not going to be. */
  static void sayLimit(String why) {
    LauncherConnection line = current;
    if (line != null && line.say(new FromProcess.Limit(why.replaceAll("\\s+", " ")))) {
      try {
        line.reported.await(TimeLimits.REPORT_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** See {@link FromProcess.Call}: a call that does not wait. */
  public static void sayCall(CollectiveCall call) {
    tell(new FromProcess.Call(0, call));
  }

  /**
   * As {@link #sayCall}, for a call that waits.
   *
   * @return the number for {@link #isReleased}
   */
  public static long askForCall(CollectiveCall call) {
    long number = CALLS.incrementAndGet();
    WAITING.put(number, Thread.currentThread());
    if (!tell(new FromProcess.Call(number, call))) {
      WAITING.remove(number);
    }
    return number;
  }

  /** Whether the launcher has answered, or has ended. */
  public static boolean isReleased(long number) {
    return current == null || !WAITING.containsKey(number);
  }

  /** See {@link FromLauncher.Different}. */
  public static boolean isJobDifferent() {
    return different;
  }

  /** See {@link FromLauncher.EndAnnounced}. */
  public static boolean isEndAnnounced() {
    return isEndAnnounced;
  }

  /** See {@link FromProcess.Member}. */
  public static void sayMember(CommMember member) {
    tell(new FromProcess.Member(member));
  }

  /** See {@link FromProcess.Fault}. */
  public static void sayFault(String comm) {
    tell(new FromProcess.Fault(comm));
  }

  /** See {@link FromProcess.Messages}. */
  public static void sayMessages(MessageCount messages) {
    tell(new FromProcess.Messages(messages));
  }

  /** See {@link FromProcess.MessagesEnd}. */
  public static void sayMessagesEnd(int rank, int size, String comm) {
    tell(new FromProcess.MessagesEnd(rank, size, comm));
  }

  /**
   * Sets the listener for the launcher's lines that are not for this class; it is called on this class's thread.
   *
   * @param hears called first for the lines that have come before
   */
  public static void listen(Consumer<FromLauncher> hears) {
    synchronized (UNHEARD) {
      listener = hears;
      UNHEARD.forEach(hears);
      UNHEARD.clear();
    }
  }

  /**
   * Sends a line to the launcher, as soon as it is connected.
   *
   * @return false if there is no launcher
   */
  public static boolean tell(FromProcess words) {
    LauncherConnection line = current;
    if (line != null) {
      line.wanted.countDown();
    }
    try {
      return line != null && line.connected.await(TimeLimits.CONNECT_MILLIS, TimeUnit.MILLISECONDS) && line.say(words);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void run() {
    try {
      // Connects at once if the launcher counts this process from the start.
      boolean isCounted = JobConfig.REFILL.booleanValue() && JobConfig.SPARES.longValue() > 0;
      if (!JobConfig.CHECK.booleanValue() && !isCounted && JobConfig.STARTED.longValue() == 0) {
        wanted.await(BEGIN_MILLIS, TimeUnit.MILLISECONDS);
      }
      for (int attempt = 0; attempt < ATTEMPTS && !isHeard && !jvmEnds && connect(); attempt++) {
        connected.countDown();
        answerUntilClosed();
        socket.close();
        if (!isHeard) {
          TimeUnit.MILLISECONDS.sleep(attempt * RETRY_MILLIS);
        }
      }
    } catch (InterruptedException over) {
      // This process ends.
    } finally {
      current = null;
      if (socket != null) {
        socket.close();
      }
      for (long number : WAITING.keySet()) {
        release(number);
      }
      // The launcher cannot ask for this process any more: if it waits for that, it would wait for
      // ever, and mpirun for its end.
      Launcher.endIfUnneeded();
    }
  }

  private static void release(long number) {
    LockSupport.unpark(WAITING.remove(number));
  }

  /**
   * Connects; the first round has a short limit. An address that this host cannot reach, like that
   * of a bridge on the launcher's host, may not answer at all.
   */
  private boolean connect() {
    FromProcess words = new FromProcess.Introduction(Kintsugi.kintsugi_process_id(), hostName(), launchRank,
        System.getenv().getOrDefault("PMIX_NAMESPACE", "-"), (int) JobConfig.STARTED.longValue());
    int connectMillis = TimeLimits.CONNECT_QUICK_MILLIS;
    for (int answerMillis : ANSWER_MILLIS) {
      for (String address : addresses.split(",")) {
        LauncherSocket made = LauncherSocket.connect(address, secret, words, connectMillis, answerMillis);
        if (made != null) {
          socket = made;
          return true;
        }
      }
      connectMillis = TimeLimits.CONNECT_MILLIS;
    }
    return false;
  }

  private static String hostName() {
    try {
      // The same name that the launcher uses. Java would ask the network for it.
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
    } catch (IOException unknown) {
      return "?";
    }
  }

  private void answerUntilClosed() {
    try {
      answer();
    } catch (IOException over) {
      // The launcher has ended, and would not read a report; or it has closed the connection.
    }
  }

  /**
   * For the launcher the end of this connection is the end of this process. So an error must not
   * end it while the process runs: the failed step is tried again until there is memory for it.
   */
  private void answer() throws IOException {
    rehearse();
    String asked = "";
    int errors = 0;
    while (asked != null) {
      try {
        if (!asked.isEmpty()) {
          answer(FromLauncher.parse(asked));
        }
        asked = "";
        errors = 0;
        asked = next(socket.lines());
        isHeard |= asked != null;
      } catch (Error | RuntimeException e) {
        errors++;
        if (errors == ERRORS || e instanceof RuntimeException) {
          asked = "";
        }
        LockSupport.parkNanos(ERROR_NANOS);
      }
    }
  }

  /**
   * Loads the classes that are needed to catch exceptions. Later there may be no memory for that.
   */
  private static void rehearse() {
    for (Throwable each : List.of(new Error(), new IllegalStateException())) {
      try {
        if (each instanceof Error) {
          throw (Error) each;
        }
        throw (RuntimeException) each;
      } catch (Error | RuntimeException e) {
        LockSupport.parkNanos(1);
      }
    }
  }

  private void answer(FromLauncher asked) {
    if (asked instanceof FromLauncher.Still still) {
      answer(still.question(), false);
    } else if (asked instanceof FromLauncher.Where where) {
      answer(where.question(), true);
    } else if (asked instanceof FromLauncher.Alive) {
      say(new FromProcess.Alive());
    } else if (asked instanceof FromLauncher.Go go) {
      release(go.number());
    } else if (asked instanceof FromLauncher.Different) {
      different = true;
    } else if (asked instanceof FromLauncher.EndAnnounced) {
      isEndAnnounced = true;
    } else if (asked instanceof FromLauncher.Reported) {
      reported.countDown();
    } else if (asked instanceof FromLauncher.Over) {
      // This process may be anywhere, possibly in MPI_Init for ever.
      Launcher.endUnneeded();
    } else if (!(asked instanceof FromLauncher.Ends)) {
      hear(asked);
    }
  }

  private void answer(long question, boolean isWhole) {
    say(new FromProcess.Here(question, CallTrace.now(isWhole)));
    sayFailed();
  }

  /** Null if the launcher has ended. */
  private String next(LineReader in) throws IOException {
    // Shutdown hooks may take long; a report of a stall must be able to show them.
    for (int looks = 1; jvmEnds && !in.isReady(); looks++) {
      LockSupport.parkNanos(LOOK_NANOS);
      // isReady does not see the end of a connection: only a write detects it.
      if (looks % LOOKS_PER_QUESTION == 0 && !say(new FromProcess.Ends())) {
        return null;
      }
    }
    return in.next();
  }

  /**
   * Reports failures of processes on other hosts. The launcher cannot see them if a host does not
   * answer, because its connections stay open.
   */
  private void sayFailed() {
    while (areHostsSeveral() && failuresSaid < Kintsugi.kintsugi_failures_reported()) {
      long job = Memory.allocate(JOB_BYTES);
      int rank = Kintsugi.kintsugi_reported_failure(failuresSaid++, job, JOB_BYTES);
      if (rank >= 0) {
        say(new FromProcess.ProcessFailed(Memory.getCString(job), rank));
      }
      Memory.free(job);
    }
  }

  /** If all processes are on one host, the launcher listens on that host only. */
  private boolean areHostsSeveral() {
    return addresses.indexOf(',') >= 0;
  }

  private static void hear(FromLauncher words) {
    synchronized (UNHEARD) {
      if (listener == null) {
        UNHEARD.add(words);
        return;
      }
    }
    listener.accept(words);
  }

  /** Returns false if there is no launcher. */
  private synchronized boolean say(FromProcess line) {
    if (socket == null) {
      return false;
    }
    try {
      socket.say(line);
      return true;
    } catch (IOException gone) {
      return false;
    }
  }
}
