// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kintsugi.persist.Entry.Kind;

/**
 * What one process knows of the messages of one persistent communicator: which it has stored, which of them are still needed,
 * and which have been received again. Knows nothing of MPI.
 *
 * <p>What a process sees of another is what that one had stored when both last met: when the communicator was made, or in a
 * barrier ({@code limits}). So a process that goes on at once after a recovery takes nothing away from one that is still
 * receiving.
 *
 * <p>Which entries of a signature are kept (d is the depth of the history): the newest d from before the last meeting
 * ({@code settled}), which others may still want to see, and to which, by rounds ({@link PersistSettings#RECOVER}), a failure
 * takes all back; and the newest d from after it ({@code fresh}), to which a failure inside the next barrier takes all back. Of
 * the ends of rounds that of the last one which all have closed is kept, and the next one from when it is stored on: as long as
 * not all have stored it, a failure takes all back to the one before.
 */
final class Journal {
  private record Signature(Kind kind, int dest, int tag) {}

  /** Own entries of one signature, ascending. */
  private static final class Channel {
    private final Deque<Entry> settled = new ArrayDeque<>();
    private final Deque<Entry> fresh = new ArrayDeque<>();
    private final Signature signature;
    private long sequence;
    private long begun; // the newest sequence when the communicator was made
    private long sends; // since then

    Channel(Signature signature) {
      this.signature = signature;
    }

    List<Entry> all() {
      List<Entry> all = new ArrayList<>(settled);
      all.addAll(fresh);
      return all;
    }
  }

  /** How far the messages of one source and tag have been received again. */
  private static final class Cursor {
    private long last;
    private boolean begun;
  }

  /** A message to be received. */
  record Found(int source, Entry entry, Runnable take) {}

  private final MessageStore store;
  private final PersistSettings settings;
  private final int rank;
  private final int size;
  private final Map<Signature, Channel> channels = new HashMap<>();
  private final Map<Integer, TreeMap<Integer, List<Entry>>> received = new TreeMap<>();
  private final Map<Integer, Long> known = new HashMap<>();
  private final Map<Long, Cursor> cursors = new HashMap<>();
  private final Deque<Entry> undropped = new ArrayDeque<>();
  private Channel latest;
  private long number;
  private long round;
  private Entry closedEnd; // of the round that all have closed last; null: there is none
  private Entry ended; // the end of the next one, which is stored and not closed; null: it is not stored
  private boolean forgotten;
  private long[] begun;
  private long[] limits;

  Journal(MessageStore store, StoreContext context) {
    this.store = store;
    settings = context.settings();
    rank = context.rank();
    size = context.size();
  }

  /** Reads what this process (or the one before it with this rank) has stored. By rounds {@link #cutToRound} must follow. */
  void load() {
    if (!settings.isByRounds()) {
      fill();
      return;
    }
    // Nothing is settled, and nothing may be dropped, before it is known which round all have.
    for (Entry entry : store.entries(rank, 0)) {
      number = entry.number();
      forgotten |= entry.kind() == Kind.FORGOTTEN;
      if (entry.kind() == Kind.ROUND) {
        round = entry.tag();
      }
    }
  }

  /** @return the ends of rounds, ascending */
  private List<Entry> fill() {
    List<Entry> ends = new ArrayList<>();
    for (Entry entry : store.entries(rank, 0)) {
      number = entry.number();
      if (entry.kind() == Kind.ROUND) {
        round = entry.tag();
        ends.add(entry);
      } else if (entry.kind() == Kind.FORGOTTEN) {
        forgotten = true;
      } else {
        Channel channel = channel(entry.kind(), entry.dest(), entry.tag());
        // A store may keep what was dropped: of two with the same sequence the older was.
        channel.fresh.removeIf(dropped -> dropped.sequence() >= entry.sequence());
        channel.fresh.add(entry);
        channel.sequence = entry.sequence();
      }
    }
    settle(number);
    return ends;
  }

  /** Whether this process was about to forget all, which others may have done: {@link #clear} must follow, on all. */
  boolean isForgotten() {
    return forgotten;
  }

  /** The last round whose end this process has stored. */
  long round() {
    return round;
  }

  /** The number of the newest entry. */
  long lastNumber() {
    return number;
  }

