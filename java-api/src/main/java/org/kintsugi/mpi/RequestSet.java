// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.Arrays;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scratch;
import org.kintsugi.mpi.internal.Staging;

/**
 * Waiting and testing for many requests at once.
 *
 * <p>A block from the staging pool holds, one behind the other: handles, statuses, indices, and one int. Inactive requests
 * stand in it as {@code MPI_REQUEST_NULL}, which every one of these functions passes over.
 */
final class RequestSet {
  private final Request[] requests;
  private final long bytes;
  private final long handles;
  private final long statuses;
  private final long indices;
  private final long number;

  private RequestSet(Request[] requests) {
    this.requests = requests;
    int n = requests.length;
    bytes = n * (8L + Scratch.STATUS_BYTES + 4L) + 16;
    for (int i = 0; i < n; i++) {
      if (requests[i] == null) {
        throw new NullPointerException("request " + i + " is null");
      }
      if (requests[i].isActive()) {
        requests[i].checkScope();
      }
    }
    handles = Staging.acquire(bytes);
    statuses = handles + 8L * n;
    indices = statuses + (long) Scratch.STATUS_BYTES * n;
    number = indices + 4L * n;
    for (int i = 0; i < n; i++) {
      Memory.putLong(handles + 8L * i, requests[i].isActive() ? requests[i].handle : MPI.MPI_REQUEST_NULL);
      Memory.putInt(statuses + (long) Scratch.STATUS_BYTES * i + 8, MPI.MPI_SUCCESS);
    }
  }

  private void close() {
    Staging.release(handles, bytes);
  }

  /** Takes note of request i's end. */
  private void complete(int i, boolean success) {
    requests[i].complete(Memory.getLong(handles + 8L * i), success);
  }

  private int statusError(int i) {
    return Memory.getInt(statuses + (long) Scratch.STATUS_BYTES * i + 8);
  }

  /** After an error: completes what has ended, and throws the first error there is. */
  private RuntimeException failure(int code, String function) {
    int first = code;
    boolean inStatus = Request.errorClass(code) == MPI.MPI_ERR_IN_STATUS;
    Request culprit = null;
    for (int i = 0; i < requests.length; i++) {
      if (!requests[i].isActive()) {
        continue;
      }
      int error = inStatus ? statusError(i) : code;
      int errorClass = error == MPI.MPI_SUCCESS ? error : Request.errorClass(error);
      if (errorClass == MPI.MPI_ERR_PENDING || errorClass == MPI.MPI_ERR_PROC_FAILED_PENDING) {
        culprit = culprit == null ? requests[i] : culprit;
        first = first == code ? error : first;
        continue;
      }
      if (error != MPI.MPI_SUCCESS && (culprit == null || Request.errorClass(first) == MPI.MPI_ERR_PENDING)) {
        culprit = requests[i];
        first = error;
      }
      if (inStatus) {
        complete(i, error == MPI.MPI_SUCCESS);
      }
    }
    throw (culprit == null ? requests[0] : culprit).scope().failure(first, function);
  }

  static void waitAll(Request... requests) {
    if (requests.length == 0) {
      return;
    }
    RequestSet set = new RequestSet(requests);
    try {
      int code = MPI.MPI_Waitall(requests.length, set.handles, set.statuses);
      if (code != MPI.MPI_SUCCESS) {
        throw set.failure(code, "MPI_Waitall");
      }
      set.completeAll();
    } finally {
      set.close();
    }
    Transfer.rethrow();
  }

  private void completeAll() {
    for (int i = 0; i < requests.length; i++) {
      if (requests[i].isActive()) {
        complete(i, true);
      }
    }
  }

  static boolean testAll(Request... requests) {
    if (requests.length == 0) {
      return true;
    }
    RequestSet set = new RequestSet(requests);
    try {
      int code = MPI.MPI_Testall(requests.length, set.handles, set.number, set.statuses);
      if (code != MPI.MPI_SUCCESS) {
        throw set.failure(code, "MPI_Testall");
      }
      if (Memory.getInt(set.number) == 0) {
        return false;
      }
      set.completeAll();
    } finally {
      set.close();
    }
    Transfer.rethrow();
    return true;
  }

  static int any(Request[] requests, boolean wait) {
    if (requests.length == 0) {
      return -1;
    }
    RequestSet set = new RequestSet(requests);
    try {
      Memory.putInt(set.indices, MPI.MPI_UNDEFINED);
      Memory.putInt(set.number, 1);
      int code = wait
          ? MPI.MPI_Waitany(requests.length, set.handles, set.indices, set.statuses)
          : MPI.MPI_Testany(requests.length, set.handles, set.indices, set.number, set.statuses);
      int index = Memory.getInt(set.indices);
      if (code != MPI.MPI_SUCCESS) {
        if (index < 0) {
          throw requests[0].scope().failure(code, wait ? "MPI_Waitany" : "MPI_Testany");
        }
        requests[index].finish(code, Memory.getLong(set.handles + 8L * index), wait ? "MPI_Waitany" : "MPI_Testany");
      }
      if (index < 0 || Memory.getInt(set.number) == 0) {
        return -1;
      }
      set.complete(index, true);
      return index;
    } finally {
      set.close();
    }
  }

  static int[] some(Request[] requests, boolean wait) {
    if (requests.length == 0) {
      return new int[0];
    }
    RequestSet set = new RequestSet(requests);
    try {
      int code = wait
          ? MPI.MPI_Waitsome(requests.length, set.handles, set.number, set.indices, set.statuses)
          : MPI.MPI_Testsome(requests.length, set.handles, set.number, set.indices, set.statuses);
      int n = Math.max(Memory.getInt(set.number), 0); // MPI_UNDEFINED is negative: none was active
      int[] done = Ints.read(set.indices, n);
      if (code != MPI.MPI_SUCCESS) {
        throw set.someFailed(code, done, wait ? "MPI_Waitsome" : "MPI_Testsome");
      }
      for (int i : done) {
        set.complete(i, true);
      }
      Arrays.sort(done);
      return done;
    } finally {
      set.close();
    }
  }

  /** Statuses stand in the order of the indices here. */
  private RuntimeException someFailed(int code, int[] done, String function) {
    int first = code;
    Request culprit = requests[0];
    for (int k = 0; k < done.length; k++) {
      int error = statusError(k);
      if (error != MPI.MPI_SUCCESS && first == code) {
        first = error;
        culprit = requests[done[k]];
      }
      complete(done[k], error == MPI.MPI_SUCCESS);
    }
    throw culprit.scope().failure(first, function);
  }
}
