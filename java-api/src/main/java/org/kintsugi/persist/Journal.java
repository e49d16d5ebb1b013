// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.kintsugi.persist.Entry.Kind;

/**
 * Keeps account of one process's messages on one persistent communicator: the stored messages,
 * those that are still needed, and those that were received again. Uses no MPI.
 *
 * <p>A process sees the messages that another had stored at their last meeting: when the
 * communicator was made, or in a barrier ({@code limits}). So a process that continues at once
 * after a recovery removes no message that another still has to receive.
 *
 * <p>Two sets of entries are kept for each signature (d is the depth of the history). {@code
 * settled} has the newest d from before the last meeting: others may still receive them, and with
 * recovery by rounds ({@link PersistSettings#RECOVER}) a failure takes all processes back to them.
 * {@code fresh} has the newest d from after that meeting: a failure inside the next barrier takes
 * all back to them. The end of the last round that all processes have closed is kept, and the end
 * of the next round once it is stored: until all processes have stored that, a failure takes all
 * back to the round before.
 */
final class Journal {
  private record Signature(Kind kind, int dest, int tag) {}

  /** Own entries of one signature, ascending. */
  private static final class Channel {
    private final Deque<Entry> settled = new ArrayDeque<>();
    private final Deque<Entry> fresh = new ArrayDeque<>();
    private final TreeMap<Long, Entry> all = new TreeMap<>(); // both, by sequence
    private final Signature signature;
    private long sequence;
    private long begun; // the newest sequence when the communicator was made
    private long sends; // since then

    Channel(Signature signature) {
      this.signature = signature;
    }

    void add(Entry entry) {
      fresh.add(entry);
      all.put(entry.sequence(), entry);
      sequence = entry.sequence();
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
  private final Map<Integer, TreeMap<Integer, NavigableMap<Long, Entry>>> received = new TreeMap<>();
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

  /**
   * Loads the entries that this process (or its predecessor with this rank) has stored. By rounds {@link #cutToRound} must
   * follow.
   */
  void load() {
    if (!settings.isByRounds()) {
      fill();
      return;
    }
    // Until the last round that all have is known, no entry is settled, and none may be dropped.
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
        // A store may keep dropped entries: of two with the same sequence the older one was dropped.
        while (!channel.fresh.isEmpty() && channel.fresh.peekLast().sequence() >= entry.sequence()) {
          channel.all.remove(channel.fresh.pollLast().sequence());
        }
        channel.add(entry);
      }
    }
    settle(number);
    return ends;
  }

  /** Whether this process was about to forget everything, which others may have done: {@link #clear} must follow, on all. */
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

