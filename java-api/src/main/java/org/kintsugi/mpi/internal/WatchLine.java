// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

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
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.CollectiveCall;
import org.kintsugi.runtime.internal.CommMember;
import org.kintsugi.runtime.internal.JobSecret;
import org.kintsugi.runtime.internal.MessageCount;
import org.kintsugi.runtime.internal.VariableNames;
import org.kintsugi.runtime.internal.WatchLines;

/**
 * The connection to the launcher, which asks over it where this process is ({@link WatchLines}). A thread of its own, which uses
 * no MPI: it answers even if another thread waits there for ever. Without a launcher that listens there is no such thread.
 */
public final class WatchLine extends Thread {
  /** A replacement connects after this time: it has other things to do first. */
  private static final long BEGIN_MILLIS = 500;

  private static final int CONNECT_MILLIS = 2000;
  private static final int QUICK_CONNECT_MILLIS = 300;

  /**
   * For the launcher's answer, in each round through the addresses: one that is busy or stopped is waited for, but not before
   * the others were tried. Somebody else may listen there, on another host.
   */
  private static final int[] ANSWER_MILLIS = {1000, 10_000, 30_000};
  private static final long REPORT_MILLIS = 3000;

  /** A JVM that ends waits for 0.3 s for threads in native code, as in a read: then this thread looks so often for a line. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int LOOKS_PER_QUESTION = 50;

  /** Between two attempts where an error keeps this thread from going on, as where the heap is full; a minute of them. */
  private static final long ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int ERRORS = 600;

  /** Room for the runtime's name of a job. */
  private static final int JOB_BYTES = 256;

  private static volatile boolean different;
  private static volatile WatchLine current;
  private static volatile Consumer<String> listener;

  /** Lines of the launcher that came before a listener was set. */
  private static final List<String> UNHEARD = new ArrayList<>();

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
  private int deathsSaid;

