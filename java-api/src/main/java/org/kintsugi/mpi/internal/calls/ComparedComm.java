// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

/** A communicator whose calls the launcher compares, under {@code --check}. */
public interface ComparedComm {
  /** Records a failure: not all its ranks will call any more. */
  void fail();

  /** Sets the name that the program has given it, for messages. */
  void setName(String name);
}
