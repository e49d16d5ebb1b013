// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.lifetime;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.kintsugi.mpi.internal.memory.Cleaners;
import org.kintsugi.runtime.JobConfig;

/**
 * Reports where a program has made handles that it does not close, with {@link JobConfig#LEAKS}.
 * Nothing is freed: some of MPI's free functions are collective, so a garbage collector must not
 * decide when they are called.
 *
 * <p>Leaked groups, datatypes, operations, infos, persistent requests and matched messages are
 * reported when the garbage collector finds them unreachable ({@link #watch}). Communicators and
 * requests under way belong to a scope, which keeps them reachable; leaked ones are reported when
 * the scope ends without a failure ({@link #report}). Handles that a rollback leaves open are not
 * leaks.
 *
 * <p>Without the property the methods do nothing, at no cost: {@link #ARE_REPORTED} is a constant
 * for the JVM's compiler.
 */
public final class Leaks {
  /** Whether handles are watched. */
  public static final boolean ARE_REPORTED = JobConfig.LEAKS.booleanValue() || JobConfig.CHECK.booleanValue();

  /**
   * Patterns for Kintsugi's packages, loaded only if handles are watched. Kintsugi closes its own
   * handles at the end of an epoch.
   */
  private static final class Packages {
    static final Pattern API = Pattern.compile("org\\.kintsugi\\.mpi(\\.internal(\\.\\w+)?)?\\.\\w+(\\$.*)?");
    static final Pattern OURS =
        Pattern.compile("org\\.kintsugi\\.(checkpoint|persist|reinit|inject)(\\.\\w+)*\\.\\w+(\\$.*)?");
  }

  private static final Set<List<StackTraceElement>> PLACES = ConcurrentHashMap.newKeySet();
  private static final Set<Watch> OPEN = ConcurrentHashMap.newKeySet();

  private static volatile boolean over;

  private Leaks() {}

  /** The place where the program has made a handle. */
  public static final class Origin {
    private final String kind;
    private final List<StackTraceElement> place;

    private Origin(String kind, List<StackTraceElement> place) {
      this.kind = kind;
      this.place = place;
    }
  }

  /** Watches one handle while it is open. It must not keep the watched object reachable. */
  public static final class Watch implements Runnable {
    private final Origin origin;
    private final Scope scope;
    private final WeakReference<Object> handle;
    private Cleaner.Cleanable cleanable;
    private volatile boolean closed;

    private Watch(Object handle, Scope scope, Origin origin) {
      this.origin = origin;
      this.scope = scope;
      this.handle = new WeakReference<>(handle);
    }

    @Override
    public void run() {
      if (!closed && !over && (scope == null || !scope.hasEnded())) {
        report(origin, "has been garbage-collected without having been closed");
      }
      OPEN.remove(this); // last: reportLast reports what the cleaner has not reported yet
    }
  }

  /**
   * Records where a handle is being made, by the current stack.
   *
   * @param kind the kind of handle, with its article
   * @return null if nothing is watched, or if Kintsugi makes it for itself
   */
  public static Origin origin(String kind) {
    return ARE_REPORTED ? originHere(kind, false) : null;
  }

  /**
   * As {@link #origin}, for a handle that a program makes through another package of Kintsugi.
   *
   * @param kind the kind of handle, with its article
   * @return null if nothing is watched
   */
  public static Origin originPastKintsugi(String kind) {
    return ARE_REPORTED ? originHere(kind, true) : null;
  }

  private static Origin originHere(String kind, boolean passesOurs) {
    StackTraceElement[] stack = new Throwable().getStackTrace();
    int first = 0;
    while (first < stack.length && (isOf(Packages.API, stack[first]) || passesOurs && isOf(Packages.OURS, stack[first]))) {
      first++;
    }
    return first < stack.length && isOf(Packages.OURS, stack[first]) ? null
        : new Origin(kind, List.of(Arrays.copyOfRange(stack, Math.max(first - 1, 0), stack.length)));
  }

  private static boolean isOf(Pattern packages, StackTraceElement frame) {
    return packages.matcher(frame.getClassName()).matches();
  }

  /**
   * Watches an object whose handle must be closed before the object is garbage.
   *
   * @param scope the scope whose end also ends the handle; null: that of MPI
   * @param origin the place where it was made; null if it is not watched
   * @return the argument for {@link #closed}; null if it is not watched
   */
  public static Watch watch(Object handle, Scope scope, Origin origin) {
    if (origin == null) {
      return null;
    }
    Watch watch = new Watch(handle, scope, origin);
    OPEN.add(watch);
    watch.cleanable = Cleaners.CLEANER.register(handle, watch);
    return watch;
  }

  /** The handle is closed, and is no leak. @param watch may be null */
  public static void closed(Watch watch) {
    if (watch != null) {
      watch.closed = true;
      watch.cleanable.clean();
    }
  }

  /** Reports a leak, once for each place in the program. @param origin null: nothing is reported */
  public static synchronized void report(Origin origin, String what) {
    if (origin == null || !PLACES.add(origin.place)) {
      return;
    }
    StringBuilder text = new StringBuilder("kintsugi: leak: ").append(origin.kind).append(' ').append(what)
        .append(" (others that were made at the same place are not named). It was made at");
    origin.place.forEach(frame -> text.append(System.lineSeparator()).append("\tat ").append(frame));
    System.err.println(text);
  }

  /**
   * Lets the garbage collector find leaked handles before MPI ends. The collector clears references
   * itself. Their cleaner handles them later, in an unspecified order, and may not have finished
   * when MPI ends.
   */
  public static void reportLast() {
    if (ARE_REPORTED) {
      System.gc();
      OPEN.stream().filter(watch -> watch.handle.refersTo(null)).forEach(Watch::run);
    }
  }

  /** MPI ends, and frees all handles itself. */
  public static void end() {
    over = true;
  }
}
