// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.kintsugi.mpi.internal.files.LockOwner;
import org.kintsugi.mpi.internal.files.OwnerOnly;

/**
 * One process's entries in a file: a header, then records ({@link Records}), each appended by one write. A SIGKILL in the middle
 * of a write leaves the beginning of a record at the end, which readers skip, and the next owner cuts off: only that message is
 * lost. Any other change to the bytes is damage, and never skipped: an older message would be taken for the newest. When most of
 * the file is dropped entries, the live ones are written to a new file that replaces it.
 *
 * <p>Header: magic (8), length of the identity (4), CRC-32C of the identity (4), generation (8), the identity, zeros up to a
 * multiple of 8. Readers go on from the end that they know. They begin anew when the file is another one, and when the owner has
 * raised the generation: it does so whenever it has cut something off, and, as it may have died in between, when it opens the
 * log.
 */
final class FileLog implements Log {
  private static final long MAGIC = 0x32474f4c544e494bL; // "KINTLOG2"
  /** The offsets of the header's fields in the file. */
  private static final int MAGIC_AT = 0;
  private static final int IDENTITY_BYTES_AT = 8;
  private static final int IDENTITY_CHECKSUM_AT = 12;
  private static final int GENERATION_AT = 16;
  private static final int IDENTITY_AT = 24;
  private static final int MAX_IDENTITY = 4096;
  private static final String ASIDE = ".new-";
  private static final int PAGE = 4096;
  private static final long SMALL = 4L << 20;
  private static final String REPAIR = ": bring back what it was, or use another key to begin anew";

  private record Place(Entry entry, long at) {}

  private final Path file;
  private final Records records = new Records();
  private final ByteBuffer header = Records.buffer(Records.HEADER_BYTES);
  private final TreeMap<Long, Place> live = new TreeMap<>();
  private ByteBuffer room = Records.buffer(PAGE);
  private FileChannel channel;
  private Object fileKey;
  private long liveBytes;
  private long end;
  private final DiskState disk = new DiskState();
  private long generation;
  private long seen; // the highest number that was read, dropped or not

  private FileLog(Path file) {
    this.file = file;
  }

  /** For its owner: opens the log, or makes a new one. */
  static FileLog own(Path file, String identity) throws IOException {
    return own(file, identity, false);
  }

  /** As {@link #own}, but copies the file, as an owner that was declared failed may write to it. */
  static FileLog ownCopy(Path file, String identity) throws IOException {
    return own(file, identity, true);
  }

