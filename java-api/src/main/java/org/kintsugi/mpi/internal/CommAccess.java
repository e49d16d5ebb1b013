// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.calls.Recorder;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.lifetime.ScopedComm;
import org.kintsugi.runtime.JobConfig;

/** The operations on communicators that only Kintsugi's own packages may use: see {@link Access}. */
public interface CommAccess {
  /**
   * Moves a communicator into another scope. The old object must not be used any more. Null returns
   * null.
   */
  Comm move(Comm comm, Scope scope);

  /** Wraps a communicator that a library has derived from another one, in the same scope. */
  Comm adopt(long handle, Comm origin);

  /**
   * Moves a communicator into the scope of another one. The old object must not be used any more.
   */
  Comm move(Comm comm, Comm owner);

  /**
   * Connects this process with a process of another job. Both call this with the same name.
   *
   * @param isCalled whether this process has the second rank, and waits for the first
   */
  Comm connectByName(Comm self, String name, boolean isCalled, Scope scope);

  /** {@code MPI_COMM_WORLD} once more, in another scope. */
  Comm world(Scope scope);

  /** From now on the launcher compares the collectives of this epoch's world, if the job is checked ({@link JobConfig#CHECK}). */
  void beginCheck(Comm world, int epoch);

  /**
   * Announces to the launcher, for the same comparison, a method that all processes of a communicator call.
   *
   * @param what the method, for messages
   */
  void announce(Comm comm, String what);

  /**
   * Announces that the body has left the world of an epoch without an exception.
   *
   * @param what the next operation of all processes, for messages
   */
  void endCheck(Comm world, String what);

  /**
   * Makes MPI return errors as codes again. A rollback of the Reinit++ fork resets the error
   * handlers of the predefined communicators.
   */
  void restoreErrorHandlers();

  /** A communicator as the owner of its scope sees it. */
  ScopedComm inScope(Comm comm);

  /**
   * A communicator for programs with the same {@code MPI_Comm}, whose operations can be
   * {@link #redirect redirected}. Its {@code close} does nothing: see {@link #closeRedirected}.
   *
   * @param plain can be used for operations while the returned one is open, but must not be closed
   */
  Comm redirected(Comm plain);

  /** From now on the program's operations on it go to the recorder first. */
  void redirect(Comm redirected, Recorder recorder);

  /** Closes it, and the plain one with it. */
  void closeRedirected(Comm redirected);

  /** Refuses a method that exchanges objects, where collectives are stored instead of performed. */
  void requireObjects(Comm comm, String method);
}
