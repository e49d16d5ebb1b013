// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist.internal.scr;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.Lineage;
import org.kintsugi.checkpoint.internal.RunOrdinal;
import org.kintsugi.checkpoint.internal.image.ComposedImage;
import org.kintsugi.checkpoint.internal.image.ImageMemory;
import org.kintsugi.checkpoint.scr.internal.ScrEngine;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.persist.PersistException;
import org.kintsugi.persist.PersistSettings;
import org.kintsugi.persist.StoreContext;
import org.kintsugi.persist.internal.PersistSession;
import org.kintsugi.persist.internal.StoreSession;

/**
 * SCR in this process, for all communicators that have it as their store: there is one SCR in a process, and it keeps two data
 * sets, so each holds what all of these communicators have stored, those that are closed by now or not made yet included.
 *
 * <p>A process's part of a data set: magic (8), number of communicators (8); for each the length of its identity (8) and of its
 * messages (8), the identity as text, the messages ({@code Replicas.records}). Everything begins on a multiple of 8.
 */
final class ScrSession {
  private static final long MAGIC = 0x31524353544e494bL; // "KINTSCR1"
  private static final long WORD = 8;
  private static final long MOST_COMMUNICATORS = 1 << 20;

  /** Hands the events of all communicators to the current session, if there is one. */
  private static final StoreSession EPOCHS = new StoreSession() {
    @Override
    public void bind(Comm newWorld) {
      ScrSession.bind(newWorld);
    }

    @Override
    public void unbind() {
      ScrSession.unbind();
    }

    @Override
    public void end() {
      ScrSession.end();
    }
  };

  private static ScrSession session;

  private final String folder;
  private final Engine engine;
  private final Lineage lineage = new Lineage(RunOrdinal.NONE);
  private Comm world;
  private final Map<String, ScrMessageStore> open = new TreeMap<>();
  private final Map<String, ByteBuffer> saved = new TreeMap<>();
  private final ImageMemory room = new ImageMemory();
  private boolean bound;
  private boolean loaded;
  private long version;

  private ScrSession(String folder) {
    this.folder = folder;
    engine = ScrEngine.in(Path.of(folder, "scr").toString(), "info " + PersistSettings.DIR);
  }

  /** That of this process, begun if need be. Local. */
  static synchronized ScrSession of(StoreContext context) {
    String stores = CheckpointConfig.STORE.value();
    if (List.of(stores.split("[,:]")).contains("scr")) {
      throw new PersistException("info " + PersistSettings.STORE + "=scr and -D" + CheckpointConfig.STORE.property() + "="
          + stores + ": there is one SCR in a process, and checkpoints have it; choose another store for one of the two");
    }
    String folder = context.settings().value(PersistSettings.DIR);
    try {
      if (session == null) {
        session = new ScrSession(folder);
        PersistSession.register(EPOCHS);
      }
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      throw new PersistException("rank " + context.rank() + " cannot use info " + PersistSettings.STORE + "=scr: "
          + e.getMessage(), e);
    }
    if (!session.folder.equals(folder)) {
      throw new PersistException("info " + PersistSettings.DIR + "=" + folder + ": another communicator of this process has SCR "
          + "in " + session.folder + ", and there is one SCR in a process");
    }
    if (!session.bound) {
      session.bindTo(PersistSession.home()); // no Reinit run, or its first use in this epoch
    }
    return session;
  }

  /** A new epoch begins. Local. */
  private static synchronized void bind(Comm world) {
    if (session != null) {
      session.bindTo(world);
    }
  }

  /** The world is not to be used any more. Local. */
  private static synchronized void unbind() {
    if (session != null) {
      session.bound = false;
    }
  }

  /** Ends the session after a success: SCR copies the last data sets, and is unloaded. Collective over the world. */
  private static synchronized void end() {
    if (session != null && session.bound) {
      session.bound = false;
      session.engine.close();
      session.room.close();
      session = null;
    }
  }

  private void bindTo(Comm newWorld) {
    world = newWorld;
    lineage.bind();
    engine.bind(newWorld);
    bound = true;
    loaded = false;
    open.clear();
    saved.clear();
  }

