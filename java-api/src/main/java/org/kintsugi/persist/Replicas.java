// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.collective.FailureExchange;
import org.kintsugi.mpi.internal.collective.Partners;

/**
 * Copies of entries in the memory of other nodes, for communicators that have processes on several.
 *
 * <p>The protocol. Every process has a holder on another node: its {@link Partners partner}, or
 * another process if one node has more than half of the processes and the partner is on the same
 * node. In every barrier, and when the communicator is made, each process sends ({@code
 * MPI_Alltoallv}) the entries that it has stored, dropped and cut since the last time: all of them
 * to its holder, and to each receiver on another node the entries for it. The receiver keeps them
 * in one log for each source, a whole log or a partial one, with different names. When the
 * communicator is made after a failure, a process whose own log is empty gets it back from the
 * process that has the most of it, as the original or as a whole copy: its holder, or a process on
 * its predecessor's node. Partial copies are never sent back. Then all processes send all entries
 * once more, as holders may be new.
 *
 * <p>Invariants: a batch is stored only when it has arrived completely. A barrier returns, and so
 * closes a round, only when all copies are made: so after the loss of any one node, each process's
 * end of every closed round is still on some node. Cuts are sent to the copies before anything new
 * is stored, so that a copy never has a round that its source has forgotten.
 */
final class Replicas implements AutoCloseable {
  private static final int FIXED = 16;

  private final Map<Integer, MappedLog> copies = new HashMap<>();
  private final List<Long> dropped = new ArrayList<>();
  private StoreContext context;
  private Path folder;
  private MappedLog own;
  private long[] nodes = {};
  private boolean spans;
  private int[] holders = {};
  private long sentUpTo;
  private long cutTo = Long.MAX_VALUE;
  private boolean afresh;

  /** Exchanges the nodes of all processes, and gets back a log that is lost. Collective. */
  void recover(Comm wire, StoreContext newContext, Path newFolder, MappedLog ownLog) throws IOException {
    context = newContext;
    folder = newFolder;
    own = ownLog;
    int size = wire.size();
    nodes = Partners.nodes(wire, context.node());
    spans = LongStream.of(nodes).distinct().count() > 1;
    if (!spans) {
      return;
    }
    holders = holders(nodes);
    long[] last = new long[size];
    wire.allGather(Buf.copyOf(lastOf(own)), Buf.wrap(last));
    PersistException failure = null;
    long[] offers = new long[size];
    ByteBuffer[] blobs = new ByteBuffer[size];
    try {
      offer(last, offers);
    } catch (IOException | PersistException e) {
      failure = unreadable(e);
    }
    long[] all = new long[size * size];
    wire.allGather(Buf.wrap(offers), Buf.wrap(all));
    try {
      supply(last, all, blobs);
    } catch (IOException | PersistException e) {
      failure = failure == null ? unreadable(e) : failure;
    }
    ByteBuffer[] back = exchange(wire, blobs, failure);
    for (ByteBuffer blob : back) {
      if (blob.hasRemaining()) {
        store(blob, own);
      }
    }
    own.keepBeside();
    sentUpTo = 0;
    afresh = true;
  }

  /** The holder of a whole copy of each rank's log: always on another node, if there is one. */
  static int[] holders(long[] nodes) {
    Partners partners = Partners.of(nodes);
    int[] holders = new int[nodes.length];
    for (int rank = 0; rank < nodes.length; rank++) {
      long node = nodes[rank];
      int[] elsewhere = IntStream.range(0, nodes.length).filter(other -> nodes[other] != node).toArray();
      int partner = partners.holderOf(rank);
      holders[rank] = nodes[partner] != node || elsewhere.length == 0 ? partner : elsewhere[rank % elsewhere.length];
    }
    return holders;
  }

  private PersistException unreadable(Exception e) {
    return new PersistException("rank " + context.rank() + " cannot read what is left of others: " + e.getMessage(), e);
  }

  /** Offers this process's copies of each lost log. */
  private void offer(long[] last, long[] offers) throws IOException {
    int rank = context.rank();
    for (int source = 0; source < last.length; source++) {
      if (last[source] == 0) {
        offers[source] = Math.max(lastOf(copy(source, rank, true)), source == rank ? 0 : lastOf(original(source)));
      }
    }
  }

  private void supply(long[] last, long[] offers, ByteBuffer[] blobs) throws IOException {
    int size = last.length;
    int rank = context.rank();
    for (int source = 0; source < size; source++) {
      if (last[source] == 0 && supplier(offers, source, size) == rank) {
        Path copy = copy(source, rank, true);
        try (MappedLog log = MappedLog.other(lastOf(copy) == offers[rank * size + source] ? copy : original(source))) {
          blobs[source] = records(log, log.entries(0), List.of(), 0);
        }
      }
    }
  }

