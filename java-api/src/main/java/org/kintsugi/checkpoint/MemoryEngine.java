// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.MpiConfig;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;

/**
 * Own memory and a partner's memory, on another node if there is one: survives the death of any one process (Reinit++ paper,
 * section 4) or of any one node between two saves.
 *
 * <p>Protocol of a save: copy to a free slot of its own, then one exchange with the {@link Partners}: the own image goes to its
 * holder, and an image to hold comes in. A slot is marked with its version only when its bytes are all there, and not if its
 * owner could not compose it. Restoring: all tell on which node they are, which versions they have of their own and what they
 * hold for whom; the newest that is everywhere to be had counts; who lacks it gets it from a holder, and then every holder by
 * the new placement that lacks the copy it should hold gets it, so that the next failure finds two copies again. What was held
 * by the old placement stays until all have agreed that this is done, so a failure in the middle of it costs nothing either.
 */
final class MemoryEngine implements Engine {
  private static final int SIZE_TAG = 1;
  private static final int IMAGE_TAG = 2;
  /** MPI counts up to 2^31 - 1: an image goes in parts of so many bytes. */
  private static final long PART_BYTES = 1L << 30;

  /** What a rank tells: its node, the version it knows to be committed, those of its own, and held ones each with its owner. */
  private static final int NODE = 0;
  private static final int COMMITTED = 1;
  private static final int FIRST_OWN = 2;
  private static final int OWN_SLOTS = 2;
  private static final int FIRST_HELD = FIRST_OWN + OWN_SLOTS;

  /** One image in memory. */
  private static final class Slot {
    private long version = NONE;
    private int owner;
    private final Room room = new Room();

    /** Room for an image that is about to be written; what was there is gone. */
    Buf open(long size) {
      version = NONE;
      return room.open(size);
    }

    Buf image() {
      return room.image();
    }

    /** Leaves the memory to the requests that refer to it. */
    void abandon() {
      version = NONE;
      room.abandon();
    }
  }

  private final long node;
  private final List<Slot> own = new ArrayList<>();
  private final List<Slot> held = new ArrayList<>();
  private final Buf sizes = Buf.ofLongs(2);
  private long committed = NONE;
  private Slot writtenOwn;
  private Slot writtenHeld;
  private long writtenVersion;
  private boolean isOwnVoid;
  private boolean isHeldVoid;
  private final List<Request> incoming = new ArrayList<>();
  private final List<Request> outgoing = new ArrayList<>();

  /** When versions were last looked for. */
  private Told told = Told.nothing();
  /** Of how many held images each rank told: more than two after failures that have changed the placement. */
  private int heldTold;
  private Comm world;
  private Partners partners;
  private int worldSize;
  private int worldRank;

  /** For a process on the node of that name. */
  MemoryEngine(String nodeName) {
    node = Partners.fingerprint(nodeName);
  }

  @Override
  public void bind(Comm newWorld) {
    if (world != null && WorldChange.isOfOtherRanks(newWorld, worldSize, worldRank, committed != NONE)) {
      committed = NONE;
      forgetAfter(NONE);
    }
    if (!incoming.isEmpty() || !outgoing.isEmpty()) {
      // Cut off by a failure, and what was on its way may still arrive: nobody writes to these two again.
      writtenOwn.abandon();
      writtenHeld.abandon();
      incoming.clear();
      outgoing.clear();
    }
    world = newWorld;
    worldSize = newWorld.size();
    worldRank = newWorld.rank();
    partners = null;
  }

  /** The slot with an owner's image of a version; null if there is none. */
  private static Slot find(List<Slot> slots, long version, int owner) {
    for (Slot slot : slots) {
      if (slot.version == version && slot.owner == owner) {
        return slot;
      }
    }
    return null;
  }

