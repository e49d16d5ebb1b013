// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import java.util.ArrayList;
import java.util.List;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.PersistentRequest;

/** Messages of one role with neighbours, made once and sent again in every cycle; nothing is allocated after the constructor. */
final class Messages implements AutoCloseable {
  private final Comm world;
  private final int tag;
  private final List<Buf> buffers = new ArrayList<>();
  private final List<PersistentRequest> open = new ArrayList<>();
  private PersistentRequest[] requests = {};

  /** @param world null: a block without neighbours */
  Messages(Comm world, int tag) {
    this.world = world;
    this.tag = tag;
  }

  /** Room for what comes from a rank. To be called before {@link #outgoing}: receives are posted first. */
  Buf incoming(int rank, int count) {
    Buf buffer = Buf.allocateDoubles(count);
    buffers.add(buffer);
    open.add(world.recvInit(buffer, rank, tag));
    return buffer;
  }

  /** Room for what goes to a rank. */
  Buf outgoing(int rank, int count) {
    Buf buffer = Buf.allocateDoubles(count);
    buffers.add(buffer);
    open.add(world.sendInit(buffer, rank, tag));
    return buffer;
  }

  /** Sends and receives all. */
  void exchange() {
    if (requests.length != open.size()) {
      requests = open.toArray(requests);
    }
    if (requests.length > 0) {
      PersistentRequest.startAll(requests);
      for (PersistentRequest request : requests) {
        request.waitFor();
      }
    }
  }

  @Override
  public void close() {
    // No method references: linking the first one takes a millisecond, which a recovery would wait for.
    for (PersistentRequest request : open) {
      request.close();
    }
    for (Buf buffer : buffers) {
      buffer.close();
    }
  }
}
