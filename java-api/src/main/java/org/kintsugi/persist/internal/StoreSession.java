// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist.internal;

import org.kintsugi.mpi.Comm;
import org.kintsugi.runtime.internal.InRecovery;

/** State that all stores of one kind share in a process. It follows the epochs of a Reinit run. */
public interface StoreSession {
  /**
   * A new epoch begins, with this world. Local.
   *
   * @param world the epoch's world; not to be closed
   */
  @InRecovery
  void bind(Comm world);

  /** The world is not to be used any more. Local, idempotent. */
  @InRecovery
  void unbind();

  /** The program has succeeded; the world is still there. Collective over it, idempotent. */
  void end();
}