  private static FileLog own(Path file, String identity, boolean isShared) throws IOException {
    FileLog log = new FileLog(file);
    log.sweep();
    if (!Files.exists(file)) {
      try (FileChannel out = log.create(identity)) {
        out.force(true);
      }
      log.replace();
      log.forceFolder();
    }
    log.channel = OwnerOnly.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      String found = log.readHeader();
      if (!found.equals(identity)) {
        throw StoreContext.isOfAnother(file.toString(), found, identity);
      }
      log.fileKey = log.keyNow();
      log.scan(!isShared, Long.MAX_VALUE);
      if (isShared) {
        log.compact();
      }
      log.raiseGeneration();
      return log;
    } catch (IOException | PersistException e) {
      log.close();
      throw e;
    }
  }

  /** For another process; null if there is none. */
  static FileLog other(Path file) throws IOException {
    FileLog log = new FileLog(file);
    try {
      log.refresh(Long.MAX_VALUE);
      return log;
    } catch (NoSuchFileException none) {
      return null;
    } catch (IOException | PersistException e) {
      log.close();
      throw e;
    }
  }

  private Object keyNow() throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /** For the owner: requires that its file is still the one under this name. */
  void requireInPlace() throws IOException {
    Object key;
    try {
      key = keyNow();
    } catch (NoSuchFileException e) {
      throw new PersistException(
          file + " was removed while it was in use: what was stored in it is lost; end the run, and begin anew "
              + "with a folder that stays",
          e);
    }
    if (key != null && !key.equals(fileKey)) {
      throw new PersistException(
          file + " was replaced while it was in use: what was stored since is lost; does another job use the "
              + "folder?");
    }
  }

  /**
   * For processes other than the owner: reads the entries that have been appended meanwhile.
   *
   * @param whole the last entry that the owner has written completely: later ones may be in writing, and are not checked
   * @return whether it is there, or was
   */
  boolean refresh(long whole) throws IOException {
    Object key = keyNow();
    if (channel == null || key != null && !key.equals(fileKey)) {
      close();
      channel = OwnerOnly.open(file, StandardOpenOption.READ);
      fileKey = key;
      beginAnew();
    } else if (generationNow() != generation) {
      beginAnew();
    }
    scan(false, whole);
    return seen >= whole;
  }

  /** The number of the newest entry; 0: there is none. */
  long last() {
    return live.isEmpty() ? 0 : live.lastKey();
  }

  private void beginAnew() throws IOException {
    seen = 0;
    live.clear();
    liveBytes = 0;
    readHeader();
  }

  private long generationNow() throws IOException {
    header.clear().limit(Long.BYTES);
    return read(header, GENERATION_AT) ? header.getLong(0) : generation;
  }

  private void raiseGeneration() throws IOException {
    generation++;
    write(channel, Records.buffer(Long.BYTES).putLong(0, generation), GENERATION_AT);
  }

  /**
   * The path at which a new log is made. Each process has its own path, because a process that was
   * declared failed may be making a new log, too.
   */
  private Path aside() {
    return file.resolveSibling(file.getFileName() + ASIDE + LockOwner.now().epoch() + "-" + ProcessHandle.current().pid());
  }

  /**
   * Removes files that earlier owners were making when they ended; an owner that lives on finds its own gone, and keeps its log.
   */
  private void sweep() throws IOException {
    try (DirectoryStream<Path> left =
        Files.newDirectoryStream(file.toAbsolutePath().getParent(), file.getFileName() + ASIDE + "*")) {
      for (Path one : left) {
        Files.deleteIfExists(one);
      }
    }
  }

  private FileChannel create(String identity) throws IOException {
    byte[] text = identity.getBytes(StandardCharsets.UTF_8);
    ByteBuffer name = ByteBuffer.allocateDirect(text.length).put(text).flip();
    ByteBuffer bytes = Records.buffer(IDENTITY_AT + (text.length + 7 & -8));
    bytes.putLong(MAGIC_AT, MAGIC).putInt(IDENTITY_BYTES_AT, text.length).putInt(IDENTITY_CHECKSUM_AT, records.checksum(name));
    bytes.putLong(GENERATION_AT, generation).position(IDENTITY_AT).put(name).clear();
    FileChannel out = OwnerOnly.open(aside(), StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    try {
      write(out, bytes, 0);
      return out;
    } catch (IOException e) {
      out.close();
      throw e;
    }
  }

  private void replace() throws IOException {
    Files.move(aside(), file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void forceFolder() throws IOException {
    OwnerOnly.syncFolder(file.toAbsolutePath().getParent());
  }

  private static void write(FileChannel out, ByteBuffer bytes, long at) throws IOException {
    long to = at;
    while (bytes.hasRemaining()) {
      to += out.write(bytes, to);
    }
  }

  private boolean read(ByteBuffer into, long at) throws IOException {
    long from = at;
    while (into.hasRemaining()) {
      int read = channel.read(into, from);
      if (read < 0) {
        return false;
      }
      from += read;
    }
    into.flip();
    return true;
  }

  private String readHeader() throws IOException {
    ByteBuffer fixed = Records.buffer(IDENTITY_AT);
    if (!read(fixed, 0) || fixed.getLong(MAGIC_AT) != MAGIC) {
      throw new PersistException(
          file + " is no log of messages: " + (channel.size() == 0 ? "it is empty" : "foreign or damaged") + REPAIR);
    }
    int length = fixed.getInt(IDENTITY_BYTES_AT);
    ByteBuffer text = Records.buffer(Math.max(0, Math.min(length, MAX_IDENTITY)));
    if (length != text.capacity() || !read(text, IDENTITY_AT) || records.checksum(text) != fixed.getInt(IDENTITY_CHECKSUM_AT)) {
      throw new PersistException(file + " is damaged in its header" + REPAIR);
    }
    end = IDENTITY_AT + (length + 7L & -8L);
    generation = fixed.getLong(GENERATION_AT);
    byte[] name = new byte[length];
    text.get(name);
    return new String(name, StandardCharsets.UTF_8);
  }

  /** Reads on from the end that is known. */
  private void scan(boolean owns, long upTo) throws IOException {
    long size = channel.size();
    while (end < size) {
      header.clear();
      boolean whole = end + Records.HEADER_BYTES <= size && read(header, end);
      Entry entry = whole ? records.parse(header) : null;
      if (whole && entry == null && seen >= upTo) {
        return;
      }
      if (whole && entry == null) {
        throw new PersistException(file + " is damaged at byte " + end + REPAIR);
      }
      if (!whole || end + Records.length(entry.bytes()) > size) {
        if (owns) {
          channel.truncate(end);
        }
        return; // the write that a failure has interrupted, or one that is under way
      }
      if (Records.isLive(header)) {
        put(entry, end);
      }
      seen = Math.max(seen, entry.number());
      end += Records.length(entry.bytes());
    }
  }

  private ByteBuffer room(int bytes) {
    if (room.capacity() < bytes) {
      room = Records.buffer(Math.max(bytes, 2 * room.capacity()));
    }
    return room.clear().limit(bytes);
  }

  private void put(Entry entry, long at) {
    live.put(entry.number(), new Place(entry, at));
    liveBytes += Records.length(entry.bytes());
  }

  @Override
  public void append(Entry entry, ByteBuffer payload) throws IOException {
    long length = Records.length(entry.bytes());
    ByteBuffer record = room((int) length);
    record.put(records.header(entry, payload)).put(payload);
    while (record.position() < length) {
      record.put((byte) 0);
    }
    record.flip();
    try {
      write(channel, record, end);
    } catch (IOException e) {
      // A part of a record must not stand before the next one.
      channel.truncate(end);
      throw e;
    }
    put(entry, end);
    end += length;
    disk.lacks(length);
  }

  @Override
  public void drop(long number) throws IOException {
    Place place = live.remove(number);
    if (place != null) {
      liveBytes -= Records.length(place.entry.bytes());
      if (end > SMALL && end > 4 * liveBytes) {
        tryToCompact();
      }
    }
  }

  /** Without space for it nothing is lost: the file stays as it is, and the next drop tries again. */
  private void tryToCompact() throws IOException {
    requireInPlace();
    try {
      compact();
    } catch (IOException e) {
      // The file is as it was.
    } finally {
      Files.deleteIfExists(aside());
    }
  }

  /** As {@link #drop}, and in the file as well: a process that opens it does not see the entry, but knows that it was there. */
  void forget(long number) throws IOException {
    Place place = live.get(number);
    if (place != null) {
      write(channel, Records.buffer(Integer.BYTES).putInt(0, Records.DROPPED), place.at + Records.STATE);
      disk.lacks(Integer.BYTES);
      live.remove(number);
      liveBytes -= Records.length(place.entry.bytes());
    }
  }

  private void compact() throws IOException {
    String identity = readHeaderKeepingEnd();
    Files.deleteIfExists(aside());
    List<Place> moved = new ArrayList<>();
    long to;
    try (FileChannel out = create(identity)) {
      to = out.size();
      for (Place place : live.values()) {
        long length = Records.length(place.entry.bytes());
        ByteBuffer record = room((int) length);
        if (!read(record, place.at)) {
          throw new PersistException(file + " is shorter than it was");
        }
        if (disk.isUnsure() && !records.isWhole(record, place.entry)) {
          throw damaged(place); // what the disk has refused may be gone from memory, too
        }
        write(out, record, to);
        moved.add(new Place(place.entry, to));
        to += length;
      }
      out.force(true);
    }
    FileChannel next = OwnerOnly.open(aside(), StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      // This process may have been declared failed: then it must not replace its successor's file.
      requireInPlace();
      replace();
    } catch (IOException | PersistException e) {
      next.close();
      throw e;
    }
    // From here on this file is the log, whatever fails.
    FileChannel old = channel;
    channel = next;
    end = to;
    moved.forEach(place -> live.put(place.entry.number(), place));
    disk.doubt(); // until it has the file under this name
    fileKey = keyNow();
    old.close();
    forceFolder();
    disk.hasAll();
  }

  private PersistException damaged(Place place) {
    return new PersistException(file + " is damaged: the bytes of entry " + place.entry.number() + " at byte " + place.at
        + " are not those that were stored");
  }

  private String readHeaderKeepingEnd() throws IOException {
    long known = end;
    String identity = readHeader();
    end = known;
    return identity;
  }

  /** For the owner: entries with a higher number are gone, in the file as well. */
  @Override
  public void cut(long number) throws IOException {
    live.values().removeIf(place -> place.entry.number() > number);
    liveBytes = live.values().stream().mapToLong(place -> Records.length(place.entry.bytes())).sum();
    // Dropped ones, too, which are live to a process that opens the file.
    readHeader();
    long from = end;
    long size = channel.size();
    end = size;
    while (from < size) {
      header.clear();
      Entry entry = read(header, from) ? records.parse(header) : null;
      // The number of a forgotten entry may have been used again.
      if (entry == null || entry.number() > number && Records.isLive(header)) {
        break;
      }
      from += Records.length(entry.bytes());
    }
    if (from < size) {
      channel.truncate(from);
      end = from;
      raiseGeneration();
      disk.force(channel, true);
    }
  }

  /** @throws IOException as well where an earlier force has failed, and the entries cannot be written to a new file either */
  void force() throws IOException {
    if (disk.isUnsure()) {
      try {
        compact();
      } finally {
        Files.deleteIfExists(aside());
      }
    } else if (disk.isBehind()) {
      disk.force(channel, false);
    }
  }

  @Override
  public List<Entry> entries(long after) {
    List<Entry> entries = new ArrayList<>();
    live.tailMap(after, false).values().forEach(place -> entries.add(place.entry));
    return entries;
  }

  /** @return false if it is not there any more */
  @Override
  public boolean read(Entry entry, ByteBuffer target) throws IOException {
    Place place = live.get(entry.number());
    if (place == null) {
      return false;
    }
    header.clear();
    int position = target.position();
    target.limit(position + (int) entry.bytes());
    boolean whole = read(header, place.at) && entry.equals(records.parse(header));
    int sum = whole ? Records.payloadChecksum(header) : 0;
    if (whole && entry.bytes() > 0) {
      long from = place.at + Records.HEADER_BYTES;
      while (whole && target.hasRemaining()) {
        int read = channel.read(target, from);
        whole = read > 0;
        from += read;
      }
    }
    target.position(position);
    if (!whole || records.checksum(target) != sum) {
      throw damaged(place);
    }
    return true;
  }

  @Override
  public void close() {
    try {
      if (channel != null) {
        channel.close();
        channel = null;
      }
    } catch (IOException e) {
      throw new PersistException("cannot close " + file + ": " + e, e);
    }
  }
}
