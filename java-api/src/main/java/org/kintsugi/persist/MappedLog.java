// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kintsugi.mpi.internal.files.OwnerOnly;
import org.kintsugi.mpi.internal.memory.Mapping;
import org.kintsugi.mpi.internal.memory.Memory;

/**
 * One process's entries in memory that the processes of a node share (a mapped file of a RAM disk): entries in it outlive their
 * writer, whichever other processes die.
 *
 * <p>Layout: a page of header, then two halves. Records ({@link Records}) are appended to the half in use; when it is full of
 * dropped ones, the live ones are copied to the other half, which is in use from then on. One word of the header says which half
 * that is and where it ends (generation, whose parity is the half, and end): it is written last and at once, so that a reader,
 * and a successor after a SIGKILL at any instruction, sees an entry, a cut, or a batch ({@link #atOnce}) done or not at all.
 *
 * <p>Invariants: only the owner (see {@link OwnerLock}) writes. Numbers ascend. Bytes that a reader may be reading are
 * overwritten only after the generation has been raised, by a compaction or a cut: a reader that finds it changed afterwards
 * reads again.
 *
 * <p>Limit of live bytes: the size that its owner has asked for, beside the entries that were there when it began ({@link
 * #keepBeside}). So all that could be stored before a failure can be stored after it, even when the newest from before it is
 * kept for other processes.
 */
final class MappedLog implements Log {
  private static final long MAGIC = 0x314d454d544e494bL; // "KINTMEM1"
  private static final int PAGE = 4096;
  /** The offsets of the header's fields in the file. */
  private static final int MAGIC_AT = 0;
  private static final int STATE_AT = 16;
  private static final int HALF_BYTES_AT = 24;
  private static final int IDENTITY_BYTES_AT = 32;
  private static final int IDENTITY_AT = 36;

  private static final int END_BITS = 40;
  private static final long END_MASK = (1L << END_BITS) - 1;
  /** Less garbage than this is not worth a copy: it stays in the cache. */
  private static final int SMALL = 1 << 18;
  private static final int CHUNK = 1 << 18;
  /** One mapping of the file is not more than 2 GiB. */
  private static final long MAX_HALF = ((long) Integer.MAX_VALUE - PAGE) / 2 / PAGE * PAGE;
  private static final int ATTEMPTS = 1000;
  private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Path file;
  private final Records records = new Records();
  private final TreeMap<Long, Integer> offsets = new TreeMap<>(); // of live entries: where in the half in use
  private final long[] allocated = new long[2];
  private FileChannel channel;
  private Mapping mapping;
  private ByteBuffer map; // the mapping's bytes
  private ByteBuffer cursor;
  private long half;
  private long limit; // of live bytes beside older ones
  private long live;
  private long older; // live bytes that do not count
  private long olderUpTo; // entries up to this number
  private boolean filling;
  private boolean skipped; // a dropped one, in what has been read since entries() were listed
  private long generation;
  private long scanned;

  private MappedLog(Path file) {
    this.file = file;
  }

  /** For its owner: opens the log, or makes a new one. */
  static MappedLog own(Path file, String identity, long bytes) throws IOException {
    MappedLog log = new MappedLog(file);
    if (!Files.exists(file)) {
      log.create(identity, bytes);
    }
    try {
      log.open(true);
      log.requireIdentity(identity);
      log.refresh();
    } catch (IOException | PersistException e) {
      log.close();
      throw e;
    }
    log.limit = Math.min(bytes, log.half);
    log.allocated[log.inUse()] = (log.scanned + CHUNK - 1) / CHUNK * CHUNK;
    log.keepBeside();
    return log;
  }

  /** For another process of the node; null if there is none. */
  static MappedLog other(Path file) throws IOException {
    MappedLog log = new MappedLog(file);
    try {
      log.open(false);
      return log;
    } catch (NoSuchFileException none) {
      return null;
    } catch (IOException | PersistException e) {
      log.close();
      throw e;
    }
  }

