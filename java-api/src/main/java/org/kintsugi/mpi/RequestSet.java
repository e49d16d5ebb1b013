// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.StatusFields;
import org.kintsugi.mpi.internal.events.JobEvents;
import org.kintsugi.mpi.internal.events.TimedCall;
import org.kintsugi.mpi.internal.memory.Cleaners;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Ints;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.memory.Staging;
import org.kintsugi.mpi.internal.threads.VirtualThreads;

/**
 * Waiting and testing for many requests at once.
 *
 * <p>A native block holds handles, statuses, indices, and one int, in this order. Inactive requests
 * are {@code MPI_REQUEST_NULL} in it, which all these functions of MPI ignore. Each thread has a
 * set with a block of its own, so that waiting allocates no Java objects; for many requests the
 * block comes from the staging pool.
 *
 * <p>Before the call every status is set to a value that shows whether MPI wrote to it.
 * {@code MPI_Testall} may fail and write the statuses of some requests only (Open MPI 5.0.7).
 * {@code MPI_Waitall} and {@code MPI_Testall} may succeed although a persistent request has failed.
 * The return code of {@code MPI_Testall} is ignored: in 5.0.10 it is an error if all requests are
 * well, and success if one has failed. Counts are set before the call, too, because a call with
 * wrong arguments does not write them.
 *
 * <p>Waiting for any or some tests them in a loop. {@code MPI_Waitsome} reports requests as
 * complete that are not, if one of them has failed. {@code MPI_Waitany} reports a failure as
 * pending that is final (5.0.7 and later, req_wait.c). Both test in a loop themselves, so this loop
 * costs no more.
 */
final class RequestSet {
  private static final String TEST_ANY = "MPI_Testany";

  private static final long BYTES_EACH = Long.BYTES + Scratch.STATUS_BYTES + Integer.BYTES;
  private static final long OWN_BYTES = 4096;

  private static final ThreadLocal<RequestSet> OWN = new ThreadLocal<>();

  private final long own = Memory.allocate(OWN_BYTES);
  private Request[] requests; // null: idle
  private long bytes;
  private long handles;
  private long statuses;
  private long indices;
  private long number;
  private int code; // of the last look
  private RequestSet inner; // null before it is needed
  private Throwable thrown; // the first exception of an operation written in Java

  private RequestSet() {
    Cleaners.CLEANER.register(this, new Cleaners.Free(own));
  }

  /** This thread's set, with these requests; to be closed. */
  private static RequestSet of(Request... requests) {
    RequestSet set = OWN.get();
    if (set == null) {
      set = new RequestSet();
      OWN.set(set);
    }
    while (set.requests != null) {
      // This thread's set is in use: the thread tests requests for other threads, or MPI has called
      // an operation in Java that waits for other requests.
      if (set.inner == null) {
        set.inner = new RequestSet();
      }
      set = set.inner;
    }
    set.begin(requests);
    return set;
  }

  private void begin(Request... those) {
    int n = those.length;
    for (int i = 0; i < n; i++) {
      if (those[i] == null) {
        throw new NullPointerException("request " + i + " is null");
      }
      if (those[i].isActive()) {
        those[i].checkScope();
      }
    }
    bytes = n * BYTES_EACH + Integer.BYTES;
    handles = bytes <= OWN_BYTES ? own : Staging.acquire(bytes);
    statuses = handles + (long) Long.BYTES * n;
    indices = statuses + (long) Scratch.STATUS_BYTES * n;
    number = indices + (long) Integer.BYTES * n;
    for (int i = 0; i < n; i++) {
      Memory.putLong(handle(i), those[i].isActive() ? those[i].handle : MPI.MPI_REQUEST_NULL);
      Memory.putInt(status(i) + StatusFields.ERROR, MPI.MPI_ERR_PENDING);
    }
    Memory.putInt(number, 0);
    thrown = null;
    requests = those;
  }

  private void close() {
    if (handles != own) {
      Staging.release(handles, bytes);
    }
    requests = null;
  }

  private long handle(int i) {
    return handles + (long) Long.BYTES * i;
  }

  private long status(int i) {
    return statuses + (long) Scratch.STATUS_BYTES * i;
  }

  /** Records the end of request i. */
  private void complete(int i, boolean success, long status) {
    Throwable failure = requests[i].complete(Memory.getLong(handle(i)), success, status);
    thrown = thrown == null ? failure : thrown;
  }

