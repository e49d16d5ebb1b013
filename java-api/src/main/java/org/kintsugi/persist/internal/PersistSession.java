// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.internal.lifetime.BeforeFinalize;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * State that all persistent communicators of a process share: the world, whose ranks identify processes, and the number of
 * communicators of each key. For the {@link org.kintsugi.reinit Reinit run} that owns the world and for message stores, not for
 * programs.
 */
@InRecovery
public final class PersistSession {
  private static final Map<String, Integer> ORDINALS = new HashMap<>();
  private static final Map<String, Runnable> OPEN = new HashMap<>();
  private static final List<StoreSession> SESSIONS = new ArrayList<>();
  private static Comm world;

  private PersistSession() {}

  /**
   * A new epoch begins, with this world: communicators are made anew, in the same order. Local.
   *
   * @param newWorld the epoch's world; not to be closed
   */
  public static synchronized void bind(Comm newWorld) {
    unbind();
    world = newWorld;
    for (StoreSession session : SESSIONS) {
      session.bind(newWorld);
    }
  }

  /** The world must not be used any more, nor stores of communicators that are still open. Local, idempotent. */
  public static synchronized void unbind() {
    world = null;
    for (StoreSession session : SESSIONS) {
      session.unbind();
    }
    if (!OPEN.isEmpty()) {
      for (Runnable close : OPEN.values()) {
        close.run();
      }
      OPEN.clear();
    }
    ORDINALS.clear();
  }

  /** The program has succeeded; the world is still there. Collective over it, idempotent. */
  public static synchronized void end() {
    for (StoreSession session : SESSIONS) {
      session.end();
    }
  }

  /**
   * Registers a kind of store for events of epochs and the end of MPI.
   *
   * @param session gets the events from now on; a second call changes nothing
   */
  public static synchronized void register(StoreSession session) {
    if (SESSIONS.isEmpty()) {
      BeforeFinalize.add(new Ending());
    }
    if (!SESSIONS.contains(session)) {
      SESSIONS.add(session);
    }
  }

  /** Ends the session before MPI ends. */
  private static final class Ending implements Runnable {
    @Override
    public void run() {
      end();
    }
  }

  /**
   * The world of the epoch; without a Reinit run that of MPI.
   *
   * @return not to be closed
   */
  public static synchronized Comm home() {
    return world == null ? Mpi.current().world() : world;
  }

  /** How many communicators with this key this process has made in this epoch, before this one. */
  public static synchronized int nextOrdinal(String key) {
    int ordinal = ORDINALS.getOrDefault(key, 0);
    ORDINALS.put(key, ordinal + 1);
    return ordinal;
  }

  /**
   * A store is about to be opened, and is to be closed whatever comes.
   *
   * @param identity of the store's communicator
   * @param close run at the end of the epoch, unless {@link #closed} comes first
   * @return false: that communicator is open already
   */
  public static synchronized boolean opens(String identity, Runnable close) {
    return OPEN.putIfAbsent(identity, close) == null;
  }

  /** A store that was opened is about to be closed. */
  public static synchronized void closed(String identity) {
    OPEN.remove(identity);
  }
}
