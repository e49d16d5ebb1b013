// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.calls.RecordedCollective;
import org.kintsugi.mpi.internal.collective.FailureExchange;

/**
 * Decides which calls of a collective are performed again after a failure, with the contributions that every process has stored.
 */
final class CollectiveReplay {
  private final Comm wire;
  private final StoreContext context;
  private final Journal journal;
  private final Payloads payloads;
  private final Map<Long, Iterator<Entry>> replays = new HashMap<>();

  CollectiveReplay(Comm wire, StoreContext context, Journal journal, Payloads payloads) {
    this.wire = wire;
    this.context = context;
    this.journal = journal;
    this.payloads = payloads;
  }

  void clear() {
    replays.clear();
  }

  /**
   * The entries of an operation that are left to replay: all processes find them together, at its first call after a failure.
   */
  Iterator<Entry> of(RecordedCollective collective, int root) {
    long which = (long) root << 32 | collective.ordinal();
    Iterator<Entry> replay = replays.get(which);
    if (replay == null) {
      List<Entry> common = common(collective, root);
      if (context.settings().isNewestFirst()) {
        Collections.reverse(common);
      }
      replay = common.iterator();
      replays.put(which, replay);
    }
    return replay;
  }

  private List<Entry> common(RecordedCollective collective, int root) {
    int tag = collective.ordinal();
    List<Entry> mine = journal.contributions(root, tag);
    boolean none = mine.isEmpty();
    long first = -wire.allReduce(none ? 0 : -mine.get(0).sequence(), Op.MIN);
    long last = wire.allReduce(none ? 0 : mine.get(mine.size() - 1).sequence(), Op.MIN);
    if (last > 0 && first > last) {
      throw new PersistException("the contributions to " + collective + " (key '" + context.key() + "', communicator "
          + context.communicator() + ") do not fit together: some process has call " + last + " as its newest, another has only "
          + "those from " + first + " on; info " + PersistSettings.RECOVER + "=barrier or a longer " + PersistSettings.HISTORY
          + " rules that out");
    }
    journal.forgetContributions(root, tag, last);
    List<Entry> common = new ArrayList<>(mine);
    common.removeIf(entry -> entry.sequence() < first || entry.sequence() > last);
    while (common.size() > context.settings().history()) {
      common.remove(0);
    }
    return common;
  }

  /** All agree that it worked, so that no process waits in the operation for one that failed here. */
  void putBack(Entry entry, RecordedCollective collective, Buf buf) {
    String problem = null;
    try {
      ByteBuffer bytes = payloads.room(entry.bytes());
      journal.read(context.rank(), entry, bytes);
      if (entry.bytes() != (buf == null ? 0 : Payloads.capacity(buf))) {
        problem = "it has " + entry.bytes() + " bytes, and the buffer of this call " + (buf == null ? 0 : Payloads.capacity(buf));
      } else if (buf != null) {
        Payloads.to(bytes, buf);
      }
    } catch (PersistException e) {
      problem = e.getMessage();
    }
    String reason = FailureExchange.agree(wire, problem == null ? null : "rank " + context.rank() + ": " + problem);
    if (reason != null) {
      throw new PersistException("contribution " + entry.sequence() + " to " + collective + " (key '" + context.key()
          + "', communicator " + context.communicator() + ") cannot be replayed: " + reason);
    }
  }
}