  /** Whether MPI has reported an error of a request. */
  private boolean anyHasFailed() {
    for (int i = 0; i < requests.length; i++) {
      int error = statusError(i);
      if (requests[i].isActive() && error != MPI.MPI_SUCCESS && error != MPI.MPI_ERR_PENDING) {
        return true;
      }
    }
    return false;
  }

  private int statusError(int i) {
    return Memory.getInt(status(i) + StatusFields.ERROR);
  }

  private static boolean isPending(int error) {
    if (error == MPI.MPI_SUCCESS) {
      return false;
    }
    int errorClass = Request.errorClass(error);
    return errorClass == MPI.MPI_ERR_PENDING || errorClass == MPI.MPI_ERR_PROC_FAILED_PENDING;
  }

  /** After an error: completes the requests that have ended, and throws the first error. */
  private RuntimeException failure(int code, String function) {
    int first = code;
    boolean inStatus = Request.errorClass(code) == MPI.MPI_ERR_IN_STATUS;
    Request culprit = null;
    for (int i = 0; i < requests.length; i++) {
      if (!requests[i].isActive()) {
        continue;
      }
      int error = inStatus ? statusError(i) : code;
      // A request that is merely incomplete does not tell which one has failed.
      if (error != MPI.MPI_SUCCESS && (culprit == null || Request.errorClass(first) == MPI.MPI_ERR_PENDING)) {
        culprit = requests[i];
        first = error;
      }
      if (inStatus && !isPending(error)) {
        complete(i, error == MPI.MPI_SUCCESS, status(i));
      }
    }
    throw (culprit == null || !inStatus ? suspect() : culprit).scope().failure(first, function);
  }

  /**
   * The request to blame for an error without an index. It must be active: an inactive request did
   * not fail, and if its scope has ended or does not roll back, the failure would end the run
   * instead of causing a rollback. Requests whose scope has a failed process are preferred.
   */
  private Request suspect() {
    Request active = null;
    for (Request request : requests) {
      if (request.isActive()) {
        if (request.scope().hasFault()) {
          return request;
        }
        active = active == null ? request : active;
      }
    }
    return active == null ? requests[0] : active;
  }

  static void waitAll(Request... requests) {
    if (requests.length == 0) {
      return;
    }
    if (VirtualThreads.isCurrent()) {
      VirtualThreads.await(() -> testAll(requests));
      return;
    }
    RequestSet set = RequestSet.of(requests);
    try {
      int code = JobEvents.ARE_ON ? TimedCall.waitForAll(requests.length, set.handles, set.statuses)
          : MPI.MPI_Waitall(requests.length, set.handles, set.statuses);
      if (code != MPI.MPI_SUCCESS) {
        throw set.failure(code, "MPI_Waitall");
      }
      set.completeAll("MPI_Waitall");
    } finally {
      set.close();
    }
  }

  private void completeAll(String function) {
    int first = MPI.MPI_SUCCESS;
    Request culprit = null;
    for (int i = 0; i < requests.length; i++) {
      if (requests[i].isActive()) {
        int error = statusError(i);
        boolean success = error == MPI.MPI_SUCCESS || error == MPI.MPI_ERR_PENDING;
        if (!success && culprit == null) {
          culprit = requests[i];
          first = error;
        }
        complete(i, success, status(i));
      }
      requests[i].reportsOnce();
    }
    if (culprit != null) {
      throw culprit.scope().failure(first, function);
    }
    Errors.rethrow(thrown);
  }

  static boolean testAll(Request... requests) {
    if (requests.length == 0) {
      return true;
    }
    RequestSet set = RequestSet.of(requests);
    try {
      int code = MPI.MPI_Testall(requests.length, set.handles, set.number, set.statuses);
      boolean isRefused = code != MPI.MPI_SUCCESS && Request.errorClass(code) != MPI.MPI_ERR_IN_STATUS;
      if (isRefused || set.anyHasFailed()) {
        throw set.failure(isRefused ? code : MPI.MPI_ERR_IN_STATUS, "MPI_Testall");
      }
      if (Memory.getInt(set.number) == 0) {
        return false;
      }
      set.completeAll("MPI_Testall");
    } finally {
      set.close();
    }
    return true;
  }

  /**
   * Finds a request that has ended without MPI and has not been reported.
   *
   * @return its index, or -1
   */
  private static int unreported(Request[] requests) {
    for (int i = 0; i < requests.length; i++) {
      if (requests[i] != null && requests[i].reportsOnce()) {
        return i;
      }
    }
    return -1;
  }