  /** Forgets what was stored behind the end of a round; 0: everything. */
  void cutToRound(long closed) {
    long last = 0;
    for (Entry entry : store.entries(rank, 0)) {
      if (entry.kind() == Kind.ROUND && entry.tag() <= closed) {
        last = entry.number();
      }
    }
    store.cut(last);
    List<Entry> ends = reload();
    if (round != closed) {
      throw new PersistException("rank " + rank + " has lost the end of round " + closed + ", which all others have");
    }
    // All have this round, so that no failure goes back behind it.
    ends.forEach(this::closed);
  }

  /** The end of a newer round than the last one, which is not needed any more. */
  private void closed(Entry end) {
    Entry before = closedEnd;
    closedEnd = end;
    if (before != null) {
      drop(before);
    }
  }

  /** It is not needed any more. What has been stored is stored, also if this fails: then it is tried again with the next one. */
  private void drop(Entry entry) {
    undropped.add(entry);
    try {
      while (!undropped.isEmpty()) {
        store.drop(undropped.peek());
        undropped.poll();
      }
    } catch (PersistException later) {
      // It takes room as long as it stays, and whoever loads it sees that it is old.
    }
  }

  private List<Entry> reload() {
    channels.clear();
    received.clear();
    known.clear();
    cursors.clear();
    latest = null;
    number = 0;
    round = 0;
    closedEnd = null;
    ended = null;
    forgotten = false;
    undropped.clear();
    return fill();
  }

  /** From now on: what was there at the beginning, of every process. */
  void begin(long[] lastNumbers) {
    begun = lastNumbers;
    limits = lastNumbers;
    channels.values().forEach(channel -> channel.begun = channel.sequence);
  }

  /** If it ends before all have forgotten everything, the rest is to be forgotten by who comes next. */
  void markForgotten() {
    append(Kind.FORGOTTEN, Entry.ALL, 0, ByteBuffer.allocateDirect(0));
  }

  void clear() {
    store.clear();
    reload();
    begin(new long[size]);
  }

  private Channel channel(Kind kind, int dest, int tag) {
    Channel channel = latest;
    if (channel == null || channel.signature.tag != tag || channel.signature.dest != dest || channel.signature.kind != kind) {
      channel = channels.computeIfAbsent(new Signature(kind, dest, tag), Channel::new);
      latest = channel;
    }
    return channel;
  }

  /** Whether this send repeats one that is stored already, in a program that is run again from its beginning. */
  boolean isRepeated(int dest, int tag) {
    Channel channel = channel(Kind.MESSAGE, dest, tag);
    return ++channel.sends <= channel.begun;
  }

  void append(Kind kind, int dest, int tag, ByteBuffer payload) {
    Channel channel = channel(kind, dest, tag);
    Entry entry = new Entry(number + 1, kind, dest, tag, channel.sequence + 1, payload.remaining());
    store.append(entry, payload);
    number++;
    channel.sequence++;
    channel.fresh.add(entry);
    trim(channel.fresh);
  }

  private void trim(Deque<Entry> entries) {
    while (entries.size() > settings.history()) {
      drop(entries.poll());
    }
  }

  /** Stores the end of a round; not closed before {@link #closeRound}. */
  void endRound() {
    if (settings.isByRounds()) {
      Entry entry = new Entry(number + 1, Kind.ROUND, Entry.ALL, (int) round + 1, round + 1, 0);
      store.append(entry, ByteBuffer.allocateDirect(0));
      number++;
      ended = entry;
    }
  }

  /** All processes have stored the end of the round; what each of them had stored by then. */
  void closeRound(long[] lastNumbers) {
    limits = lastNumbers;
    if (settings.isByRounds()) {
      round++;
      closed(ended);
      ended = null;
    }
    settle(number);
  }

  /** Some process could not: as if the barrier had not been tried. */
  void reopenRound() {
    if (ended != null) {
      ended = null;
      store.cut(number - 1); // the number is not given again: others may have seen it
    }
  }

  private void settle(long upTo) {
    for (Channel channel : channels.values()) {
      while (!channel.fresh.isEmpty() && channel.fresh.peek().number() <= upTo) {
        channel.settled.add(channel.fresh.poll());
      }
      trim(channel.settled);
    }
  }

  /** Own contributions to a collective, ascending. */
  List<Entry> contributions(int dest, int tag) {
    return channel(Kind.COLLECTIVE, dest, tag).all();
  }

