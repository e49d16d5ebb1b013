// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.lifetime.Leaks;

/**
 * A communicator whose operations are redirected
 * ({@link org.kintsugi.mpi.internal.CommAccess#redirect}). It shares the {@code MPI_Comm} with a
 * plain communicator, which must not be closed any more. Programs get this object from an owner,
 * and close the owner: {@link #close} does nothing here, so that the owner is always closed with
 * it.
 */
final class RedirectedComm extends Comm {
  RedirectedComm(Comm plain) {
    super(new CommHandle(plain.handle(), plain.state().scope(), Leaks.originPastKintsugi("a communicator")));
    plain.state().giveAway();
  }

  @Override
  public void close() {
    // The owner closes it.
  }

  /** Frees the communicator, for the owner. */
  void closeByOwner() {
    super.close();
  }
}