  static int any(Request[] requests, boolean wait) {
    int reported = unreported(requests);
    if (reported >= 0 || requests.length == 0) {
      return reported;
    }
    RequestSet set = RequestSet.of(requests);
    try {
      for (Request request : requests) {
        if (request.isPersistent()) {
          return oneByOne(requests, wait);
        }
      }
      return set.any(wait);
    } finally {
      set.close();
    }
  }

  private int any(boolean wait) {
    await(wait, this::lookForAny);
    int index = Memory.getInt(indices);
    if (index < 0 && code != MPI.MPI_SUCCESS) {
      throw suspect().scope().failure(code, TEST_ANY);
    }
    if (index < 0 || code == MPI.MPI_SUCCESS && Memory.getInt(number) == 0) {
      return -1;
    }
    requests[index].finish(code, Memory.getLong(handle(index)), statuses, TEST_ANY);
    return index;
  }

  private boolean lookForAny() {
    Memory.putInt(indices, MPI.MPI_UNDEFINED);
    code = MPI.MPI_Testany(requests.length, handles, indices, number, statuses);
    return code != MPI.MPI_SUCCESS || Memory.getInt(number) != 0;
  }

  /** Tests once; if the caller waits, until a test has a result. */
  private static void await(boolean wait, BooleanSupplier look) {
    if (!wait || !JobEvents.ARE_ON) {
      look(wait, look);
      return;
    }
    TimedCall call = TimedCall.begins();
    try {
      look(true, look);
    } finally {
      call.ends("MPI_Waitany");
    }
  }

  private static void look(boolean wait, BooleanSupplier look) {
    boolean over = look.getAsBoolean();
    if (wait && VirtualThreads.isCurrent()) {
      over = over || VirtualThreads.await(look);
    }
    while (wait && !over) {
      over = look.getAsBoolean();
    }
  }

  /**
   * Tests one request after the other. For persistent requests MPI_Testany does not report
   * failures.
   */
  private static int oneByOne(Request[] requests, boolean wait) {
    OneByOne look = new OneByOne(requests);
    await(wait, look);
    return look.found;
  }

  /** Returns true when a request has ended, or when no request is active. */
  private static final class OneByOne implements BooleanSupplier {
    private final Request[] requests;
    private int found = -1;

    OneByOne(Request... requests) {
      this.requests = requests;
    }

    @Override
    public boolean getAsBoolean() {
      boolean anyActive = false;
      for (int i = 0; i < requests.length; i++) {
        if (requests[i].isActive()) {
          anyActive = true;
          if (requests[i].test()) {
            found = i;
            return true;
          }
        }
      }
      return !anyActive;
    }
  }

  static int[] some(Request[] requests, boolean wait) {
    int[] reported = IntStream.range(0, requests.length).filter(i -> requests[i] != null && requests[i].reportsOnce()).toArray();
    if (reported.length > 0 || requests.length == 0) {
      return reported;
    }
    RequestSet set = RequestSet.of(requests);
    try {
      return set.some(wait);
    } finally {
      set.close();
    }
  }

  private int[] some(boolean wait) {
    await(wait, this::lookForSome);
    int n = Math.max(Memory.getInt(number), 0); // MPI_UNDEFINED is negative: none was active
    int[] done = Ints.read(indices, n);
    if (code != MPI.MPI_SUCCESS) {
      throw someFailed(code, done, "MPI_Testsome");
    }
    for (int k = 0; k < done.length; k++) {
      complete(done[k], true, status(k));
    }
    Errors.rethrow(thrown);
    Arrays.sort(done);
    return done;
  }

  private boolean lookForSome() {
    code = MPI.MPI_Testsome(requests.length, handles, number, indices, statuses);
    return code != MPI.MPI_SUCCESS || Memory.getInt(number) != 0;
  }

  /**
   * Completes requests after an error of MPI_Testsome. Its statuses are in the order of the
   * indices.
   */
  private RuntimeException someFailed(int code, int[] done, String function) {
    int first = code;
    Request culprit = null;
    for (int k = 0; k < done.length; k++) {
      int error = statusError(k);
      if (error != MPI.MPI_SUCCESS && culprit == null) {
        first = error;
        culprit = requests[done[k]];
      }
      if (!isPending(error)) {
        complete(done[k], error == MPI.MPI_SUCCESS, status(k));
      }
    }
    throw (culprit == null ? suspect() : culprit).scope().failure(first, function);
  }
}
