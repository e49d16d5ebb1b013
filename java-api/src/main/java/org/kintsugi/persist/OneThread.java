// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Refuses a second thread: two would mix their messages' bytes in the same memory, under a checksum that is right. */
final class OneThread {
  private final AtomicReference<Thread> inside = new AtomicReference<>();
  private final String what;

  OneThread(String what) {
    this.what = what;
  }

  <T> T in(Supplier<T> work) {
    Thread me = Thread.currentThread();
    if (!inside.compareAndSet(null, me)) {
      throw new IllegalStateException(what + " is in use by thread " + inside.get() + ", and is for one thread at a time: give "
          + me + " a communicator of its own, or let one wait for the other");
    }
    try {
      return work.get();
    } finally {
      inside.set(null);
    }
  }
}
