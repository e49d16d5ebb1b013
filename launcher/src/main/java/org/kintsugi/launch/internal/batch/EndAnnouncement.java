// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.batch;

import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/**
 * The announcement that the job's time ends soon: a batch system, or the job script in its place, sends SIGUSR1 to the launcher.
 * It may come before the job has begun, and several times; only the first one counts.
 */
public final class EndAnnouncement {
  /** The signal, as {@code kill -l} names it. */
  public static final String SIGNAL = "USR1";

  private final List<Runnable> listeners = new ArrayList<>();
  private boolean isMade;

  /**
   * From now on this process takes the signal for the announcement; before that it would have ended the process.
   *
   * <p>By reflection, as javac warns of sun.misc.Signal, and that warning cannot be switched off.
   *
   * @param messages to the user
   */
  public void listen(PrintStream messages) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object hears = Proxy.newProxyInstance(EndAnnouncement.class.getClassLoader(), new Class<?>[] {handler},
          (proxy, method, arguments) -> {
            make(messages);
            return null;
          });
      signal.getMethod("handle", signal, handler).invoke(null, signal.getConstructor(String.class).newInstance(SIGNAL), hears);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      messages.println("jmpirun: SIG" + SIGNAL + " will end this job instead of announcing its end: " + e);
    }
  }

  private synchronized void make(PrintStream messages) {
    if (!isMade) {
      isMade = true;
      messages.println("jmpirun: SIG" + SIGNAL + ": the end of the job's time is announced (run.isEndAnnounced in the program)");
      listeners.forEach(Runnable::run);
    }
  }

  public synchronized boolean isMade() {
    return isMade;
  }

  /** Runs an action when the end is announced, or at once if it was announced before. */
  public synchronized void whenMade(Runnable listener) {
    listeners.add(listener);
    if (isMade) {
      listener.run();
    }
  }
}
