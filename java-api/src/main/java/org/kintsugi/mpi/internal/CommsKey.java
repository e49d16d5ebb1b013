// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import org.kintsugi.runtime.JobConfig;

/**
 * Operations on communicators and buffers, for the recovery and checkpoint packages only. It gives
 * access to the package-private parts of {@code org.kintsugi.mpi}, which provides it when its
 * classes are loaded. {@code org.kintsugi.mpi.access} has it with the types of communicators and
 * buffers, on which this package must not depend.
 *
 * @param <C> communicators
 * @param <B> buffers
 */
public abstract class CommsKey<C, B> {
  private static volatile CommsKey<?, ?> instance;

  /** Called by {@code org.kintsugi.mpi} once. */
  public static void provide(CommsKey<?, ?> key) {
    instance = key;
  }

  /** The key that {@link #provide} was given. */
  public static CommsKey<?, ?> get() {
    return instance;
  }

  /**
   * Moves a communicator into another scope. The old object must not be used any more. Null returns
   * null.
   */
  public abstract C move(C comm, Scope scope);

  /** Wraps a communicator that a library has derived from another one, in the same scope. */
  public abstract C adopt(long handle, C origin);

  /**
   * Moves a communicator into the scope of another one. The old object must not be used any more.
   */
  public abstract C move(C comm, C owner);

  /**
   * Connects this process with a process of another job. Both call this with the same name.
   *
   * @param isCalled whether this process has the second rank, and waits for the first
   */
  public abstract C connectByName(C self, String name, boolean isCalled, Scope scope);

  /** {@code MPI_COMM_WORLD} once more, in another scope. */
  public abstract C world(Scope scope);

  /** From now on the launcher compares the collectives of this epoch's world, if the job is checked ({@link JobConfig#CHECK}). */
  public abstract void beginCheck(C world, int epoch);

  /**
   * Announces to the launcher, for the same comparison, a method that all processes of a communicator call.
   *
   * @param what the method, for messages
   */
  public abstract void announce(C comm, String what);

  /**
   * Announces that the body has left the world of an epoch without an exception.
   *
   * @param what the next operation of all processes, for messages
   */
  public abstract void endCheck(C world, String what);

  /**
   * Makes MPI return errors as codes again. A rollback of the Reinit++ fork resets the error
   * handlers of the predefined communicators.
   */
  public abstract void restoreErrorHandlers();

  /** A communicator as the owner of its scope sees it. */
  public abstract ScopedComm inScope(C comm);

  /**
   * Off-heap bytes, like {@code Buf.allocateBytes}, but not cleared: pages that are never written occupy
   * no memory.
   */
  public abstract B uncleared(long bytes);

  /** Copies a buffer's contents to an address. */
  public abstract void copyTo(B buf, long address);

  /**
   * Copies data into a buffer's array, from a block with the buffer's layout. {@code bytes} is
   * their number, in the order of the type map.
   */
  public abstract void copyFrom(B buf, long address, long bytes);

  /** The Java array that a buffer's elements are in; null if they are off-heap. */
  public abstract Object base(B buf);

  /** The place of a buffer's first element: an address, or an offset in {@link #base} in the sense of {@link Memory#copyAny}. */
  public abstract long offset(B buf);

  /**
   * Whether a buffer's type is predefined: elements are contiguous, and consist of their bytes
   * only.
   */
  public abstract boolean isOfPredefinedType(B buf);

  /**
   * A communicator for programs with the same {@code MPI_Comm}, whose operations can be
   * {@link #redirect redirected}. Its {@code close} does nothing: see {@link #closeRedirected}.
   *
   * @param plain can be used for operations while the returned one is open, but must not be closed
   */
  public abstract C redirected(C plain);

  /** From now on the program's operations on it go to the recorder first. */
  public abstract void redirect(C redirected, Recorder<B> recorder);

  /** Closes it, and the plain one with it. */
  public abstract void closeRedirected(C redirected);
}