  /** The process with the most of a log that its owner has lost; -1: no process has any of it. */
  private static int supplier(long[] offers, int source, int size) {
    int supplier = -1;
    for (int rank = 0; rank < size; rank++) {
      long offer = offers[rank * size + source];
      if (offer > 0 && (supplier < 0 || offer > offers[supplier * size + source])) {
        supplier = rank;
      }
    }
    return supplier;
  }

  private static long lastOf(MappedLog log) {
    List<Entry> entries = log.entries(0);
    return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).number();
  }

  private static long lastOf(Path file) throws IOException {
    try (MappedLog log = MappedLog.other(file)) {
      return log == null ? 0 : lastOf(log);
    }
  }

  private Path original(int source) {
    return folder.resolve("rank-" + source + ".mem");
  }

  /** The path of a rank's copy of another's log: a whole one, or a partial one with the entries for that rank only. */
  private Path copy(int source, int holder, boolean whole) {
    return folder.resolve("rank-" + source + (whole ? ".copy-" : ".part-") + holder + ".mem");
  }

  /** Whether this process's copy of a log is a whole one. */
  private boolean holds(int source) {
    return holders[source] == context.rank();
  }

  /** Whether a process's log is on this node. */
  boolean isHere(int source) {
    return !spans || nodes[source] == nodes[context.rank()];
  }

  /** This process's copy of a log of another node; null if it has none. */
  MappedLog copyOf(int source) {
    return copies.get(source);
  }

  void dropped(long number) {
    if (spans && number <= sentUpTo) { // no other process has copies of other entries
      dropped.add(number);
    }
  }

  void cut(long number) {
    cutTo = Math.min(cutTo, number);
    sentUpTo = Math.min(sentUpTo, number);
  }

  /** Brings all copies up to date. Collective. */
  void settle(Comm wire) throws IOException {
    if (!spans) {
      return;
    }
    List<Entry> fresh = List.of();
    ByteBuffer[] blobs = new ByteBuffer[nodes.length];
    PersistException failure = null;
    try {
      fresh = own.entries(sentUpTo);
      pack(fresh, blobs);
    } catch (PersistException e) {
      failure = new PersistException("rank " + context.rank() + " cannot copy to other nodes: " + e.getMessage(), e);
    }
    ByteBuffer[] arrived = exchange(wire, blobs, failure);
    try {
      store(arrived);
    } catch (IOException | PersistException e) {
      failure = new PersistException("rank " + context.rank() + " cannot keep copies of other nodes: " + e.getMessage(), e);
    }
    failure = FailureExchange.agree(wire, failure, PersistException::new);
    if (failure != null) {
      // Some copies are not complete now: the next time they are made anew.
      sentUpTo = 0;
      afresh = true;
      throw failure;
    }
    sentUpTo = Math.max(sentUpTo, fresh.isEmpty() ? 0 : fresh.get(fresh.size() - 1).number());
    dropped.clear();
    cutTo = Long.MAX_VALUE;
    afresh = false;
  }

  private void store(ByteBuffer... arrived) throws IOException {
    for (int source = 0; source < arrived.length; source++) {
      if (arrived[source].hasRemaining()) {
        MappedLog copy = copies.get(source);
        if (copy == null && !holds(source) && arrived[source].remaining() == FIXED) {
          continue; // nothing, instead of nothing
        }
        if (copy == null) {
          copy =
              MappedLog.own(copy(source, context.rank(), holds(source)), "copy of rank " + source + " of " + context.identity(),
                  context.settings().memoryBytes());
          copies.put(source, copy);
        }
        store(arrived[source], copy);
      }
    }
  }

  /** Packs the new entries for each other process. */
  private void pack(List<Entry> fresh, ByteBuffer[] blobs) {
    for (int target = 0; target < blobs.length; target++) {
      if (target == context.rank()) {
        continue;
      }
      boolean holds = holders[context.rank()] == target;
      if (holds || !isHere(target)) {
        List<Entry> entries = new ArrayList<>();
        for (Entry entry : fresh) {
          if (holds || entry.kind() == Entry.Kind.MESSAGE && entry.dest() == target) {
            entries.add(entry);
          }
        }
        // Later parts for a new place must be sent even if nothing replaces the earlier ones.
        if (afresh || !entries.isEmpty() || !dropped.isEmpty() || cutTo != Long.MAX_VALUE) {
          blobs[target] = records(own, entries, dropped, afresh ? 0 : cutTo);
        }
      }
    }
  }

  /**
   * All processes have exchanged all entries: files of earlier placements are outdated. Once a process has stored more at its
   * present place, such a file must not be taken for its newest if it dies and comes back there.
   */
  void removeOld() throws IOException {
    for (int source = 0; spans && source < nodes.length; source++) {
      if (!isHere(source)) {
        Files.deleteIfExists(original(source));
      }
      for (boolean whole : new boolean[] {true, false}) {
        if (source != context.rank() && !(copies.containsKey(source) && whole == holds(source))) {
          Files.deleteIfExists(copy(source, context.rank(), whole));
        }
      }
    }
  }

  /** Cut (8 bytes), number of dropped entries (8), their numbers, then records. */
  static ByteBuffer records(MappedLog log, List<Entry> entries, List<Long> dropped, long cut) {
    long bytes = FIXED + 8L * dropped.size();
    for (Entry entry : entries) {
      bytes += Records.length(entry.bytes());
    }
    if (bytes > Integer.MAX_VALUE - FIXED) {
      throw new PersistException("more than 2 GiB for another node between two barriers: call barrier() more often");
    }
    ByteBuffer blob = Records.buffer((int) bytes);
    blob.putLong(cut).putLong(dropped.size());
    dropped.forEach(blob::putLong);
    Records records = new Records();
    for (Entry entry : entries) {
      int at = blob.position();
      ByteBuffer payload = blob.duplicate().position(at + Records.HEADER_BYTES).slice();
      if (!log.read(entry, payload.limit((int) entry.bytes()))) {
        throw new PersistException("entry " + entry.number() + " is gone while it is copied");
      }
      blob.put(records.header(entry, payload)).position(at + (int) Records.length(entry.bytes()));
    }
    return blob.flip();
  }

  /**
   * Adds the entries that {@link #records} has packed to a log: all or, if this process dies, none, so that a part is never
   * taken for all.
   */
  static void store(ByteBuffer blob, MappedLog log) throws IOException {
    log.cut(blob.getLong());
    long drops = blob.getLong();
    List<Long> numbers = new ArrayList<>();
    for (long i = 0; i < drops; i++) {
      numbers.add(blob.getLong());
    }
    // First of all, so that a copy needs no more room than its original. Nothing is lost if it ends here: the replacement of a
    // settled entry was copied by an earlier barrier, and no barrier has made later entries safe.
    numbers.forEach(log::drop);
    log.atOnce(blob.remaining(), () -> append(blob, log));
  }

  private static void append(ByteBuffer blob, MappedLog log) throws IOException {
    Records records = new Records();
    while (blob.hasRemaining()) {
      Entry entry = records.parse(blob);
      int sum = entry == null ? 0 : Records.payloadChecksum(blob);
      int at = blob.position();
      ByteBuffer payload =
          entry == null ? null : blob.duplicate().position(at + Records.HEADER_BYTES).limit(at + Records.HEADER_BYTES
              + (int) entry.bytes());
      if (entry == null || records.checksum(payload) != sum) {
        throw new PersistException("messages are damaged that another node, or a data set, has given back");
      }
      log.append(entry, payload);
      blob.position(at + (int) Records.length(entry.bytes()));
    }
  }

  /**
   * Sends one block to each rank, null for none.
   *
   * @param failure why this process lacks the data that others wait for; null: it has them
   * @return the blocks from each rank
   * @throws PersistException on all processes, if one has a failure, or would have to send or receive too much
   */
  private static ByteBuffer[] exchange(Comm wire, ByteBuffer[] blobs, PersistException failure) {
    int size = blobs.length;
    int[] sends = new int[size];
    int[] from = new int[size];
    long total = 0;
    for (int rank = 0; rank < size; rank++) {
      sends[rank] = blobs[rank] == null ? 0 : blobs[rank].remaining();
      from[rank] = (int) total;
      total += sends[rank];
    }
    int[] receives = new int[size];
    wire.allToAll(Buf.wrap(sends), Buf.wrap(receives));
    int[] to = new int[size];
    long expected = 0;
    for (int rank = 0; rank < size; rank++) {
      to[rank] = (int) expected;
      expected += receives[rank];
    }
    PersistException mine = failure;
    if (mine == null && Math.max(total, expected) > Integer.MAX_VALUE - FIXED) {
      mine = new PersistException("rank " + wire.rank()
          + " has more than 2 GiB for other nodes, or from them, between two barriers: call barrier() more often");
    }
    FailureExchange.refuse(wire, mine, PersistException::new);
    ByteBuffer out = ByteBuffer.allocateDirect((int) total);
    for (ByteBuffer blob : blobs) {
      if (blob != null) {
        out.put(blob);
      }
    }
    ByteBuffer in = ByteBuffer.allocateDirect((int) expected);
    wire.allToAllV(Buf.wrap(out.flip()), sends, from, Buf.wrap(in), receives, to);
    ByteBuffer[] arrived = new ByteBuffer[size];
    for (int rank = 0; rank < size; rank++) {
      // Copied to memory of its own, where records are aligned.
      ByteBuffer part = in.duplicate().limit(to[rank] + receives[rank]).position(to[rank]);
      arrived[rank] = Records.buffer(receives[rank]).put(part).flip().order(ByteOrder.LITTLE_ENDIAN);
    }
    return arrived;
  }

  @Override
  public void close() {
    copies.values().forEach(MappedLog::close);
    copies.clear();
  }
}
