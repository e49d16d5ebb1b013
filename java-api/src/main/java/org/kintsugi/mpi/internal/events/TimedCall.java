// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.events;

import java.util.concurrent.TimeUnit;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.kintsugi.bindings.MPI;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * A blocking call of MPI whose time is taken. It becomes an event if it takes long enough; the time of all calls is added up for
 * the events of iterations.
 *
 * <p>The sum is exact if one thread calls MPI. If several do, it may lack some of their time.
 */
@InRecovery
@Name("kintsugi.Call")
@Label("Call of MPI")
@Category("Kintsugi")
@StackTrace(false)
public final class TimedCall extends Event {
  private static final long LEAST_NANOS = TimeUnit.MICROSECONDS.toNanos(JobConfig.RECORD_CALLS_MICROS.longValue());

  private static long sumNanos;

  @Label("Function")
  private String function;

  private transient long beganNanos;

  TimedCall() {}

  /** The call is about to be made. */
  public static TimedCall begins() {
    TimedCall call = new TimedCall();
    call.begin();
    call.beganNanos = System.nanoTime();
    return call;
  }

  /** The call has returned, or has thrown. */
  public void ends(String name) {
    long nanos = System.nanoTime() - beganNanos;
    sumNanos += nanos;
    if (nanos >= LEAST_NANOS) {
      function = name;
      commit();
    }
  }

  /** The time of all calls since the last time that this was asked. */
  static long takeNanos() {
    long taken = sumNanos;
    sumNanos = 0;
    return taken;
  }

  static void forget() {
    sumNanos = 0;
  }

  /** {@code MPI_Wait}. */
  public static int waitFor(long request, long status) {
    TimedCall call = begins();
    int code = MPI.MPI_Wait(request, status);
    call.ends("MPI_Wait");
    return code;
  }

  /** {@code MPI_Waitall}. */
  public static int waitForAll(int count, long requests, long statuses) {
    TimedCall call = begins();
    int code = MPI.MPI_Waitall(count, requests, statuses);
    call.ends("MPI_Waitall");
    return code;
  }
}
