// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.util.OptionalLong;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/**
 * Own memory and the next rank's memory: survives the death of any one process between two saves (Reinit++ paper,
 * section 4).
 *
 * <p>Protocol of a save: copy to the own slot, then one exchange around the ring: to rank + 1 goes the own image, from
 * rank - 1 comes the image that is held for it. A slot is marked with its version only when its bytes are all there.
 * Restoring: all tell which versions they have of their own and hold for the rank before them; the newest that is
 * everywhere to be had counts; who lacks it gets it from rank + 1, and then every holder that lacks the copy it should hold
 * gets it, so that the next failure finds two copies again.
 */
final class MemoryStore implements CheckpointStore {
  private static final int SIZE_TAG = 1;
  private static final int IMAGE_TAG = 2;
  private static final long NONE = Long.MIN_VALUE;

  /** One image in memory; the buffer only grows. */
  private static final class Slot {
    private long version = NONE;
    private Buf room = Buf.ofBytes(0);
    private long bytes;

    /** Room for an image that is about to be written; what was there is gone. */
    Buf open(long size) {
      version = NONE;
      if (room.count() < size) {
        room.close();
        room = Buf.ofBytes(size);
      }
      bytes = size;
      return image();
    }

    Buf image() {
      return room.slice(0, bytes);
    }
  }

  private final Slot[] own = {new Slot(), new Slot()};
  private final Slot[] held = {new Slot(), new Slot()};
  private final Buf sizes = Buf.ofLongs(2);
  private long committed = NONE;
  private Comm world;
  private int worldSize;
  private int worldRank;

  @Override
  public void bind(Comm newWorld) {
    // A world of another size has other neighbours and other ranks: what was kept belongs to nobody in it.
    if (world != null && (newWorld.size() != worldSize || newWorld.rank() != worldRank)) {
      committed = NONE;
      forgetNewer(own);
      forgetNewer(held);
    }
    world = newWorld;
    worldSize = newWorld.size();
    worldRank = newWorld.rank();
  }

  private int next() {
    return (world.rank() + 1) % world.size();
  }

  private int previous() {
    return (world.rank() + world.size() - 1) % world.size();
  }

  private static Slot find(Slot[] slots, long version) {
    return slots[0].version == version ? slots[0] : slots[1].version == version ? slots[1] : null;
  }

  /** The slot that may be overwritten: not the committed one. */
  private Slot free(Slot[] slots) {
    return slots[0].version == committed && committed != NONE ? slots[1] : slots[0];
  }

  @Override
  public void write(long version, Buf image) {
    Slot mine = free(own);
    Images.copy(image, mine.open(image.count()));
    Slot theirs = free(held);
    if (world.size() > 1) {
      sizes.putLong(0, image.count());
      world.sendRecv(sizes.slice(0, 1), next(), SIZE_TAG, sizes.slice(1, 1), previous(), SIZE_TAG);
      Buf room = theirs.open(sizes.getLong(1));
      world.sendRecv(mine.image(), next(), IMAGE_TAG, room, previous(), IMAGE_TAG);
      theirs.version = version;
    }
    mine.version = version;
  }

  @Override
  public void commit(long version) {
    committed = version;
  }

  @Override
  public OptionalLong newestComplete() {
    int size = world.size();
    long[] mine = {own[0].version, own[1].version, held[0].version, held[1].version};
    long[] all = new long[4 * size];
    world.allGather(Buf.of(mine), Buf.of(all));
    long newest = NONE;
    for (long candidate : all) {
      if (candidate > newest && isComplete(candidate, all, size)) {
        newest = candidate;
      }
    }
    committed = newest;
    forgetNewer(own);
    forgetNewer(held);
    if (newest == NONE) {
      return OptionalLong.empty();
    }
    replicate(newest, all, size);
    return OptionalLong.of(newest);
  }

  private static boolean isOwn(long version, long[] all, int rank) {
    return all[4 * rank] == version || all[4 * rank + 1] == version;
  }

  /** Whether the rank after this one holds it; alone in the world there is no such rank. */
  private static boolean isHeldFor(long version, long[] all, int rank, int size) {
    int holder = (rank + 1) % size;
    return size > 1 && (all[4 * holder + 2] == version || all[4 * holder + 3] == version);
  }

  private static boolean isComplete(long version, long[] all, int size) {
    for (int rank = 0; rank < size; rank++) {
      if (!isOwn(version, all, rank) && !isHeldFor(version, all, rank, size)) {
        return false;
      }
    }
    return true;
  }

  private void forgetNewer(Slot[] slots) {
    for (Slot slot : slots) {
      if (slot.version > committed) {
        slot.version = NONE;
      }
    }
  }

  private void replicate(long version, long[] all, int size) {
    int me = world.rank();
    // First back to the owners that lost it. Around a ring of copies each transfer has its source ready: it is held.
    if (!isOwn(version, all, previous()) && size > 1) {
      Buf image = find(held, version).image();
      world.send(Buf.of(image.count()), previous(), SIZE_TAG);
      world.send(image, previous(), IMAGE_TAG);
    }
    if (!isOwn(version, all, me)) {
      receive(free(own), version, next());
    }
    // Then to the holders that lost what they held.
    if (size > 1 && !isHeldFor(version, all, me, size)) {
      Buf image = find(own, version).image();
      world.send(Buf.of(image.count()), next(), SIZE_TAG);
      world.send(image, next(), IMAGE_TAG);
    }
    if (size > 1 && !isHeldFor(version, all, previous(), size)) {
      receive(free(held), version, previous());
    }
  }

  private void receive(Slot slot, long version, int source) {
    long[] bytes = new long[1];
    world.recv(Buf.of(bytes), source, SIZE_TAG);
    world.recv(slot.open(bytes[0]), source, IMAGE_TAG);
    slot.version = version;
  }

  @Override
  public Buf fetch(long version) {
    return find(own, version).image();
  }
}
