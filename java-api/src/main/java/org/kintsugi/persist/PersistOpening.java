// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.collective.FailureExchange;
import org.kintsugi.persist.internal.PersistSession;

/**
 * Opens a persistent communicator: its processes identify it, open their stores, and go back to the entries that all of them
 * have. Every step that may fail on one process alone ends with an agreement, so that all fail alike.
 */
final class PersistOpening {
  private static final int MAX_KEY = 200;

  private static final int HOME_RANK = 0;
  private static final int ORDINAL = 1;
  private static final int KEY = 2;
  private static final int SETTINGS = 3;
  private static final int FIELDS = 4;

  private final Comm wire;
  private MessageStore store;
  private StoreContext context;
  private Journal journal;
  private boolean isOpen;
  private boolean restarted;

  private PersistOpening(Comm wire) {
    this.wire = wire;
  }

  static PersistOpening of(Comm comm, String key, Info info) {
    if (comm == null || key == null) {
      throw new NullPointerException(comm == null ? "comm is null" : "key is null");
    }
    if (key.isEmpty() || key.length() > MAX_KEY) {
      throw new IllegalArgumentException("key '" + key + "' has " + key.length() + " characters: expected 1 to " + MAX_KEY);
    }
    if (comm instanceof Intercomm) {
      throw new IllegalArgumentException("comm is an intercommunicator: merge() it first");
    }
    // In the epoch's scope, also for a communicator made from MPI_COMM_SELF: a rollback must reach it.
    PersistOpening opening = new PersistOpening(Access.comms().move(comm.dup(), PersistSession.home()));
    try {
      opening.open(key, info);
      opening.goBack();
      return opening;
    } catch (RuntimeException | Error e) {
      opening.abandon(e);
      throw e;
    }
  }

  /** Closes everything after any failure, so that the opening can be tried again. */
  private void abandon(Throwable reason) {
    try {
      if (isOpen) {
        PersistSession.closed(context.identity());
      }
      if (store != null) {
        store.close();
      }
      if (reason instanceof PersistException || reason instanceof IllegalArgumentException) {
        wire.close(); // after other errors the other processes may not come to close it: it ends with its epoch
      }
    } catch (RuntimeException e) {
      reason.addSuppressed(e);
    }
  }

  private void open(String key, Info info) {
    RuntimeException failure = null;
    long[] mine = new long[FIELDS];
    PersistSettings settings = null;
    try {
      settings = PersistSettings.of(info);
      store = MessageStores.of(settings);
      mine[SETTINGS] = settings.common().hashCode();
    } catch (IllegalArgumentException e) {
      failure = e;
    }
    mine[HOME_RANK] = PersistSession.home().rank();
    mine[ORDINAL] = PersistSession.nextOrdinal(key);
    mine[KEY] = key.hashCode();
    long[] all = new long[FIELDS * wire.size()];
    wire.allGather(Buf.wrap(mine), Buf.wrap(all));
    FailureExchange.refuse(wire, failure, reason -> new IllegalArgumentException(
        "another process cannot make the persistent communicator: " + reason));
    compare(all, KEY, "the key");
    compare(all, SETTINGS, "the info");
    String name = settings.value(PersistSettings.NAME);
    if (name.isEmpty()) {
      compare(all, ORDINAL, "how many communicators it has made with this key (info " + PersistSettings.NAME + " names them)");
      name = String.valueOf(mine[ORDINAL]);
    }
    context =
        new StoreContext(key, name + "@" + all[HOME_RANK], wire.rank(), wire.size(), PersistSession.home().size(),
            Mpi.current().processorName(), settings);
    try {
      isOpen = PersistSession.opens(context.identity(), store::close);
      if (!isOpen) {
        throw new PersistException("the persistent communicator of " + context.identity() + " is open already: close it first");
      }
      store.open(context);
    } catch (PersistException e) {
      failure = e;
    }
    agree(failure);
    try {
      store.recover(wire);
      journal = new Journal(store, context);
      journal.load();
    } catch (PersistException e) {
      failure = e;
    }
    agree(failure);
  }

  private static void compare(long[] all, int field, String what) {
    for (int rank = 1; rank < all.length / FIELDS; rank++) {
      if (all[rank * FIELDS + field] != all[field]) {
        throw new IllegalArgumentException("ranks 0 and " + rank + " differ in " + what
            + " of the persistent communicator: all processes must say the same");
      }
    }
  }

  private void agree(RuntimeException failure) {
    FailureExchange.refuse(wire, failure, reason -> new PersistException(
        "another process cannot open its store (here it is that of " + context.identity() + "): " + reason));
  }

  /** To the newest state that all have. */
  private void goBack() {
    PersistSettings settings = context.settings();
    RuntimeException failure = null;
    if (wire.allReduce(journal.isForgotten() ? 1L : 0, Op.MAX) > 0) {
      try {
        journal.clear();
      } catch (PersistException e) {
        failure = e;
      }
      agree(failure);
    } else if (settings.isByRounds()) {
      long closed = commonRound();
      try {
        journal.cutToRound(closed);
      } catch (PersistException e) {
        failure = e;
      }
      agree(failure);
      restarted = closed > 0;
    } else {
      restarted = wire.allReduce(journal.lastNumber(), Op.MAX) > 0;
    }
    try {
      // Copies go back, too, and are made on the right nodes, before anything new is stored.
      store.settle(wire);
    } catch (PersistException e) {
      failure = e;
    }
    agree(failure);
    try {
      store.tidy();
    } catch (PersistException e) {
      failure = e;
    }
    agree(failure);
    long[] lastNumbers = new long[wire.size()];
    wire.allGather(Buf.copyOf(journal.lastNumber()), Buf.wrap(lastNumbers));
    journal.begin(lastNumbers);
  }

  /**
   * The last round that all have ended. No process ends a round before all have ended the one before: if they differ by more,
   * the entries of one are lost, and a rollback to its round would lose the entries of all others.
   */
  private long commonRound() {
    long[] rounds = new long[wire.size()];
    wire.allGather(Buf.copyOf(journal.round()), Buf.wrap(rounds));
    int least = 0;
    int most = 0;
    for (int rank = 1; rank < rounds.length; rank++) {
      least = rounds[rank] < rounds[least] ? rank : least;
      most = rounds[rank] > rounds[most] ? rank : most;
    }
    if (rounds[most] - rounds[least] > 1) {
      String place = FailureExchange.tell(wire, least, store.place());
      throw new PersistException("rank " + least + " has ended round " + rounds[least] + " last, and rank " + most + " round "
          + rounds[most] + ", where they can differ by one: messages of rank " + least + " are lost, or not in their place, "
          + place + ", on node " + FailureExchange.tell(wire, least, context.node()) + ". Nothing was removed ("
          + context.identity()
          + "): bring them back, or use another key to begin anew");
    }
    return rounds[least];
  }

  Comm wire() {
    return wire;
  }

  MessageStore store() {
    return store;
  }

  StoreContext context() {
    return context;
  }

  Journal journal() {
    return journal;
  }

  boolean isRestarted() {
    return restarted;
  }
}
