// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.runtime.JobConfig;

/**
 * What the recovery and checkpoint packages may do with communicators and buffers and users may not: the key to the
 * package-private parts of {@code org.kintsugi.mpi}, handed over when its classes are loaded.
 */
public abstract class Comms {
  private static volatile Comms instance;

  /** Called by {@code org.kintsugi.mpi} once. */
  public static void provide(Comms comms) {
    instance = comms;
  }

  public static Comms get() {
    return instance;
  }

  /** The same communicator in another scope; the old object must not be used any more. Null stays null. */
  public abstract Comm move(Comm comm, Scope scope);

  /** A communicator that a library has made of one, as an object of the same scope. */
  public abstract Comm adopt(long handle, Comm origin);

  /** The same communicator in the scope of another; the old object must not be used any more. */
  public abstract Comm move(Comm comm, Comm owner);

  /**
   * A communicator of this process and another one, which are of different jobs and call this with the same name.
   *
   * @param isCalled whether this process is the second one in it, and waits for the first
   */
  public abstract Comm meet(Comm self, String name, boolean isCalled, Scope scope);

  /** {@code MPI_COMM_WORLD} once more, in another scope. */
  public abstract Comm world(Scope scope);

  /** The communicator is the world of an epoch: its collectives are compared ({@link JobConfig#CHECK}). */
  public abstract void isWorldOf(Comm world, int epoch);

  /**
   * Before something that all processes of a communicator do together, for the same comparison.
   *
   * @param what for messages: the method
   */
  public abstract void together(Comm comm, String what);

  /**
   * The world of an epoch is left in good order.
   *
   * @param what for messages: what all come to
   */
  public abstract void worldEnds(Comm world, String what);

  /** After the Reinit++ fork's runtime has mended the world. */
  public abstract void worldIsMended();

  /** A communicator as the owner of its scope sees it. */
  public abstract ScopedComm inScope(Comm comm);

  /** Copies a buffer's contents to an address. */
  public abstract void copyTo(Buf buf, long address);

  /** Fills a buffer from an address. */
  public abstract void copyFrom(Buf buf, long address);

  /** The Java array that a buffer's elements are in; null if they are off-heap. */
  public abstract Object base(Buf buf);

  /** Where a buffer's elements begin: an address, or an offset in {@link #base} in the sense of {@link Memory#copyAny}. */
  public abstract long offset(Buf buf);

  /** Whether a type is predefined: its elements lie one behind the other without meaning anything beyond their bytes. */
  public abstract boolean isPredefined(Datatype type);

  /** Fills a status as if a message had been received. */
  public abstract Status fill(Status status, int source, int tag, long bytes);

  /** What carries out a communicator's messages now. */
  public abstract MessageOperations messages(Comm comm);

  /** What carries out its collectives now. */
  public abstract CollectiveOperations collectives(Comm comm);

  /** What carries out its collectives of single numbers now. */
  public abstract NumberOperations numbers(Comm comm);

  /**
   * A communicator for programs, around the same {@code MPI_Comm}, whose operations are to be {@link #redirect redirected}. Its
   * {@code close} does nothing: see {@link #closeRedirected}.
   *
   * @param plain can be used for operations as long as the other is open, but must not be closed
   */
  public abstract Comm redirected(Comm plain);

  /** From now on these carry out what the program asks the communicator for. */
  public abstract void redirect(Comm redirected, MessageOperations messages, CollectiveOperations collectives,
      NumberOperations numbers);

  /** Closes it, and the plain one with it. */
  public abstract void closeRedirected(Comm redirected);

  /** A request of an operation that has ended; what it tells may be null. */
  public abstract Request completed(Comm comm, Status status);

  /** A persistent request of an operation that is done as a whole whenever it is started. */
  public abstract PersistentRequest deferred(Comm comm, Runnable operation);
}
