// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.nio.ByteBuffer;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/** Finds the stored messages for receives on a persistent communicator. */
final class Retrieval {
  private final StoreContext context;
  private final Journal journal;
  private final Payloads payloads;

  Retrieval(StoreContext context, Journal journal, Payloads payloads) {
    this.context = context;
    this.journal = journal;
    this.payloads = payloads;
  }

  private String signature(int source, int tag) {
    return "(key '" + context.key() + "', communicator " + context.communicator() + ", source "
        + (source == Comm.ANY_SOURCE ? "any" : source) + ", dest " + context.rank() + ", tag "
        + (tag == Comm.ANY_TAG ? "any" : tag) + ")";
  }

  private PersistException failed(int source, int tag, PersistException e) {
    return new PersistException(
        "rank " + context.rank() + " cannot receive " + signature(source, tag) + ": " + e.getMessage(), e);
  }

  /**
   * The stored message that a receive returns.
   *
   * @param required whether it is an error if there is none; never on a transparent communicator, which waits for a delivery
   * @return null if there is none
   */
  Journal.Found find(int source, int tag, boolean required) {
    int from = source == Comm.ANY_SOURCE ? -1 : source;
    int with = tag == Comm.ANY_TAG ? -1 : tag;
    boolean transparent = context.settings().isTransparent();
    Journal.Found found;
    int count = 0;
    try {
      found = journal.next(from, with, transparent);
      if (found == null && required && !transparent) {
        count = journal.count(from, with);
      }
    } catch (PersistException e) {
      throw failed(source, tag, e);
    }
    if (found == null && required && !transparent) {
      throw new PersistException(count == 0 ? "nothing was ever stored under " + signature(source, tag)
          : "all " + count + " stored messages of " + signature(source, tag) + " have been received again; rewind() begins anew");
    }
    return found;
  }

  /** Puts a message into a buffer, and counts it as received. */
  void take(Journal.Found found, Buf buf) {
    ByteBuffer bytes = payloads.room(found.entry().bytes());
    try {
      journal.read(found.source(), found.entry(), bytes);
    } catch (PersistException e) {
      throw failed(found.source(), found.entry().tag(), e);
    }
    Payloads.to(bytes, buf);
    found.take().run();
  }
}
