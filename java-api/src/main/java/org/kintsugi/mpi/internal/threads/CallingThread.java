// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.threads;

import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.launcher.OwnPackages;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.runtime.Flavour;

/**
 * The thread that may call MPI. With {@link ThreadLevel#SINGLE} and {@link ThreadLevel#FUNNELED} it
 * is the one that initialised MPI, virtual or not. MPI itself does not check that, and two threads
 * in MPI at once corrupt its memory.
 */
public final class CallingThread {
  /** Null if any thread may call. Written once, before the first handle exists. */
  private static Thread only;
  private static ThreadLevel level;
  private static volatile boolean isSaid;

  private CallingThread() {}

  /** From now on {@link #check} refuses the threads that this level does not allow. */
  public static void begin(ThreadLevel required) {
    level = required;
    only = required.compareTo(ThreadLevel.FUNNELED) > 0 ? null : Thread.currentThread();
    CallTrace.callersAreMany(only == null);
  }

  /**
   * Whether all operations come from one thread. Then data that only operations use need no lock.
   */
  public static boolean isOne() {
    return only != null;
  }

  /** Whether the current thread may call. */
  public static boolean isThis() {
    Thread allowed = only;
    return allowed == null || allowed == Thread.currentThread();
  }

  /** @throws IllegalStateException on a thread that may not call MPI */
  public static void check() {
    if (!isThis()) {
      String refusal = called() + " is called on " + Thread.currentThread() + ", and with ThreadLevel." + level
          + " only " + only + ", which initialised MPI, may call it: " + (Flavour.current() == Flavour.REINIT
              ? "let that one make the call (the Reinit++ fork of Open MPI allows no higher level)"
              : "initialise it with Mpi.init(ThreadLevel.MULTIPLE, args), or ThreadLevel.SERIALIZED if never two call at once");
      if (!isSaid) {
        isSaid = true; // a pool may keep the exception in a Future that nobody reads, and then all ranks wait
        System.err.println("kintsugi: " + refusal);
      }
      throw Rejections.state(refusal);
    }
  }

  /** Whether only one thread may call, and is of this class. */
  static boolean isOneOf(Class<?> kind) {
    return kind.isInstance(only);
  }

  /** The method of the public classes that the program has called, as {@code Class.method}. */
  private static String called() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).walk(frames -> frames
        .takeWhile(frame -> OwnPackages.isMpi(frame.getClassName()))
        .reduce((inner, outer) -> outer)
        .map(frame -> frame.getDeclaringClass().getSimpleName() + "." + frame.getMethodName().replace("<init>", "new"))
        .orElse("MPI"));
  }
}
