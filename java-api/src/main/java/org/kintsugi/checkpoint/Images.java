// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.Comms;

/** Copying between images. */
final class Images {
  private Images() {}

  /** All of {@code from}, to the start of {@code to}, which is off-heap. */
  static void copy(Buf from, Buf to) {
    if (from.bytes() > to.bytes()) {
      throw new IllegalArgumentException(from.bytes() + " bytes do not fit into " + to.bytes());
    }
    Comms.get().copyTo(from, to.address());
  }
}
