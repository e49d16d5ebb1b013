// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.util.Collections;
import java.util.Iterator;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.internal.Comms;
import org.kintsugi.mpi.internal.FailureExchange;
import org.kintsugi.persist.Entry.Kind;

/**
 * A communicator on which messages are stored, to be received again after a failure: {@code MPI_Comm_persist} of Gracia et al.,
 * "Data Persistency for Fault-Tolerance Using MPI Semantics".
 *
 * <p><b>A send</b> stores a message under (key, communicator, source, dest, tag) and returns; nobody has to receive it. The
 * newest overwrites, or a history is kept ({@link PersistSettings#HISTORY}). <b>A receive</b> returns what is stored: with a
 * history one message after the other, in the order of {@link PersistSettings#ORDER}, else the newest, as often as one likes. It
 * never waits: what was never stored is an error that names the signature. {@link #ANY_SOURCE} and {@link #ANY_TAG} give each
 * message once, those that were received by name included. A process sees at once what it has stored itself; of
 * others it sees what they had stored when the communicator was made, or in the last {@link #barrier} on it.
 *
 * <p><b>A collective</b> stores each process's contribution (of a broadcast or scatter the root's) and leaves the receive buffers
 * alone. After a failure the first calls, as many as are stored, are replayed: each process's stored contribution is put back
 * into the buffer it came from, and the operation is performed. Then it is stored again. Calls with the same operation and root
 * have a history of their own. While there is something to replay, and at the first call of each, nonblocking forms synchronise
 * the processes as well. Replayed is only what every process has stored; where processes have overwritten different calls
 * that is an error, which a history or {@link PersistSettings#RECOVER barriers} rule out.
 *
 * <p><b>{@link #barrier}</b> closes a round: with {@code recover=barrier} a failure takes all processes back to the last round
 * that all had ended, whatever some have stored since: the one way to a state that fits together without agreement in the
 * program.
 *
 * <p><b>Transparent</b> communicators ({@link PersistSettings#TRANSPARENT}) deliver as well. After a failure a receive returns
 * each stored message once and then waits for new ones ({@link #resume} ends that early). With {@code history=all} that is
 * message logging: a program that is run again from where the communicator was made receives what it received, and its sends that
 * are stored already are neither stored nor delivered again. The order in which messages of different sources have come is not
 * logged: receives of {@link #ANY_SOURCE} get them by source.
 *
 * <p>After a failure the communicator is made anew, with the same key. Which communicator it was is told by its ordinal among
 * those that were made with this key (or {@link PersistSettings#NAME}), so they are to be made in the same order. Another number
 * of processes is an error. Communicators made from this one are ordinary ones. Used by one thread at a time.
 */
public final class PersistentComm extends StoredInits {
  private static final long FAILED = -1;

  private final Comm wire;
  private final MessageStore store;
  private final StoreContext context;
  private final PersistSettings settings;
  private final Journal journal;
  private final Payloads payloads = new Payloads();
  private final boolean restarted;
  private final CollectiveReplay replay;
  private final Retrieval retrieval;
  private final OneThread oneThread;
  private boolean replaying;

  private PersistentComm(PersistOpening opening) {
    super(opening.wire());
    wire = opening.wire();
    store = opening.store();
    context = opening.context();
    settings = context.settings();
    journal = opening.journal();
    restarted = opening.isRestarted();
    replaying = restarted;
    replay = new CollectiveReplay(wire, context, journal, payloads);
    retrieval = new Retrieval(context, journal, payloads);
    oneThread = new OneThread("the persistent communicator of " + context.identity());
  }

  /**
   * Makes a persistent communicator of the same processes. Collective. {@code MPI_Comm_persist}.
   *
   * @param comm of whose processes; stays as it is
   * @param key names this run of the program: with the same one its restarts see what was stored, another one sees nothing
   * @param info how to keep messages ({@link PersistSettings}); null: as usual
   * @return the caller closes it, which leaves stored what is stored
   * @throws PersistException on all processes, if one of them cannot open its store, or what is stored there is of other
   * processes
   */
  public static PersistentComm of(Comm comm, String key, Info info) {
    return new PersistentComm(PersistOpening.of(comm, key, info));
  }

  /**
   * Whether this is the same run after a failure: something was stored with this key before the communicator was made (with
   * {@code recover=barrier}: a round was closed). The same on all processes. The paper's {@code failure()}. Local.
   *
   * @return whether there are messages to be received, and collectives to be replayed
   */
  public boolean restarted() {
    return restarted;
  }

  /**
   * The key that it was made with. Local.
   *
   * @return the key, as {@link #of} was given it
   */
  public String key() {
    return context.key();
  }

  /**
   * The program has got what it needs: from now on collectives are stored (and, if transparent, messages delivered) even if there
   * is something left to replay. All processes are to say so at the same point. Local.
   */
  public void resume() {
    replaying = false;
  }

  /** Receives of stored messages begin anew, with the first of each history. Local. */
  public void rewind() {
    handle();
    journal.rewind();
  }

