// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.lifetime;

import org.kintsugi.runtime.internal.InRecovery;

/** A communicator as the owner of its {@link Scope} sees it: operations for that owner only, not for programs. */
@InRecovery
public interface ScopedComm {
  /** The {@code MPI_Comm}, while it may be used. */
  long handle();

  /** The {@code MPI_Comm}, whatever the state is; 0 once it is closed. */
  long rawHandle();

  /** Its name in reports: the program's; without one {@code otherwise}, or what it is if that is null. Called by any thread. */
  String name(String otherwise);

  /** Whether it is revoked, as far as this MPI can tell. */
  boolean isRevoked();

  /** Whether it is revoked, or one of its processes has failed, as far as this MPI can tell. */
  boolean hasFault();

  /** Revokes whatever the state is in, where this MPI can revoke. */
  void revokeQuietly();

  /** Frees the handle of a stale communicator. */
  void freeStale();

  /** The place where the program has made it; null if leaks are not reported, or if Kintsugi has made it. */
  Leaks.Origin origin();
}