  private void create(String identity, long bytes) throws IOException {
    byte[] text = identity.getBytes(StandardCharsets.UTF_8);
    long room = Math.min((2 * bytes + PAGE - 1) / PAGE * PAGE, MAX_HALF);
    ByteBuffer header = Records.buffer(PAGE);
    header.putLong(MAGIC_AT, MAGIC).putLong(HALF_BYTES_AT, room).putInt(IDENTITY_BYTES_AT, text.length);
    header.position(IDENTITY_AT);
    header.put(text).position(0);
    Path aside = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(aside);
    try (FileChannel out = OwnerOnly.open(aside, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      out.write(header);
      // Extends the file, without using memory for the gap.
      out.write(ByteBuffer.allocate(1), PAGE + 2 * room - 1);
    }
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void open(boolean writes) throws IOException {
    channel = writes ? OwnerOnly.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)
        : OwnerOnly.open(file, StandardOpenOption.READ);
    long size = channel.size();
    if (size < PAGE || size > Integer.MAX_VALUE) {
      throw new PersistException(file + " is no log of messages: it has " + size + " bytes");
    }
    mapping = Memory.map(channel, writes ? FileChannel.MapMode.READ_WRITE : FileChannel.MapMode.READ_ONLY, size);
    map = mapping.bytes().order(ByteOrder.LITTLE_ENDIAN);
    cursor = map.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    half = map.getLong(HALF_BYTES_AT);
    if (map.getLong(MAGIC_AT) != MAGIC || half <= 0 || size != PAGE + 2 * half) {
      throw new PersistException(file + " is no log of messages, or damaged");
    }
    generation = state() >>> END_BITS;
  }

  private void requireIdentity(String identity) {
    int length = map.getInt(IDENTITY_BYTES_AT);
    byte[] text = new byte[Math.max(0, Math.min(length, PAGE - IDENTITY_AT))];
    map.get(IDENTITY_AT, text);
    String found = new String(text, StandardCharsets.UTF_8);
    if (!found.equals(identity)) {
      throw StoreContext.isOfAnother(file.toString(), found, identity);
    }
  }

  private long state() {
    return (long) LONG.getVolatile(map, STATE_AT);
  }

  private void publish(long end) {
    scanned = end;
    LONG.setVolatile(map, STATE_AT, generation << END_BITS | end);
  }

  private int inUse() {
    return (int) (generation & 1);
  }

  private int base(int which) {
    return (int) (PAGE + which * half);
  }

  /** Excludes the entries that are live now from the limit: they are kept beside all that may be stored from now on. */
  void keepBeside() {
    older = live;
    olderUpTo = offsets.isEmpty() ? 0 : offsets.lastKey();
  }

  @Override
  public void append(Entry entry, ByteBuffer payload) throws IOException {
    long need = Records.length(entry.bytes());
    if (!filling) {
      makeRoom(need, Math.min(limit + older, half));
    }
    reserve(inUse(), scanned + need);
    int at = base(inUse()) + (int) scanned;
    cursor.limit(cursor.capacity()).position(at);
    cursor.put(records.header(entry, payload)).put(payload);
    offsets.put(entry.number(), (int) scanned);
    live += need;
    scanned += need;
    if (!filling) {
      publish(scanned);
    }
  }

  private void makeRoom(long need, long most) throws IOException {
    if (live + need > most) {
      throw new PersistException("entry of " + need + " bytes does not fit: " + file + " holds " + live + " bytes of " + most
          + "; raise info " + PersistSettings.MEMORY
          + " (an entry must fit beside the one that it replaces and the one from before"
          + " the last barrier)");
    }
    if (scanned + need > Math.min(half, Math.max(SMALL, 2 * live) + need)) {
      compact();
    }
  }

  /** Entries. */
  interface Filling {
    void run() throws IOException;
  }

  /**
   * Appends several entries, which become visible at once when all are there, or, if one cannot be written, not at all. They
   * have been accepted elsewhere, so only the room is checked.
   *
   * @param bytes of all their records
   */
  void atOnce(long bytes, Filling filling) throws IOException {
    makeRoom(bytes, half);
    long begin = scanned;
    long before = live;
    boolean done = false;
    this.filling = true;
    try {
      filling.run();
      done = true;
    } finally {
      this.filling = false;
      if (!done) {
        offsets.values().removeIf(offset -> offset >= begin);
        scanned = begin;
        live = before;
      }
    }
    publish(scanned);
  }

  /** Reserves memory by a write, where a lack of it is an error; in the mapping it would be a fault. */
  private void reserve(int which, long upTo) throws IOException {
    while (allocated[which] < upTo) {
      ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(CHUNK, half - allocated[which]));
      long at = base(which) + allocated[which];
      while (zeros.hasRemaining()) {
        at += channel.write(zeros, at);
      }
      allocated[which] += zeros.capacity();
    }
  }

  private void compact() throws IOException {
    int to = 1 - inUse();
    reserve(to, live); // before anything changes: there may be no memory left
    Map<Long, Integer> moved = new TreeMap<>();
    long end = 0;
    ByteBuffer from = map.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    for (Map.Entry<Long, Integer> one : offsets.entrySet()) {
      int at = base(inUse()) + one.getValue();
      long length = Records.length(map.getLong(at + 40));
      from.limit(at + (int) length).position(at);
      cursor.limit(cursor.capacity()).position(base(to) + (int) end);
      cursor.put(from);
      moved.put(one.getKey(), (int) end);
      end += length;
    }
    offsets.clear();
    offsets.putAll(moved);
    generation++;
    publish(end);
  }