  /**
   * Forgets all that is stored on this communicator, for good: the run is over. If a death cuts it short, the rest is forgotten
   * when the communicator is made the next time. Collective.
   *
   * @throws PersistException on all processes, if one of them could not
   */
  public void forget() {
    handle();
    wire.barrier(); // others may still be receiving
    try {
      settle(journal::markForgotten); // before anything is gone: a death in what follows must not leave a part of it
    } catch (PersistException noRoom) {
      // Then without, on all: to forget is what makes room.
    }
    settle(journal::clear); // copies and data sets forget it, too
    replay.clear();
    replaying = false;
  }

  @Override
  boolean isTransparent() {
    return settings.isTransparent();
  }

  /** Stores a message. @return whether it is to be delivered as well */
  private boolean store(Buf buf, int dest, int tag) {
    long comm = handle();
    if (buf == null) {
      throw new NullPointerException("buf is null");
    }
    if (dest == PROC_NULL) {
      return false;
    }
    requireRank("dest", dest);
    if (tag < 0) {
      throw new IllegalArgumentException("tag " + tag + " is negative");
    }
    return oneThread.in(() -> {
      if (settings.isTransparent() && replaying && settings.history() == Long.MAX_VALUE && journal.isRepeated(dest, tag)) {
        return false;
      }
      journal.append(Kind.MESSAGE, dest, tag, payloads.of(buf, comm));
      return settings.isTransparent();
    });
  }

  private void requireRank(String argument, int rank) {
    if (rank < 0 || rank >= size()) {
      throw new IllegalArgumentException(argument + " " + rank + " is no rank of this communicator: 0 to " + (size() - 1));
    }
  }

  @Override
  public void send(Buf buf, int dest, int tag) {
    if (store(buf, dest, tag)) {
      super.send(buf, dest, tag);
    }
  }

  @Override
  public void sSend(Buf buf, int dest, int tag) {
    if (store(buf, dest, tag)) {
      super.sSend(buf, dest, tag);
    }
  }

  @Override
  public void bSend(Buf buf, int dest, int tag) {
    if (store(buf, dest, tag)) {
      super.bSend(buf, dest, tag);
    }
  }

  @Override
  public void rSend(Buf buf, int dest, int tag) {
    if (store(buf, dest, tag)) {
      super.rSend(buf, dest, tag);
    }
  }

  @Override
  public Request iSend(Buf buf, int dest, int tag) {
    return store(buf, dest, tag) ? super.iSend(buf, dest, tag) : completed();
  }

  @Override
  public Request iSend(Buf buf, int dest, int tag, Request spent) {
    return store(buf, dest, tag) ? super.iSend(buf, dest, tag, spent) : completed();
  }

  @Override
  public Request iSSend(Buf buf, int dest, int tag) {
    return store(buf, dest, tag) ? super.iSSend(buf, dest, tag) : completed();
  }

  @Override
  public Request iBSend(Buf buf, int dest, int tag) {
    return store(buf, dest, tag) ? super.iBSend(buf, dest, tag) : completed();
  }

  @Override
  public Request iRSend(Buf buf, int dest, int tag) {
    return store(buf, dest, tag) ? super.iRSend(buf, dest, tag) : completed();
  }

  /** The stored message that a receive returns; null: it is to wait for a delivery. */
  private Journal.Found find(int source, int tag, boolean required) {
    handle();
    requireReceive(source, tag);
    if (settings.isTransparent() && !replaying) {
      return null;
    }
    return oneThread.in(() -> retrieval.find(source, tag, required));
  }

  private void requireReceive(int source, int tag) {
    if (source != ANY_SOURCE) {
      requireRank("source", source);
    }
    if (tag < 0 && tag != ANY_TAG) {
      throw new IllegalArgumentException("tag " + tag + " is negative and not ANY_TAG");
    }
  }

  private Status take(Journal.Found found, Buf buf, Status status) {
    if (buf == null) {
      throw new NullPointerException("buf is null");
    }
    long comm = handle();
    oneThread.in(() -> {
      retrieval.take(found, buf, comm);
      return null;
    });
    return status == null ? null : fill(status, found);
  }

  private static Status fill(Status status, Journal.Found found) {
    return Comms.get().fill(status, found.source(), found.entry().tag(), found.entry().bytes());
  }

  @Override
  public void recv(Buf buf, int source, int tag) {
    recv(buf, source, tag, null);
  }

  @Override
  public Status recv(Buf buf, int source, int tag, Status status) {
    if (source == PROC_NULL) {
      return super.recv(buf, source, tag, status);
    }
    Journal.Found found = find(source, tag, true);
    return found == null ? super.recv(buf, source, tag, status) : take(found, buf, status);
  }

  @Override
  public Request iRecv(Buf buf, int source, int tag) {
    return iRecv(buf, source, tag, null);
  }

  @Override
  public Request iRecv(Buf buf, int source, int tag, Request spent) {
    if (source == PROC_NULL) {
      return super.iRecv(buf, source, tag, spent);
    }
    Journal.Found found = find(source, tag, true);
    return found == null ? super.iRecv(buf, source, tag, spent) : Comms.get().completed(this, take(found, buf, new Status()));
  }

