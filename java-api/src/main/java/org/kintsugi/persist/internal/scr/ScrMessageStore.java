// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist.internal.scr;

import java.nio.ByteBuffer;
import org.kintsugi.mpi.Comm;
import org.kintsugi.persist.MemoryMessageStore;
import org.kintsugi.persist.PersistException;
import org.kintsugi.persist.PersistSettings;
import org.kintsugi.persist.StoreContext;
import org.kintsugi.persist.internal.PersistSession;

/**
 * Messages kept by SCR, as in the prototype of Gracia et al. SCR's calls are collective over the world, and a send is not: so
 * messages are gathered in memory, and a barrier on the communicator hands them to SCR as one data set of all processes, every
 * time or as {@link PersistSettings#SCR_INTERVAL} says.
 *
 * <p>A data set is one state of all processes. A failure takes all of them, survivors as well, back to the last complete one;
 * messages stored since are lost, even if they are still in memory. SCR keeps the last two, on the nodes with the redundancy
 * that it was configured for, and copies them to the shared folder when its configuration says so. The same holds for a recovery
 * in place and for a restart of the job.
 */
final class ScrMessageStore extends MemoryMessageStore {
  private ScrSession session;
  private boolean recovered;
  private boolean begun;
  private boolean forgotten;
  private long settles;

  @Override
  public void open(StoreContext newContext) {
    Comm home = PersistSession.home();
    if (newContext.size() != home.size() || newContext.rank() != home.rank()) {
      throw new PersistException("rank " + newContext.rank() + " of " + newContext.size() + " is rank " + home.rank() + " of "
          + home.size() + " in the world: info " + PersistSettings.STORE + "=scr is for communicators of all processes, in the "
          + "world's order, because SCR's calls are collective over it; use another store for this one");
    }
    session = ScrSession.of(newContext);
    super.open(newContext.apart("+scr")); // not what the store "memory" keeps of the same communicator
  }

  @Override
  public void recover(Comm wire) {
    PersistException failure = null;
    try {
      session.load();
    } catch (PersistException e) {
      failure = e; // whatever it is, others wait in what follows
    }
    super.recover(wire);
    if (failure != null) {
      throw failure;
    }
    restore(session.saved(context().identity()));
    session.opened(context().identity(), this);
    recovered = true;
  }

  @Override
  public void settle(Comm wire) {
    PersistException failure = null;
    try {
      super.settle(wire);
    } catch (PersistException e) {
      failure = e;
    }
    // The first is a part of making the communicator: nothing is new.
    if (begun && (forgotten || session.isDue(++settles, context().settings().scrInterval()))) {
      session.save(failure);
    } else if (failure != null) {
      throw failure;
    }
    begun = true;
    forgotten = false;
  }

  /** This communicator's part of the next data set. */
  ByteBuffer stored() {
    return snapshot();
  }

  @Override
  public void clear() {
    super.clear();
    forgotten = true;
  }

  @Override
  public void close() {
    if (recovered) {
      recovered = false;
      session.closed(context().identity(), this);
    }
    super.close();
  }
}
