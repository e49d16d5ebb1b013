// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.launcher;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.kintsugi.mpi.internal.events.JobEvents;
import org.kintsugi.runtime.internal.InRecovery;
import org.kintsugi.runtime.internal.protocol.RankPlace;
import org.kintsugi.runtime.internal.protocol.RankPlace.Doing;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/**
 * The place where this process is, for reports of stalled jobs. The launcher asks for it
 * ({@link LauncherConnection}).
 *
 * <p>Calls of MPI store a few numbers in plain static fields, without a barrier or a lock. They are
 * exact if one thread calls MPI. If several do, they only show that the process makes progress. The
 * rest is read from the Java stack of the thread that calls MPI, which also shows a thread that
 * waits in C.
 */
public final class CallTrace {
  // No regular expression, lambda or stream where a rank tells the launcher its place: it may be in a recovery meanwhile.
  private static final String LAMBDA = "lambda$";
  private static final List<String> WITHOUT_COMM =
      List.of("MPI_Wait", "MPI_Test", "MPI_Init", "MPI_Finalize", "MPI_Comm_spawn", "FTI_", "SCR_");

  /** Packages whose code is not the program's. */
  private static final List<String> OURS = ours();

  private static final List<String> MPI = List.of("org.kintsugi.mpi.");
  private static final List<String> JAVAS = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");
  private static final String BINDINGS = "org.kintsugi.bindings.";
  /** Kintsugi's own C functions, which are not MPI's. */
  private static final String OWN_C = BINDINGS + "Kintsugi";

  private static final List<String> SENDS = List.of("MPI_Send", "MPI_Ssend", "MPI_Bsend", "MPI_Rsend");
  private static final List<String> RECEIVES = List.of("MPI_Recv", "MPI_Probe", "MPI_Mprobe");
  private static final List<String> EXCHANGES = List.of("MPI_Sendrecv", "MPI_Sendrecv_replace");
  private static final List<String> ROOTED =
      List.of("MPI_Bcast", "MPI_Reduce", "MPI_Gather", "MPI_Gatherv", "MPI_Scatter", "MPI_Scatterv");

  private static long steps;
  private static long comm;
  private static int peer;
  private static int tag;
  /** The destination of the same call, if it sends, too. */
  private static int sendsTo;
  private static int sendTag;

  /**
   * The function that the program has called and that waits for the launcher's answer. Empty if
   * there is none.
   */
  private static volatile String awaited = "";

  /** The last exception that Kintsugi threw, and the number of steps at that time. */
  private static volatile Throwable thrown;
  private static long thrownSteps;
  /** The exception that has probably ended the program, because it has called nothing since. */
  private static volatile String ledToEnd = "";

  private static volatile Thread caller;
  private static volatile boolean callersAreMany;
  private static volatile int rank = -1;
  private static volatile Phase phase = Phase.STARTS;
  private static volatile Communicators epoch;
  private static volatile Communicators job;

  /** Used by the answering thread only. */
  private static long lastSteps = -1;
  private static long since;

  private CallTrace() {}

  /**
   * The place where the program has called Kintsugi.
   *
   * @param call the method, as {@code Class.method}
   * @param line of the program's code; empty: not known
   */
  public record Site(String call, String line) {}

  /**
   * The place where the program has called Kintsugi, by this thread's stack.
   *
   * @param any whether it may be any of Kintsugi's methods
   * @return null if it must be a method of MPI and Kintsugi has called that itself
   */
  public static Site site(boolean any) {
    return StackWalker.getInstance().walk(frames -> {
      StackTraceElement outermost = null;
      for (Iterator<StackWalker.StackFrame> all = frames.iterator(); all.hasNext();) {
        StackTraceElement frame = all.next().toStackTraceElement();
        if (isOf(frame, any ? OURS : MPI)) {
          outermost = frame;
        } else if (!isOf(frame, JAVAS)) {
          return isOf(frame, OURS) ? null : new Site(nameOf(Objects.requireNonNull(outermost)), lineOf(frame));
        }
      }
      return new Site(outermost == null ? "" : nameOf(outermost), "");
    });
  }

  /** An exception is about to be thrown to the program. */
  public static void throwsTo(Throwable exception) {
    thrown = exception;
    thrownSteps = steps;
  }

  /**
   * Sets the function that waits for the launcher's answer before it is called. Empty when the wait
   * is over.
   */
  public static void awaits(String function) {
    awaited = function;
  }

  /** The number of steps so far. Another thread sees an older number at first. */
  public static long steps() {
    return steps;
  }

  /** Counts a step: a request has completed, or an iteration has begun. */
  public static void step() {
    steps++;
  }

  /**
   * Counts a step: an operation on a communicator begins. (Not a test for a message: a process that
   * only tests makes no progress.)
   */
  public static void step(long handle) {
    steps++;
    comm = handle;
  }

  /** Sets the operation's peer: a destination, a source, or a root. */
  public static void about(int other) {
    peer = other;
  }

