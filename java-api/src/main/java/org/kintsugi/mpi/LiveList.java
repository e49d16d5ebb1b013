// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.LiveRequests;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.threads.CallingThread;
import org.kintsugi.runtime.internal.InRecovery;

/** The requests of a scope, linked through themselves, so that adding and removing one allocates nothing. */
@InRecovery
final class LiveList implements LiveRequests {
  /**
   * Requests that MPI may use for ever. Their buffers must not be freed before the process ends.
   */
  private static final Queue<LiveList> NEVER_ENDED = new ConcurrentLinkedQueue<>();

  private Request head;

  private LiveList() {}

  static LiveList of(Scope scope) {
    LiveRequests begun = scope.requests();
    return (LiveList) (begun != null ? begun : scope.begin(new LiveList()));
  }

  void add(Request request) {
    if (CallingThread.isOne()) {
      link(request);
    } else {
      synchronized (this) {
        link(request);
      }
    }
  }

  void remove(Request request) {
    if (CallingThread.isOne()) {
      unlink(request);
    } else {
      synchronized (this) {
        unlink(request);
      }
    }
  }

  private void link(Request request) {
    request.next = head;
    if (head != null) {
      head.previous = request;
    }
    head = request;
  }

  private void unlink(Request request) {
    Request before = request.previous;
    Request behind = request.next;
    if (before != null) {
      before.next = behind;
      request.previous = null;
    } else if (head == request) {
      head = behind;
    }
    if (behind != null) {
      behind.previous = before;
      request.next = null;
    }
  }

  private synchronized List<Request> all() {
    List<Request> all = new ArrayList<>();
    for (Request r = head; r != null; r = r.next) {
      all.add(r);
    }
    return all;
  }

  @Override
  public void reportLeaks(String end) {
    for (Request request : all()) {
      Leaks.report(request.origin, "is still under way, or nobody has asked whether it has completed, at the end of " + end);
    }
  }

  @Override
  public void abandon() {
    for (Request request : all()) {
      request.complete(MPI.MPI_REQUEST_NULL, false, 0);
    }
  }

  @Override
  public void drain(long deadlineNanos) {
    List<Request> left = all();
    do {
      for (int i = left.size() - 1; i >= 0; i--) {
        if (left.get(i).hasEnded()) {
          left.remove(i);
        }
      }
    } while (!left.isEmpty() && System.nanoTime() - deadlineNanos < 0);
    if (!left.isEmpty()) {
      NEVER_ENDED.add(this);
    }
  }
}