  private WatchLine(String addresses, JobSecret secret, int launchRank) {
    super("kintsugi-whereabouts");
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
      current = new WatchLine(addresses, secret, launchRank);
      current.start();
      current.listensAtExit();
    }
    if (JobConfig.STARTED.longValue() > 0) {
      Launcher.markUnneeded();
    }
  }

  /** See {@link WatchLines#LEFT}. */
  static void sayLeft() {
    sayNow(WatchLines.LEFT);
  }

  /** Says nothing if it is not connected. */
  private static void sayNow(String words) {
    WatchLine line = current;
    if (line != null) {
      line.say(words);
    }
  }

  /** The job is about to be aborted: nobody is to be started for those who die of that. */
  static void sayThatNobodyIsNeeded() {
    sayNow(WatchLines.KEEP + 0);
  }

  private void listensAtExit() {
    try {
      Runtime.getRuntime().addShutdownHook(new AtExit(this));
    } catch (IllegalStateException shuttingDown) {
      jvmEnds = true;
    }
  }

  /** Has the launcher wake up the thread that reads. */
  private static final class AtExit extends Thread {
    private final WatchLine line;

    AtExit(WatchLine line) {
      super("kintsugi-at-exit-whereabouts");
      this.line = line;
    }

    @Override
    public void run() {
      line.jvmEnds = true;
      line.say(WatchLines.ENDS);
    }
  }

  /** See {@link WatchLines#LIMIT}. Returns when the report is printed, or is not going to be. */
  static void sayLimit(String why) {
    WatchLine line = current;
    if (line != null && line.say(WatchLines.LIMIT + why.replaceAll("\\s+", " "))) {
      try {
        line.reported.await(REPORT_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** See {@link WatchLines#CALL}: a call that does not wait. */
  public static void sayCall(CollectiveCall call) {
    tell(WatchLines.CALL + "0 " + call.toLine());
  }

  /**
   * As {@link #sayCall}, for a call that waits.
   *
   * @return the number for {@link #isLetGo}
   */
  public static long askForCall(CollectiveCall call) {
    long number = CALLS.incrementAndGet();
    WAITING.put(number, Thread.currentThread());
    if (!tell(WatchLines.CALL + number + " " + call.toLine())) {
      WAITING.remove(number);
    }
    return number;
  }

  /** Whether the launcher has answered, or has gone. */
  public static boolean isLetGo(long number) {
    return current == null || !WAITING.containsKey(number);
  }

  /** See {@link WatchLines#DIFFERENT}. */
  public static boolean isJobDifferent() {
    return different;
  }

  /** See {@link WatchLines#MEMBER}. */
  public static void sayMember(CommMember member) {
    tell(WatchLines.MEMBER + member.toLine());
  }

  /** See {@link WatchLines#FAULT}. */
  public static void sayFault(String comm) {
    tell(WatchLines.FAULT + comm);
  }

  /** See {@link WatchLines#MESSAGES}. */
  public static void sayMessages(MessageCount messages) {
    tell(WatchLines.MESSAGES + messages.toLine());
  }

  /** See {@link WatchLines#MESSAGES_END}. */
  public static void sayMessagesEnd(int rank, int size, String comm) {
    tell(WatchLines.MESSAGES_END + rank + " " + size + " " + comm);
  }

  /**
   * Sets the listener for the launcher's lines that are not for this class; it is called on this class's thread.
   *
   * @param hears gets first the lines that have come before
   */
  public static void listen(Consumer<String> hears) {
    synchronized (UNHEARD) {
      listener = hears;
      UNHEARD.forEach(hears);
      UNHEARD.clear();
    }
  }

  /**
   * Sends a line to the launcher, as soon as it is connected.
   *
   * @return false: there is none
   */
  public static boolean tell(String words) {
    WatchLine line = current;
    if (line != null) {
      line.wanted.countDown();
    }
    try {
      return line != null && line.connected.await(CONNECT_MILLIS, TimeUnit.MILLISECONDS) && line.say(words);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void run() {
    try {
      // At once, where the launcher counts this process from the start.
      boolean isCounted = JobConfig.REFILL.booleanValue() && JobConfig.SPARES.longValue() > 0;
      if (!JobConfig.CHECK.booleanValue() && !isCounted && JobConfig.STARTED.longValue() == 0) {
        wanted.await(BEGIN_MILLIS, TimeUnit.MILLISECONDS);
      }
      if (connect()) {
        connected.countDown();
        answer();
      }
    } catch (IOException | InterruptedException over) {
      // The launcher has gone, and a report would not be read.
    } finally {
      current = null;
      if (socket != null) {
        socket.close();
      }
      WAITING.keySet().forEach(WatchLine::letGo);
      // Nobody can call this process any more: if it waits for that, it would wait for good, and mpirun for its end.
      Launcher.endIfUnneeded();
    }
  }

  private static void letGo(long number) {
    LockSupport.unpark(WAITING.remove(number));
  }

  /** Quickly once: an address that this host cannot reach, as that of a bridge on the launcher's host, may not answer at all. */
  private boolean connect() {
    String words = WatchLines.PROCESS + Kintsugi.kintsugi_process_id() + " " + hostName() + " " + launchRank + " "
        + System.getenv().getOrDefault("PMIX_NAMESPACE", "-") + " " + JobConfig.STARTED.longValue();
    int connectMillis = QUICK_CONNECT_MILLIS;
    for (int answerMillis : ANSWER_MILLIS) {
      for (String address : addresses.split(",")) {
        socket = LauncherSocket.connect(address, secret, words, connectMillis, answerMillis);
        if (socket != null) {
          return true;
        }
      }
      connectMillis = CONNECT_MILLIS;
    }
    return false;
  }

  private static String hostName() {
    try {
      // The name that the launcher uses, too. Java would ask the network for it.
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
    } catch (IOException unknown) {
      return "?";
    }
  }

  /**
   * To the launcher the end of this connection is the end of this process. So an error does not end it while the
   * process lives: the same is tried again until there is memory for it.
   */
  private void answer() throws IOException {
    rehearse();
    String asked = "";
    int errors = 0;
    while (asked != null) {
      try {
        if (!asked.isEmpty()) {
          answer(asked);
        }
        asked = "";
        errors = 0;
        asked = next(socket.lines());
      } catch (Error | RuntimeException e) {
        errors++;
        if (errors == ERRORS || e instanceof RuntimeException) {
          asked = "";
        }
        LockSupport.parkNanos(ERROR_NANOS);
      }
    }
  }

  /** The first time that an exception is caught its class is looked up, for which there may be no memory later. */
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

  private void answer(String asked) {
    boolean where = asked.startsWith(WatchLines.WHERE);
    if (where || asked.startsWith(WatchLines.STILL)) {
      say(WatchLines.HERE + asked.substring(asked.indexOf(' ') + 1) + " " + Whereabouts.now(where).toLine());
      sayDead();
    } else if (asked.equals(WatchLines.ALIVE)) {
      say(WatchLines.ALIVE);
    } else if (asked.startsWith(WatchLines.GO)) {
      letGo(Long.parseLong(asked.substring(WatchLines.GO.length())));
    } else if (asked.equals(WatchLines.DIFFERENT)) {
      different = true;
    } else if (asked.equals(WatchLines.REPORTED)) {
      reported.countDown();
    } else if (asked.equals(WatchLines.OVER)) {
      // Wherever this process is: possibly in MPI_Init, for ever.
      Launcher.endUnneeded();
    } else if (!asked.equals(WatchLines.ENDS)) {
      hear(asked);
    }
  }

  /** Null: the launcher has gone. */
  private String next(LineReader in) throws IOException {
    // Shutdown hooks may take long, and may be what a report is to tell of.
    for (int looks = 1; jvmEnds && !in.isReady(); looks++) {
      LockSupport.parkNanos(LOOK_NANOS);
      // The end of a connection is nothing to read, so it is asked for.
      if (looks % LOOKS_PER_QUESTION == 0 && !say(WatchLines.ENDS)) {
        return null;
      }
    }
    return in.next();
  }

  /** The launcher cannot see deaths on a silent host, because the connections stay: so this process reports them. */
  private void sayDead() {
    while (areHostsSeveral() && deathsSaid < Kintsugi.kintsugi_deaths_told()) {
      long job = Memory.allocate(JOB_BYTES);
      int rank = Kintsugi.kintsugi_death_told(deathsSaid++, job, JOB_BYTES);
      if (rank >= 0) {
        say(WatchLines.DEAD + Memory.getCString(job) + " " + rank);
      }
      Memory.free(job);
    }
  }

  /** If all processes are on one host, the launcher listens on that host only. */
  private boolean areHostsSeveral() {
    return addresses.indexOf(',') >= 0;
  }

  private static void hear(String words) {
    synchronized (UNHEARD) {
      if (listener == null) {
        UNHEARD.add(words);
        return;
      }
    }
    listener.accept(words);
  }

  /** False: there is no launcher. */
  private synchronized boolean say(String line) {
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
