// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

/** The starts of a persistent request, whose messages are counted under {@code --check}. */
public interface CountedStarts {
  /** Counts a start. @return the receive that has begun; null for a send, and for a receive that is not counted */
  CountedReceive start();
}