  /** Sets the tag of the operation. */
  public static void tagged(int number) {
    tag = number;
  }

  /** Sets the destination and tag of a receive that also sends. */
  public static void alsoSends(int dest, int number) {
    sendsTo = dest;
    sendTag = number;
  }

  /** The communicators of a lifetime. Called by the answering thread. */
  public interface Communicators {
    /**
     * The name of a communicator.
     *
     * @param first the name of the first one, unless the program has given it another
     * @return null if there is no communicator with this handle, because it is Kintsugi's own for instance
     */
    String nameOf(long handle, String first);
  }

  /** MPI is about to be initialised, by this thread. */
  public static void begin() {
    caller = Thread.currentThread();
    rank = LaunchedRank.VALUE;
    JobEvents.now().begin(rank);
    LauncherConnection.begin(rank);
  }

  /** Whether other threads than the one that has initialised MPI may call it. */
  public static void callersAreMany(boolean many) {
    callersAreMany = many;
  }

  /** MPI is initialised: this process has a rank in the job, and its handles belong to this scope. */
  public static void enterProgram(Communicators scope, int rankInJob) {
    job = scope;
    enter(Phase.PROGRAM, rankInJob);
  }

  /** Sets the phase, under the present rank. */
  public static void enter(Phase next) {
    enter(next, rank);
  }

  /** Sets the phase and the rank. */
  @InRecovery
  public static void enter(Phase next, int rankThere) {
    if (next != Phase.BODY) {
      epoch = null;
    }
    if (next == Phase.LEAVES) {
      Throwable last = thrown;
      ledToEnd = last == null || thrownSteps != steps ? "" : text(last);
    }
    rank = rankThere;
    phase = next;
    steps++;
    JobEvents.now().phase(next, rankThere);
  }

  /** The body of a run is entered. */
  public static void enterBody(Communicators scope, int rankInRun) {
    enter(Phase.BODY, rankInRun);
    epoch = scope;
  }

  /** MPI is finalized, so this process's end is not a failure. */
  public static void leave() {
    enter(Phase.LEFT);
    LauncherConnection.sayLeft();
  }

  /**
   * Makes the launcher, if there is one, print where all processes are. Called when a time limit
   * ends the job.
   */
  public static void report(String why) {
    LauncherConnection.sayLimit(why);
  }

  /**
   * The present place. Only the answering thread may call this: it compares with its previous
   * answer.
   *
   * @param isWhole whether to read the stack in any case; otherwise only if the process has made no
   *     progress since the last answer, because reading it delays the process
   */
  static RankPlace now(boolean isWhole) {
    if (hasComeForward() && !isWhole) {
      return new RankPlace(rank, phase, Doing.COMPUTES, 0, "", "", "", "");
    }
    RankPlace place = at((System.nanoTime() - since) / 1_000_000);
    // The process may have made progress while its stack was read: then it has not been at this
    // place all that time.
    return hasComeForward() ? place.afterMillis(0) : place;
  }

  private static boolean hasComeForward() {
    long counted = steps;
    if (counted == lastSteps) {
      return false;
    }
    lastSteps = counted;
    since = System.nanoTime();
    return true;
  }

  private static RankPlace at(long stillMillis) {
    Thread thread = caller;
    StackTraceElement[] stack = thread.getStackTrace();
    if (callersAreMany && (stack.length == 0 || ours(stack) == 0)) {
      for (Map.Entry<Thread, StackTraceElement[]> other : Thread.getAllStackTraces().entrySet()) {
        if (isInMpi(other.getValue())) {
          thread = other.getKey();
          stack = other.getValue();
          break;
        }
      }
    }
    int first = first(stack);
    String line = first < stack.length ? lineOf(stack[first]) : stack.length == 0 ? "its main thread has ended" : "";
    Phase now = phase;
    if (ours(stack) == 0) {
      boolean runs = stack.length > 0 && thread.getState() == Thread.State.RUNNABLE;
      StackTraceElement working = runs ? null : workingElsewhere();
      if (working != null) {
        return new RankPlace(rank, now, Doing.COMPUTES, stillMillis, "", "", "", lineOf(working));
      }
      String call = first == 0 || stack.length == 0 ? "" : nameOf(stack[first - 1]);
      return new RankPlace(rank, now, runs ? Doing.COMPUTES : Doing.SLEEPS, stillMillis, "", call, "", line);
    }
    StackTraceElement outermost = stack[first - 1];
    String call = outermost.getClassName().startsWith(BINDINGS) ? "" : nameOf(outermost);
    String awaits = awaited;
    String function = !awaits.isEmpty() ? awaits : isInMpi(stack) ? stack[0].getMethodName() : "";
    boolean waits = !function.isEmpty() || now == Phase.LEFT_BODY || now == Phase.RECOVERS || call.startsWith("Request.");
    // In other phases the calls under way are Kintsugi's own.
    boolean isPrograms = now == Phase.PROGRAM || now == Phase.BODY;
    return new RankPlace(rank, now, waits ? Doing.WAITS : Doing.WORKS, stillMillis, function,
        isPrograms ? call + which(function) : call, isPrograms ? detail(function) : now == Phase.LEAVES ? ledToEnd : "", line);
  }

