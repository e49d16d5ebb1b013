// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.persist.internal.PersistSession;

/**
 * A communicator on which messages are stored, to be received again after a failure: {@code MPI_Comm_persist} of Gracia et al.,
 * "Data Persistency for Fault-Tolerance Using MPI Semantics". The program sends and receives on {@link #comm}; this object says
 * whether there are messages to receive, and forgets them when the run is over.
 *
 * <p><b>A send</b> stores a message under (key, communicator, source, dest, tag) and returns; it need not be received. The
 * newest overwrites the older ones, or a history is kept ({@link PersistSettings#HISTORY}). <b>A receive</b> returns a stored
 * message: with a history one after the other, in the order of {@link PersistSettings#ORDER}, else the newest, as often as
 * wished. It never waits: if no message was stored, that is an error that names the signature. {@link Comm#ANY_SOURCE} and {@link
 * Comm#ANY_TAG} give each message once, those that were received by name included. A process sees its own messages at once; those
 * of others as of when the communicator was made, or of the last {@link Comm#barrier} on it.
 *
 * <p><b>A collective</b> stores each process's contribution (of a broadcast or scatter the root's) and leaves the receive buffers
 * alone. After a failure the first calls, as many as are stored, are replayed: each process's stored contribution is put back
 * into the buffer it came from, and the operation is performed. Then it is stored again. Calls with the same operation and root
 * have a history of their own. While there is something to replay, and at the first call of each, nonblocking forms synchronise
 * the processes as well. Only calls that every process has stored are replayed; if processes have overwritten different calls,
 * that is an error, which a history or {@link PersistSettings#RECOVER barriers} rule out.
 *
 * <p><b>{@link Comm#barrier}</b> waits until all processes have called it, and closes a round: messages stored before it outlive
 * every loss that the store can survive. With {@code recover=barrier} a failure takes all processes back to the last round that
 * all had ended, whatever some have stored since: the only way to a consistent state without an agreement in the program. If one
 * of the processes cannot write, all get a {@link PersistException}, and the round is not closed.
 *
 * <p><b>Transparent</b> communicators ({@link PersistSettings#TRANSPARENT}) deliver as well. After a failure a receive returns
 * each stored message once and then waits for new ones ({@link #resume} ends that early). With {@code history=all} that is
 * message logging: a program that runs again from the point where the communicator was made receives the same messages, and its
 * sends that are stored already are neither stored nor delivered again. The order in which messages of different sources have
 * come is not logged: receives of {@link Comm#ANY_SOURCE} get them by source.
 *
 * <p>After a failure the communicator is made anew, with the same key. It is identified by its ordinal among those that were made
 * with this key (or by {@link PersistSettings#NAME}), so they must be made in the same order. Another number
 * of processes is an error. Communicators made from {@link #comm} (by {@code dup}, {@code split}, ...) are ordinary ones. Used by
 * one thread at a time. There is no {@code iBarrier}, as a barrier closes a round before it returns, and neither {@code mProbe}
 * nor {@code imProbe}: use {@code probe} and {@code iProbe}.
 */
public final class PersistentComm implements AutoCloseable {
  private final Comm comm;
  private final Recording recording;

  private PersistentComm(PersistOpening opening) {
    comm = Access.comms().redirected(opening.wire());
    recording = new Recording(comm, opening);
    Access.comms().redirect(comm, recording);
  }

  /**
   * Makes a persistent communicator of the same processes. Collective. {@code MPI_Comm_persist}.
   *
   * @param comm a communicator of these processes; stays as it is
   * @param key names this run of the program: restarts with the same key see the stored messages, with another one they see none
   * @param info how to keep messages ({@link PersistSettings}); null: as usual
   * @return the caller closes it, which leaves the messages stored
   * @throws PersistException on all processes, if one of them cannot open its store, or other processes have stored the messages
   *     there
   */
  public static PersistentComm of(Comm comm, String key, Info info) {
    return new PersistentComm(PersistOpening.of(comm, key, info));
  }

  /**
   * The communicator whose messages are stored: sends store, and receives return stored messages. Local.
   *
   * @return the same object at every call; {@link #close} closes it, its own {@code close} does nothing
   */
  public Comm comm() {
    return comm;
  }

  /**
   * Whether this is the same run after a failure: something was stored with this key before the communicator was made (with
   * {@code recover=barrier}: a round was closed). The same on all processes. The paper's {@code failure()}. Local.
   *
   * @return whether there are messages to be received, and collectives to be replayed
   */
  public boolean restarted() {
    return recording.isRestarted();
  }

  /**
   * The key that it was made with. Local.
   *
   * @return the key, as {@link #of} was given it
   */
  public String key() {
    return recording.context().key();
  }

  /**
   * Ends the replay: from now on collectives are stored (and, if transparent, messages delivered) even if entries are left to
   * replay. All processes must call it at the same point. Local.
   */
  public void resume() {
    recording.resume();
  }

  /** Receives of stored messages begin anew, with the first of each history. Local. */
  public void rewind() {
    recording.rewind();
  }

  /**
   * Forgets all messages that are stored on this communicator, permanently: the run is over. If a failure interrupts it, the rest
   * is forgotten when the communicator is made the next time. Collective.
   *
   * @throws PersistException on all processes, if one of them could not
   */
  public void forget() {
    recording.forget();
  }

  /** Closes the communicator; the messages stay stored. Collective, idempotent. */
  @Override
  public void close() {
    if (comm.isClosed()) {
      return; // of an ended epoch: the session closes its store
    }
    PersistSession.closed(recording.context().identity());
    recording.store().close();
    Access.comms().closeRedirected(comm);
  }

  @Override
  public String toString() {
    return comm.isClosed() ? "PersistentComm[closed]"
        : "PersistentComm[rank " + recording.context().rank() + " of " + recording.context().size() + ", "
            + recording.context().identity() + ", "
            + recording.store().getClass().getSimpleName() + "]";
  }
}
