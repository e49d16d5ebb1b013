// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.Leaks;

/**
 * A communicator whose operations others than MPI carry out ({@link org.kintsugi.mpi.internal.CommsKey#redirect}): another object
 * around the {@code MPI_Comm} of a plain one, which from now on is not to be closed. Programs get it from an object that is
 * made of it, and close that one: {@link #close} does nothing, so that what belongs to it is never left open.
 */
final class RedirectedComm extends Comm {
  RedirectedComm(Comm plain) {
    super(plain.handle(), plain.scope(), false, Leaks.originPastKintsugi("a communicator"));
    plain.scope().forget(plain.inScope(), plain.rawHandle());
  }

  @Override
  public void close() {
    // The object that is made of it closes it.
  }

  /** Closes it, as {@link #close} closes other communicators. */
  void closeByOwner() {
    super.close();
  }
}