  /** A slot that may be overwritten: none with the committed version. */
  private Slot free(List<Slot> slots) {
    for (Slot slot : slots) {
      if (slot.version != committed || committed == NONE) {
        return slot;
      }
    }
    Slot added = new Slot();
    slots.add(added);
    return added;
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String begin(long version, Image image, boolean aside) {
    if (partners == null) {
      tell();
    }
    writtenVersion = version;
    writtenOwn = free(own);
    isOwnVoid = image.isVoid();
    Buf copy = writtenOwn.open(image.bytes());
    if (worldSize == 1) {
      image.copyTo(copy);
      return name();
    }
    int holder = partners.holderOf(worldRank);
    int owner = partners.ownerAt(worldRank);
    writtenHeld = free(held);
    sizes.putLong(0, isOwnVoid ? -copy.count() : copy.count());
    world.sendRecv(sizes.slice(0, 1), holder, SIZE_TAG, sizes.slice(1, 1), owner, SIZE_TAG);
    writtenHeld.owner = owner;
    // Before anything can come: what has come already MPI would fetch in here, and it is to do that in the background.
    isHeldVoid = sizes.getLong(1) < 0;
    for (Buf part : parts(writtenHeld.open(Math.abs(sizes.getLong(1))))) {
      incoming.add(world.iRecv(part, owner, IMAGE_TAG));
    }
    image.copyTo(copy);
    for (Buf part : parts(copy)) {
      outgoing.add(world.iSend(part, holder, IMAGE_TAG));
    }
    return name();
  }

  @Override
  public void end() {
    if (worldSize > 1) {
      await(incoming);
      await(outgoing);
      writtenHeld.version = isHeldVoid ? NONE : writtenVersion;
    }
    writtenOwn.owner = worldRank;
    writtenOwn.version = isOwnVoid ? NONE : writtenVersion;
  }

  private static void await(List<Request> requests) {
    for (Request request : requests) {
      request.waitFor();
    }
    requests.clear();
  }

  private static List<Buf> parts(Buf image) {
    List<Buf> parts = new ArrayList<>();
    for (long at = 0; at < image.count(); at += PART_BYTES) {
      parts.add(image.slice(at, Math.min(PART_BYTES, image.count() - at)));
    }
    return parts;
  }

  @Override
  public void commit(long version) {
    committed = version;
    // There were more while the placement changed.
    for (int i = held.size() - 1; i >= 0 && held.size() > 2; i--) {
      if (held.get(i).version != version) {
        held.remove(i).room.close();
      }
    }
  }

  /** What each rank has. Collective. */
  private void tell() {
    heldTold = (int) world.allReduce((long) held.size(), Op.MAX);
    long[] mine = new long[FIRST_HELD + 2 * heldTold];
    mine[NODE] = node;
    mine[COMMITTED] = committed;
    for (int i = 0; i < OWN_SLOTS; i++) {
      mine[FIRST_OWN + i] = i < own.size() ? own.get(i).version : NONE;
    }
    for (int i = 0; i < heldTold; i++) {
      mine[FIRST_HELD + 2 * i] = i < held.size() ? held.get(i).version : NONE;
      mine[FIRST_HELD + 2 * i + 1] = i < held.size() ? held.get(i).owner : -1;
    }
    told = Told.byAll(world, mine);
    partners = Partners.of(told.ofAll(NODE));
  }

  @Override
  public long[] versions() {
    tell();
    long known = NONE;
    TreeSet<Long> complete = new TreeSet<>();
    for (int rank = 0; rank < worldSize; rank++) {
      known = Math.max(known, told.of(rank, COMMITTED));
      for (int i = 0; i < OWN_SLOTS; i++) {
        addIfComplete(told.of(rank, FIRST_OWN + i), complete);
      }
      for (int i = 0; i < heldTold; i++) {
        addIfComplete(told.of(rank, FIRST_HELD + 2 * i), complete);
      }
    }
    if (complete.isEmpty() && known != NONE && worldRank == 0) {
      // Not an exception: the program can go on, from its beginning, and gets the same answer later. But it must be known.
      System.err.println("kintsugi: version " + known + " is lost: the memory of rank(s) " + lost(known)
          + " is gone together with every copy of it, because processes died that held copies for each other (with two nodes "
          + "lost, or one that had more than half of all ranks, that must be). What no other level has begins anew. "
          + "With -D" + MpiConfig.CHECKPOINT_STORE.property() + "=memory,file:10 every tenth version would outlive that");
    }
    return complete.stream().mapToLong(Long::longValue).toArray();
  }

  private void addIfComplete(long version, TreeSet<Long> complete) {
    if (version != NONE && lost(version).isEmpty()) {
      complete.add(version);
    }
  }

  /** The ranks of whose image of a version nobody has a copy. */
  private List<Integer> lost(long version) {
    List<Integer> lost = new ArrayList<>();
    for (int rank = 0; rank < worldSize; rank++) {
      if (!isOwn(version, rank) && firstHolder(version, rank) < 0) {
        lost.add(rank);
      }
    }
    return lost;
  }

  private boolean isOwn(long version, int rank) {
    return told.has(rank, FIRST_OWN, OWN_SLOTS, version);
  }

  private boolean isHeldAt(long version, int holder, int owner) {
    for (int i = 0; i < heldTold; i++) {
      int field = FIRST_HELD + 2 * i;
      if (told.of(holder, field) == version && told.of(holder, field + 1) == owner) {
        return true;
      }
    }
    return false;
  }

  private int firstHolder(long version, int owner) {
    for (int rank = 0; rank < worldSize; rank++) {
      if (isHeldAt(version, rank, owner)) {
        return rank;
      }
    }
    return -1;
  }

  /** Back to the owners that lost it. All go through the owners in the same order, so nobody waits in a circle. */
  private void giveBack(long version) {
    for (int owner = 0; owner < worldSize; owner++) {
      if (isOwn(version, owner)) {
        continue;
      }
      int holder = firstHolder(version, owner);
      if (holder == worldRank) {
        Buf image = find(held, version, owner).image();
        world.send(Buf.of(image.count()), owner, SIZE_TAG);
        for (Buf part : parts(image)) {
          world.send(part, owner, IMAGE_TAG);
        }
      } else if (owner == worldRank) {
        receive(free(own), version, owner, holder);
      }
    }
  }

  /** To the holders by the placement of now that lack it: one exchange, all at once. */
  private void replicate(long version) {
    int holder = partners.holderOf(worldRank);
    int owner = partners.ownerAt(worldRank);
    List<Request> sent = new ArrayList<>();
    if (!isHeldAt(version, holder, worldRank)) {
      Buf image = find(own, version, worldRank).image();
      sizes.putLong(0, image.count());
      sent.add(world.iSend(sizes.slice(0, 1), holder, SIZE_TAG));
      for (Buf part : parts(image)) {
        sent.add(world.iSend(part, holder, IMAGE_TAG));
      }
    }
    if (!isHeldAt(version, worldRank, owner)) {
      receive(free(held), version, owner, owner);
    }
    await(sent);
  }

  private void receive(Slot slot, long version, int owner, int source) {
    long[] bytes = new long[1];
    world.recv(Buf.of(bytes), source, SIZE_TAG);
    for (Buf part : parts(slot.open(bytes[0]))) {
      world.recv(part, source, IMAGE_TAG);
    }
    slot.owner = owner;
    slot.version = version;
  }

  @Override
  public Buf fetch(long version) {
    committed = version;
    giveBack(version);
    if (worldSize > 1) {
      replicate(version);
    }
    return find(own, version, worldRank).image();
  }

  @Override
  public void resume(long version) {
    committed = find(own, version, worldRank) == null ? NONE : version;
    forgetAfter(version);
    if (committed != NONE && worldSize > 1) {
      forgetOlderPlacements();
    }
  }

  /** All have agreed that every rank has fetched this version: every copy is where the placement of now wants it. */
  private void forgetOlderPlacements() {
    int owner = partners.ownerAt(worldRank);
    for (Slot slot : held) {
      if (slot.version == committed && slot.owner != owner) {
        slot.version = NONE;
      }
    }
  }

  private void forgetAfter(long version) {
    forget(slotVersion -> slotVersion > version);
  }

  @Override
  public void drop(long version) {
    forget(slotVersion -> slotVersion == version);
    if (committed == version) {
      committed = NONE;
      for (Slot slot : own) {
        committed = Math.max(committed, slot.version);
      }
    }
  }

  private void forget(LongPredicate what) {
    for (List<Slot> slots : List.of(own, held)) {
      for (Slot slot : slots) {
        if (what.test(slot.version)) {
          slot.version = NONE;
        }
      }
    }
  }

  @Override
  public void close() {
    for (List<Slot> slots : List.of(own, held)) {
      slots.forEach(slot -> slot.room.close());
      slots.clear();
    }
  }
}