  /** Gets the newest data set back, once in an epoch. Collective; what goes wrong with SCR goes wrong on all processes. */
  void load() {
    if (loaded) {
      return;
    }
    loaded = true;
    PersistException failure = null;
    try {
      lineage.agree(world);
      List<Version> versions = engine.versions(lineage::accepts);
      Version newest = versions.isEmpty() ? Version.NONE : versions.get(versions.size() - 1);
      if (!newest.isNone()) {
        version = newest.number();
        try {
          take(engine.fetch(newest));
        } catch (PersistException e) {
          failure = e;
        }
      }
      engine.resume(newest);
      lineage.goOnFrom(newest, world);
    } catch (CheckpointException | IllegalArgumentException | IllegalStateException e) {
      throw new PersistException("SCR cannot give back what was stored: " + e.getMessage(), e);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void take(Buf image) {
    long address = ComposedImage.contentOf(image);
    long end = image.address() + image.count();
    long count = end - address < 2 * WORD || Memory.getLong(address) != MAGIC ? -1 : Memory.getLong(address + WORD);
    if (count < 0 || count > MOST_COMMUNICATORS) {
      throw new PersistException("SCR's data set " + version + " in " + folder + " is not of persistent communicators: give them "
          + "a folder (info " + PersistSettings.DIR + ", SCR_PREFIX) and a job (SCR_JOB_ID) of their own");
    }
    long at = address + 2 * WORD;
    for (long i = 0; i < count; i++) {
      int name = Math.toIntExact(Memory.getLong(at));
      int bytes = Math.toIntExact(Memory.getLong(at + WORD));
      String identity = Memory.getString(at + 2 * WORD, name);
      at += 2 * WORD + aligned(name);
      ByteBuffer messages = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
      Memory.copy(at, Memory.addressOf(messages), bytes);
      saved.put(identity, messages);
      at += aligned(bytes);
      if (at > end) {
        throw new PersistException("SCR's data set " + version + " in " + folder + " is damaged");
      }
    }
  }

  private static long aligned(long bytes) {
    return (bytes + WORD - 1) / WORD * WORD;
  }

  /** The messages of a communicator when it was last closed, or else those in the data set; null: none. Local. */
  ByteBuffer saved(String identity) {
    ByteBuffer messages = saved.get(identity);
    return messages == null ? null : messages.duplicate().order(messages.order());
  }

  void opened(String identity, ScrMessageStore store) {
    open.put(identity, store);
  }

  /** Local; the next data set still has what the communicator has stored. */
  void closed(String identity, ScrMessageStore store) {
    if (bound && open.remove(identity, store)) {
      saved.put(identity, store.stored());
    }
  }

  /** Whether this barrier, counted from 1, is to write a data set. Collective. */
  boolean isDue(long count, long interval) {
    return interval == 0 ? engine.needed() : count % interval == 0;
  }

  /**
   * Writes a data set. Collective.
   *
   * @param failure why this process can have no part in it; null: it has
   * @throws PersistException on processes that had no part, or could not write theirs: then the data set before it is kept
   */
  void save(PersistException failure) {
    version++;
    PersistException trouble = failure;
    ComposedImage image = ComposedImage.ofNothing(version);
    if (trouble == null) {
      try {
        image = ComposedImage.ofBytes(version, compose());
      } catch (PersistException e) {
        trouble = e;
      }
    }
    try {
      engine.begin(lineage.version(version), image, false);
      engine.end();
      engine.commit(lineage.version(version));
    } catch (CheckpointException e) {
      throw trouble != null ? trouble : new PersistException("SCR has not kept what was stored: " + e.getMessage(), e);
    }
  }

  private Buf compose() {
    open.forEach((identity, store) -> saved.put(identity, store.stored()));
    long bytes = 2 * WORD;
    for (Map.Entry<String, ByteBuffer> one : saved.entrySet()) {
      bytes += 2 * WORD + aligned(text(one.getKey()).length) + aligned(one.getValue().limit());
    }
    Buf composed = room.open(bytes);
    long at = composed.address();
    Memory.putLong(at, MAGIC);
    Memory.putLong(at + WORD, saved.size());
    at += 2 * WORD;
    for (Map.Entry<String, ByteBuffer> one : saved.entrySet()) {
      byte[] name = text(one.getKey());
      ByteBuffer messages = one.getValue();
      Memory.putLong(at, name.length);
      Memory.putLong(at + WORD, messages.limit());
      at += 2 * WORD;
      Memory.copyIn(name, Memory.arrayBase(byte[].class), at, name.length);
      at = padded(at, name.length);
      Memory.copy(Memory.addressOf(messages), at, messages.limit());
      at = padded(at, messages.limit());
    }
    return composed;
  }

  /** Where the next part begins. Clears the bytes before it, as they are saved, too. */
  private static long padded(long at, long length) {
    Memory.clear(at + length, aligned(length) - length);
    return at + aligned(length);
  }

  private static byte[] text(String identity) {
    return identity.getBytes(StandardCharsets.UTF_8);
  }
}
