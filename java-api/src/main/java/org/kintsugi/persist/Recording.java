// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.util.Collections;
import java.util.Iterator;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.calls.RecordedCollective;
import org.kintsugi.mpi.internal.calls.Recorder;
import org.kintsugi.mpi.internal.collective.FailureExchange;
import org.kintsugi.persist.Entry.Kind;

/**
 * Records one persistent communicator.
 *
 * <p>A send appends the message to the {@link Journal} and returns. On a transparent communicator ({@link
 * PersistSettings#TRANSPARENT}) MPI sends the message as well. With an unlimited history such a communicator drops a send that a
 * replaying program repeats: the message is stored already, and MPI does not send it again.
 *
 * <p>A receive takes its message from the store, and the same receives return the same messages again after a failure. On a
 * transparent communicator they do so only while the program replays; MPI receives all other messages.
 *
 * <p>The program's thread calls this object from each operation of the communicator, one at a time.
 */
final class Recording implements Recorder {
  private static final long FAILED = -1;

  private final Comm comm;
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

  /**
   * Begins to record an open communicator.
   *
   * @param comm the one that the program uses; the opening's wire is the same communicator without recording
   */
  Recording(Comm comm, PersistOpening opening) {
    this.comm = comm;
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

  boolean isRestarted() {
    return restarted;
  }

  @Override
  public boolean isTransparent() {
    return settings.isTransparent();
  }

  StoreContext context() {
    return context;
  }

  MessageStore store() {
    return store;
  }

  void resume() {
    replaying = false;
  }

  void rewind() {
    comm.handle();
    journal.rewind();
  }

  void forget() {
    comm.handle();
    wire.barrier(); // others may still be receiving
    try {
      // Before anything is removed: a process failure after it must not leave a part of the entries.
      settle(journal::markForgotten);
    } catch (PersistException noRoom) {
      // Then without it, on all: forgetting is the way to make room.
    }
    settle(journal::clear); // copies and data sets forget it, too
    replay.clear();
    replaying = false;
  }

  @Override
  public boolean store(Buf buf, int dest, int tag) {
    comm.handle();
    if (buf == null) {
      throw new NullPointerException("buf is null");
    }
    if (dest == Comm.PROC_NULL) {
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
      journal.append(Kind.MESSAGE, dest, tag, payloads.of(buf));
      return settings.isTransparent();
    });
  }

  private void requireRank(String argument, int rank) {
    if (rank < 0 || rank >= comm.size()) {
      throw new IllegalArgumentException(
          argument + " " + rank + " is no rank of this communicator: 0 to " + (comm.size() - 1));
    }
  }

  @Override
  public Message find(int source, int tag, boolean required) {
    comm.handle();
    requireReceive(source, tag);
    if (settings.isTransparent() && !replaying) {
      return null;
    }
    Journal.Found found = oneThread.in(() -> retrieval.find(source, tag, required));
    return found == null ? null : new StoredMessage(found);
  }

  @Override
  public void requireReceive(int source, int tag) {
    if (source != Comm.ANY_SOURCE) {
      requireRank("source", source);
    }
    if (tag < 0 && tag != Comm.ANY_TAG) {
      throw new IllegalArgumentException("tag " + tag + " is negative and not ANY_TAG");
    }
  }

  /** One that a receive may take. */
  private final class StoredMessage implements Message {
    private final Journal.Found found;

    StoredMessage(Journal.Found found) {
      this.found = found;
    }

    @Override
    public int source() {
      return found.source();
    }

    @Override
    public int tag() {
      return found.entry().tag();
    }

    @Override
    public long bytes() {
      return found.entry().bytes();
    }

    @Override
    public void takeInto(Buf buf) {
      if (buf == null) {
        throw new NullPointerException("buf is null");
      }
      comm.handle();
      oneThread.in(() -> {
        retrieval.take(found, buf);
        return null;
      });
    }
  }

  /** Closes a round, on all processes or none. */
  @Override
  public void endRound() {
    comm.handle();
    oneThread.in(() -> {
      try {
        journal.closeRound(settle(journal::endRound));
      } catch (PersistException e) {
        PersistException alsoThat = failureOf(journal::reopenRound);
        if (alsoThat != null) {
          e.addSuppressed(alsoThat);
        }
        throw e;
      }
      return null;
    });
  }

  /**
   * Stores the last entries and settles, on all processes or none.
   *
   * @return the number of each one's newest entry
   */
  private long[] settle(Runnable last) {
    PersistException failure = failureOf(last);
    PersistException unsettled = failureOf(() -> store.settle(wire)); // in any case: others wait in it
    failure = failure == null ? unsettled : failure;
    long[] lastNumbers = new long[comm.size()];
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
  public boolean contribute(RecordedCollective collective, int root, Buf buf) {
    comm.handle();
    if (root != NO_ROOT) {
      requireRank("root", root);
    }
    if (buf == null && (root == NO_ROOT || root == comm.rank() || !collective.isOfTheRoot())) {
      throw new NullPointerException("the send buffer of this process's contribution to " + collective + " is null");
    }
    return oneThread.in(() -> {
      // All processes must take part in finding the entries to replay, also if the result is not used.
      Iterator<Entry> left = restarted ? replay.of(collective, root) : Collections.emptyIterator();
      if (replaying && left.hasNext()) {
        replay.putBack(left.next(), collective, buf);
        return true;
      }
      journal.append(Kind.COLLECTIVE, root, collective.ordinal(), payloads.of(buf));
      return settings.isTransparent();
    });
  }
}