  /** Forgets the entries that follow the end of a round; 0: all entries. */
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
    // All have this round, so no failure takes a process back to an earlier one.
    ends.forEach(this::closed);
  }

  /** The end of a newer round replaces that of the last one, which is not needed any more. */
  private void closed(Entry end) {
    Entry before = closedEnd;
    closedEnd = end;
    if (before != null) {
      drop(before);
    }
  }

  /**
   * Drops an entry that is not needed any more. If this fails, nothing stored is lost, and it is tried again with the next one.
   */
  private void drop(Entry entry) {
    undropped.add(entry);
    try {
      while (!undropped.isEmpty()) {
        store.drop(undropped.peek());
        undropped.poll();
      }
    } catch (PersistException later) {
      // An entry that is not dropped only takes space: a process that loads it sees that it is old.
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

  /** Sets the entries of each process that count as those of the beginning. */
  void begin(long[] lastNumbers) {
    begun = lastNumbers;
    limits = lastNumbers;
    channels.values().forEach(channel -> channel.begun = channel.sequence);
  }

  /** If this process dies before all have forgotten everything, its successor forgets the rest. */
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

  /** Whether this send repeats one that is stored already, in a program that runs again from its beginning. */
  boolean isRepeated(int dest, int tag) {
    Channel channel = channel(Kind.MESSAGE, dest, tag);
    return ++channel.sends <= channel.begun;
  }

  void append(Kind kind, int dest, int tag, ByteBuffer payload) {
    Channel channel = channel(kind, dest, tag);
    Entry entry = new Entry(number + 1, kind, dest, tag, channel.sequence + 1, payload.remaining());
    store.append(entry, payload);
    number++;
    channel.add(entry);
    trim(channel, channel.fresh);
  }

  private void trim(Channel channel, Deque<Entry> entries) {
    while (entries.size() > settings.history()) {
      Entry old = entries.poll();
      channel.all.remove(old.sequence());
      drop(old);
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

  /** All processes have stored the end of the round; the arguments are each one's newest entries of then. */
  void closeRound(long[] lastNumbers) {
    limits = lastNumbers;
    if (settings.isByRounds()) {
      round++;
      closed(ended);
      ended = null;
    }
    settle(number);
  }

  /** Some process could not: the journal goes back to the state before the barrier. */
  void reopenRound() {
    if (ended != null) {
      ended = null;
      store.cut(number - 1); // the number is not used again: others may have seen it
    }
  }

  private void settle(long upTo) {
    for (Channel channel : channels.values()) {
      while (!channel.fresh.isEmpty() && channel.fresh.peek().number() <= upTo) {
        channel.settled.add(channel.fresh.poll());
      }
      trim(channel, channel.settled);
    }
  }

  /** Own contributions to a collective, ascending. */
  List<Entry> contributions(int dest, int tag) {
    return new ArrayList<>(channel(Kind.COLLECTIVE, dest, tag).all.values());
  }

  /** Forgets contributions with a higher number: some process has not stored its own. */
  void forgetContributions(int dest, int tag, long beyond) {
    Channel channel = channel(Kind.COLLECTIVE, dest, tag);
    for (Deque<Entry> entries : List.of(channel.settled, channel.fresh)) {
      entries.stream().filter(entry -> entry.sequence() > beyond).forEach(store::forget);
      entries.removeIf(entry -> entry.sequence() > beyond);
    }
    channel.all.tailMap(beyond, false).clear();
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
   * @param once whether each message is received once only, and only those of the beginning
   * @return null if there is none; without a history the newest of a named source and tag is always there again, and where any
   *     will do those that have been received are passed over, until there is a newer one
   */
  Found next(int source, int tag, boolean once) {
    int first = source < 0 ? 0 : source;
    int last = source < 0 ? size - 1 : source;
    for (int from = first; from <= last; from++) {
      for (Map.Entry<Integer, NavigableMap<Long, Entry>> of : messagesOf(from, tag, once).entrySet()) {
        Found found = next(from, of.getKey(), of.getValue(), once, source >= 0 && tag >= 0);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private Found next(int source, int tag, NavigableMap<Long, Entry> entries, boolean once, boolean named) {
    if (entries.isEmpty()) {
      return null;
    }
    Cursor cursor = cursors.computeIfAbsent((long) source << 32 | tag, key -> new Cursor());
    boolean single = settings.history() == 1;
    Map.Entry<Long, Entry> next;
    if (single && !once && named) {
      next = entries.lastEntry();
    } else if (settings.isNewestFirst() && !single) {
      next = cursor.begun ? entries.lowerEntry(cursor.last) : entries.lastEntry();
    } else {
      next = cursor.begun ? entries.higherEntry(cursor.last) : entries.firstEntry();
    }
    if (next == null) {
      return null;
    }
    Entry taken = next.getValue();
    return new Found(source, taken, () -> {
      cursor.last = taken.sequence();
      cursor.begun = true;
    });
  }

  /** The number of messages of a signature, received again or not. */
  int count(int source, int tag) {
    int count = 0;
    for (int from = source < 0 ? 0 : source; from <= (source < 0 ? size - 1 : source); from++) {
      for (NavigableMap<Long, Entry> entries : messagesOf(from, tag, false).values()) {
        count += entries.size();
      }
    }
    return count;
  }

  /**
   * The entries that a process has stored for this one: by tag, then by sequence.
   *
   * @param tag negative: of all tags
   */
  private Map<Integer, NavigableMap<Long, Entry>> messagesOf(int source, int tag, boolean fromBeginning) {
    if (source != rank) {
      TreeMap<Integer, NavigableMap<Long, Entry>> byTag = messagesOfOther(source, (fromBeginning ? begun : limits)[source]);
      return tag < 0 ? byTag : byTag.containsKey(tag) ? Map.of(tag, byTag.get(tag)) : Map.of();
    }
    if (tag >= 0) {
      Channel channel = channels.get(new Signature(Kind.MESSAGE, rank, tag));
      return channel == null ? Map.of() : Map.of(tag, newest(channel, fromBeginning));
    }
    TreeMap<Integer, NavigableMap<Long, Entry>> mine = new TreeMap<>();
    for (Channel channel : channels.values()) {
      if (channel.signature.kind == Kind.MESSAGE && channel.signature.dest == rank) {
        mine.put(channel.signature.tag, newest(channel, fromBeginning));
      }
    }
    return mine;
  }

  /** The newest entries, as many as the history has, of those of the beginning or of all. */
  private NavigableMap<Long, Entry> newest(Channel channel, boolean fromBeginning) {
    NavigableMap<Long, Entry> entries = fromBeginning ? channel.all.headMap(channel.begun, true) : channel.all;
    if (settings.history() >= channel.all.size()) {
      return entries;
    }
    long from = entries.descendingKeySet().stream().limit(settings.history()).reduce((newer, older) -> older).orElse(0L);
    return entries.tailMap(from, true);
  }

  /** Reads on up to a number; all entries up to it can be read. */
  private TreeMap<Integer, NavigableMap<Long, Entry>> messagesOfOther(int source, long limit) {
    TreeMap<Integer, NavigableMap<Long, Entry>> byTag = received.computeIfAbsent(source, key -> new TreeMap<>());
    long seen = known.getOrDefault(source, 0L);
    if (seen >= limit) {
      return byTag;
    }
    for (Entry entry : store.entries(source, seen)) {
      if (entry.number() > limit) {
        break;
      }
      if (entry.kind() == Kind.MESSAGE && entry.dest() == rank) {
        NavigableMap<Long, Entry> entries = byTag.computeIfAbsent(entry.tag(), key -> new TreeMap<>());
        entries.put(entry.sequence(), entry);
        if (entries.size() > settings.history()) {
          entries.pollFirstEntry();
        }
      }
    }
    known.put(source, limit);
    return byTag;
  }
}