  @Override
  public Status sendRecv(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag, Status status) {
    if (source != PROC_NULL) {
      requireReceive(source, receiveTag); // before anything is stored
      if (receive == null) {
        throw new NullPointerException("receive is null");
      }
    }
    Request sent = iSend(send, dest, sendTag);
    Status received = recv(receive, source, receiveTag, status);
    sent.waitFor();
    return received;
  }

  @Override
  public Status sendRecvReplace(Buf buf, int dest, int sendTag, int source, int receiveTag, Status status) {
    if (source != PROC_NULL) {
      requireReceive(source, receiveTag);
    }
    // In the order of sendRecv: what is sent to oneself is there to be received. Both come before buf is overwritten.
    boolean delivers = store(buf, dest, sendTag);
    Journal.Found found = source == PROC_NULL ? null : find(source, receiveTag, true);
    int to = delivers ? dest : PROC_NULL;
    int from = found == null ? source : PROC_NULL;
    Status received = super.sendRecvReplace(buf, to, sendTag, from, receiveTag, status);
    return found == null ? received : take(found, buf, status);
  }

  @Override
  public Status probe(int source, int tag) {
    Journal.Found found = source == PROC_NULL ? null : find(source, tag, true);
    return found == null ? super.probe(source, tag) : fill(new Status(), found);
  }

  @Override
  public boolean iProbe(int source, int tag, Status status) {
    Journal.Found found = source == PROC_NULL ? null : find(source, tag, false);
    if (found == null) {
      return (settings.isTransparent() || source == PROC_NULL) && super.iProbe(source, tag, status);
    }
    if (status != null) {
      fill(status, found);
    }
    return true;
  }

  /** Not on a persistent communicator: use {@link #probe}. */
  @Override
  public Message mProbe(int source, int tag) {
    throw new UnsupportedOperationException("mProbe on a persistent communicator: use probe and recv");
  }

  /** Not on a persistent communicator: use {@link #iProbe}. */
  @Override
  public Message imProbe(int source, int tag) {
    throw new UnsupportedOperationException("imProbe on a persistent communicator: use iProbe and recv");
  }

  /**
   * Waits until all processes have called it. What they have stored before outlives whatever the store can survive, and a round
   * is closed.
   *
   * @throws PersistException on all processes, if one of them could not write; the round is then not closed
   */
  @Override
  public void barrier() {
    handle();
    oneThread.in(() -> {
      endRound();
      return null;
    });
  }

  private void endRound() {
    try {
      journal.closeRound(settle(journal::endRound));
    } catch (PersistException e) {
      PersistException alsoThat = failureOf(journal::reopenRound);
      if (alsoThat != null) {
        e.addSuppressed(alsoThat);
      }
      throw e;
    }
  }

  /** Stores what is left to store and settles, on all processes or none. @return the number of each one's newest entry */
  private long[] settle(Runnable last) {
    PersistException failure = failureOf(last);
    PersistException unsettled = failureOf(() -> store.settle(wire)); // whatever came before: others wait in it
    failure = failure == null ? unsettled : failure;
    long[] lastNumbers = new long[size()];
    wire.allGather(Buf.copyOf(failure == null ? journal.lastNumber() : FAILED), Buf.wrap(lastNumbers));
    for (int rank = 0; rank < lastNumbers.length; rank++) {
      if (lastNumbers[rank] == FAILED) {
        String reason = FailureExchange.tell(wire, rank, failure == null ? null : failure.getMessage());
        throw failure != null ? failure
            : new PersistException("rank " + rank + " could not make safe what it has stored: " + reason);
      }
    }
    return lastNumbers;
  }

  private static PersistException failureOf(Runnable step) {
    try {
      step.run();
      return null;
    } catch (PersistException e) {
      return e;
    }
  }

  @Override
  boolean contribute(Collective collective, int root, Buf buf) {
    long comm = handle();
    if (root != Entry.ALL) {
      requireRank("root", root);
    }
    if (buf == null && (root == Entry.ALL || root == rank() || !collective.isOfTheRoot())) {
      throw new NullPointerException("the send buffer of this process's contribution to " + collective + " is null");
    }
    return oneThread.in(() -> {
      // What there is to replay is found out by all together, so also when it is not wanted any more.
      Iterator<Entry> left = restarted ? replay.of(collective, root) : Collections.emptyIterator();
      if (replaying && left.hasNext()) {
        replay.putBack(left.next(), collective, buf, comm);
        return true;
      }
      journal.append(Kind.COLLECTIVE, root, collective.ordinal(), payloads.of(buf, comm));
      return settings.isTransparent();
    });
  }

  @Override
  public void close() {
    if (isClosed()) {
      return; // of an ended epoch: the session closes its store
    }
    PersistSession.closed(store);
    store.close();
    super.close();
  }

  @Override
  public String toString() {
    return isClosed() ? "PersistentComm[closed]"
        : "PersistentComm[rank " + rank() + " of " + size() + ", " + context.identity() + ", " + store.getClass().getSimpleName()
            + "]";
  }
}