  /** The exception, and the line of the program that got it. */
  private static String text(Throwable exception) {
    StackTraceElement[] stack = exception.getStackTrace();
    int first = first(stack);
    return exception.getClass().getSimpleName() + ": " + exception.getMessage()
        + (first < stack.length ? ", " + lineOf(stack[first]) : "");
  }

  /**
   * The place where another thread runs the program's own code. This may be a thread of a pool
   * whose results this one waits for. Null if there is none.
   */
  private static StackTraceElement workingElsewhere() {
    for (Map.Entry<Thread, StackTraceElement[]> other : Thread.getAllStackTraces().entrySet()) {
      int first = first(other.getValue());
      if (other.getKey().getState() == Thread.State.RUNNABLE && first < other.getValue().length) {
        return other.getValue()[first];
      }
    }
    return null;
  }

  private static boolean isInMpi(StackTraceElement... stack) {
    return stack.length > 0 && stack[0].isNativeMethod() && stack[0].getClassName().startsWith(BINDINGS)
        && !stack[0].getClassName().equals(OWN_C);
  }

  private static boolean isOf(StackTraceElement frame, List<String> prefixes) {
    for (String prefix : prefixes) {
      if (frame.getClassName().startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  private static List<String> ours() {
    List<String> all = new ArrayList<>(List.of("org.kintsugi.bindings.", "org.kintsugi.runtime."));
    // With the dot: a program's package may begin with such a name.
    OwnPackages.NAMES.forEach(name -> all.add(name + "."));
    return List.copyOf(all);
  }

  /** The index of the program's first frame. The number of frames if there is none. */
  private static int first(StackTraceElement... stack) {
    int i = 0;
    while (i < stack.length && (isOf(stack[i], OURS) || isOf(stack[i], JAVAS))) {
      i++;
    }
    return i;
  }

  /** The number of Kintsugi's frames before the first frame of the program. */
  private static long ours(StackTraceElement... stack) {
    long count = 0;
    for (int i = first(stack) - 1; i >= 0; i--) {
      count += isOf(stack[i], OURS) ? 1 : 0;
    }
    return count;
  }

  private static String lineOf(StackTraceElement frame) {
    String method = frame.getMethodName();
    int number = method.lastIndexOf('$');
    if (method.startsWith(LAMBDA) && number > LAMBDA.length()) {
      method = method.substring(LAMBDA.length(), number); // the method that has the lambda
    } else if (method.equals("<init>")) {
      method = "new";
    }
    String file = frame.getFileName() == null ? frame.getClassName() : frame.getFileName();
    return file + (frame.getLineNumber() < 0 ? "" : ":" + frame.getLineNumber()) + " " + method + "()";
  }

  /** The class and the method of a frame. */
  private static String nameOf(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.substring(name.lastIndexOf('.') + 1).replace('$', '.') + "." + frame.getMethodName();
  }

  private static boolean hasNoComm(String function) {
    for (String prefix : WITHOUT_COMM) {
      if (function.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  /** The communicator, if it is known, and the root. */
  private static String which(String function) {
    if (callersAreMany || function.isEmpty() || hasNoComm(function)) {
      return "";
    }
    String name = nameOf(comm);
    return (name == null ? "" : " on " + name) + (ROOTED.contains(function) ? ", root " + root() : "");
  }

  /** The root; on an intercommunicator some roots have names. */
  private static String root() {
    return peer == org.kintsugi.bindings.MPI.MPI_ROOT ? "ROOT"
        : peer == org.kintsugi.bindings.MPI.MPI_PROC_NULL ? "PROC_NULL" : String.valueOf(peer);
  }

  private static String detail(String function) {
    if (callersAreMany) {
      return "";
    } else if (SENDS.contains(function)) {
      return "to rank " + peer + ", tag " + tag;
    } else if (RECEIVES.contains(function)) {
      return received();
    }
    return EXCHANGES.contains(function) ? "to rank " + sendsTo + ", tag " + sendTag + ", " + received() : "";
  }

  private static String received() {
    return "from " + (peer == org.kintsugi.bindings.MPI.MPI_ANY_SOURCE ? "any rank" : "rank " + peer) + ", "
        + (tag == org.kintsugi.bindings.MPI.MPI_ANY_TAG ? "any tag" : "tag " + tag);
  }

  /** The name of a communicator; null for Kintsugi's own. */
  private static String nameOf(long handle) {
    Communicators run = epoch;
    String name = run == null ? null : run.nameOf(handle, "the run's world");
    Communicators all = job;
    return name != null || all == null ? name : all.nameOf(handle, "mpi.world()");
  }
}