  @Override
  public void drop(long number) {
    Integer offset = offsets.get(number);
    if (offset != null) {
      remove(number);
      map.putInt(base(inUse()) + offset + Records.STATE, Records.DROPPED);
    }
  }

  private void remove(long number) {
    long length = Records.length(map.getLong(base(inUse()) + offsets.remove(number) + 40));
    live -= length;
    if (number <= olderUpTo) {
      older -= length;
    }
  }

  @Override
  public void cut(long number) {
    List<Long> gone = new ArrayList<>(offsets.tailMap(number, false).keySet());
    if (gone.isEmpty()) {
      return;
    }
    gone.forEach(this::remove);
    olderUpTo = Math.min(olderUpTo, number);
    int last = offsets.isEmpty() ? -1 : offsets.lastEntry().getValue();
    long end = last < 0 ? 0 : last + Records.length(map.getLong(base(inUse()) + last + 40));
    generation += 2; // the same half, and readers begin anew
    publish(end);
  }

  /**
   * Live entries with a higher number, ascending. If the owner has dropped one meanwhile, its replacement is in the list: as
   * long as a pass finds dropped entries, another one follows, over those appended since.
   */
  @Override
  public List<Entry> entries(long after) {
    List<Entry> entries = new ArrayList<>();
    long from = after;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long known = generation;
      long state = refresh();
      if (generation != known) {
        entries.clear();
        from = after;
      }
      boolean complete = list(from, entries) && !skipped;
      skipped = false;
      long now = state();
      if (now >>> END_BITS != generation) {
        continue; // these may have been bytes of something else
      }
      if (entries.contains(null)) {
        throw new PersistException(file + " is damaged: an entry is not what was stored");
      }
      if (complete || now == state) {
        return entries;
      }
      from = offsets.isEmpty() ? from : Math.max(from, offsets.lastKey());
    }
    throw tooFast();
  }

  /**
   * Adds the live entries with higher numbers.
   *
   * @return whether none of them has been dropped meanwhile
   */
  private boolean list(long after, List<Entry> entries) {
    boolean all = true;
    for (int offset : offsets.tailMap(after, false).values()) {
      cursor.limit(cursor.capacity()).position(base(inUse()) + offset);
      if (!Records.isLive(cursor)) {
        all = false;
      } else {
        entries.add(records.parse(cursor));
      }
    }
    return all;
  }

  private PersistException tooFast() {
    return new PersistException(file + " changes faster than it can be read");
  }

  /**
   * Reads on from the end of the last reading; from the beginning if the generation is another.
   *
   * @return the state at that time
   */
  private long refresh() {
    while (true) {
      long state = state();
      if (state >>> END_BITS != generation) {
        generation = state >>> END_BITS;
        scanned = 0;
        live = 0;
        offsets.clear();
      }
      scan(state & END_MASK);
      if (state() >>> END_BITS == generation) {
        return state;
      }
    }
  }

  private void scan(long end) {
    while (scanned < end) {
      int at = base(inUse()) + (int) scanned;
      cursor.limit(cursor.capacity()).position(at);
      Entry entry = end - scanned < Records.HEADER_BYTES ? null : records.parse(cursor);
      if (entry == null) {
        if (state() >>> END_BITS != generation) {
          return; // overwritten meanwhile: the caller begins again
        }
        throw new PersistException(file + " is damaged at byte " + at);
      }
      long length = Records.length(entry.bytes());
      if (cursor.getInt(at) == Records.LIVE) {
        offsets.put(entry.number(), (int) scanned);
        live += length;
      } else {
        skipped = true;
      }
      scanned += length;
    }
  }

  /**
   *
   *
   * @return false if it is not there any more
   */
  @Override
  public boolean read(Entry entry, ByteBuffer target) {
    int position = target.position();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      refresh();
      Integer offset = offsets.get(entry.number());
      if (offset == null) {
        return false;
      }
      int at = base(inUse()) + offset;
      cursor.limit(cursor.capacity()).position(at);
      boolean same = entry.equals(records.parse(cursor));
      int sum = Records.payloadChecksum(cursor);
      cursor.position(at + Records.HEADER_BYTES);
      if (same) {
        cursor.limit(cursor.position() + (int) entry.bytes());
        target.position(position).limit(position + (int) entry.bytes());
        target.put(cursor).position(position);
      }
      if (state() >>> END_BITS == generation) {
        if (!same || records.checksum(target) != sum) {
          throw new PersistException(file + " is damaged: entry " + entry.number() + " is not what was stored");
        }
        return true;
      }
    }
    throw tooFast();
  }

  @Override
  public void close() {
    if (mapping != null) {
      mapping.close();
      mapping = null;
      map = null;
      cursor = null;
    }
    if (channel != null) {
      try {
        channel.close();
        channel = null;
      } catch (IOException e) {
        throw new PersistException("cannot close " + file + ": " + e, e);
      }
    }
  }
}