  /** Contributions behind this one are forgotten: some process has not stored its own. */
  void forgetContributions(int dest, int tag, long beyond) {
    Channel channel = channel(Kind.COLLECTIVE, dest, tag);
    for (Deque<Entry> entries : List.of(channel.settled, channel.fresh)) {
      entries.stream().filter(entry -> entry.sequence() > beyond).forEach(store::forget);
      entries.removeIf(entry -> entry.sequence() > beyond);
    }
    channel.sequence = Math.min(channel.sequence, beyond);
  }

  void read(int source, Entry entry, ByteBuffer target) {
    if (!store.read(source, entry, target)) {
      throw new PersistException("entry " + entry.number() + " of rank " + source + " is not there any more");
    }
  }

  /** Receiving begins anew. */
  void rewind() {
    cursors.clear();
  }

  /**
   * The next message for this process.
   *
   * @param source a rank; negative: any
   * @param tag negative: any
   * @param once whether each message is received once only, and only what was there at the beginning
   * @return null if there is none; without a history the newest of a named source and tag is always there again, and where any
   * will do those that have been received are passed over, until there is a newer one
   */
  Found next(int source, int tag, boolean once) {
    int first = source < 0 ? 0 : source;
    int last = source < 0 ? size - 1 : source;
    for (int from = first; from <= last; from++) {
      TreeMap<Integer, List<Entry>> byTag = messagesOf(from, once);
      for (Map.Entry<Integer, List<Entry>> of : byTag.entrySet()) {
        if (tag < 0 || of.getKey() == tag) {
          Found found = next(from, of.getKey(), of.getValue(), once, source >= 0 && tag >= 0);
          if (found != null) {
            return found;
          }
        }
      }
    }
    return null;
  }

  private Found next(int source, int tag, List<Entry> entries, boolean once, boolean named) {
    Cursor cursor = cursors.computeIfAbsent((long) source << 32 | tag, key -> new Cursor());
    boolean again = settings.history() == 1 && !once && named;
    boolean descends = settings.isNewestFirst() && settings.history() > 1;
    int from = (int) Math.max(0, entries.size() - settings.history());
    Entry next = null;
    for (int i = from; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      boolean isLeft = again || !cursor.begun
          || (descends ? entry.sequence() < cursor.last : entry.sequence() > cursor.last);
      if (isLeft) {
        next = entry;
        if (!settings.isNewestFirst() && !again) {
          break;
        }
      }
    }
    if (next == null) {
      return null;
    }
    Entry taken = next;
    return new Found(source, taken, () -> {
      cursor.last = taken.sequence();
      cursor.begun = true;
    });
  }

  /** How many messages of a signature there are, received again or not. */
  int count(int source, int tag) {
    int count = 0;
    for (int from = source < 0 ? 0 : source; from <= (source < 0 ? size - 1 : source); from++) {
      for (Map.Entry<Integer, List<Entry>> of : messagesOf(from, false).entrySet()) {
        count += tag < 0 || of.getKey() == tag ? of.getValue().size() : 0;
      }
    }
    return count;
  }

  /** What a process has stored for this one: by tag, ascending. */
  private TreeMap<Integer, List<Entry>> messagesOf(int source, boolean fromBeginning) {
    if (source == rank) {
      TreeMap<Integer, List<Entry>> mine = new TreeMap<>();
      for (Channel channel : channels.values()) {
        if (channel.signature.kind == Kind.MESSAGE && channel.signature.dest == rank) {
          List<Entry> entries = channel.all();
          entries.removeIf(entry -> fromBeginning && entry.number() > begun[rank]);
          mine.put(channel.signature.tag, entries);
        }
      }
      return mine;
    }
    TreeMap<Integer, List<Entry>> byTag = received.computeIfAbsent(source, key -> new TreeMap<>());
    long seen = known.getOrDefault(source, 0L);
    for (Entry entry : store.entries(source, seen)) {
      if (entry.number() > (fromBeginning ? begun : limits)[source]) {
        break;
      }
      seen = entry.number();
      if (entry.kind() == Kind.MESSAGE && entry.dest() == rank) {
        List<Entry> entries = byTag.computeIfAbsent(entry.tag(), key -> new ArrayList<>());
        entries.add(entry);
        entries.sort(Comparator.comparingLong(Entry::sequence));
        if (entries.size() > settings.history()) {
          entries.remove(0);
        }
      }
    }
    known.put(source, seen);
    return byTag;
  }
}
