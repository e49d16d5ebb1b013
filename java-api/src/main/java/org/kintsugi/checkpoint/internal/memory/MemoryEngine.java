// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.Image;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.GatheredNumbers;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.internal.collective.Partners;
import org.kintsugi.runtime.Setting;

/**
 * Own memory and a partner's memory, on another node if there is one: survives the failure of any one process (Reinit++ paper,
 * section 4) or of any one node between two saves.
 *
 * <p>A save copies the image to a free slot of this rank, then makes one exchange with the {@link Partners}: this rank's image
 * goes to its holder, and the image that it holds for another comes in. A slot gets its version only when all bytes are there,
 * and not if its owner could not compose the image.
 *
 * <p>A restore: all ranks gather their node, the versions of their own, and the versions that they hold for others. The newest
 * version that is available for every rank counts. A rank that lacks its image gets it from a holder. Then every holder of the
 * new placement that lacks its copy gets it, so that the next failure finds two copies again. Copies of the old placement stay
 * until all have agreed that this is done, so a failure in between loses nothing.
 */
public final class MemoryEngine implements Engine {
  private static final int SIZE_TAG = 1;
  private static final int IMAGE_TAG = 2;
  /** MPI counts up to 2^31 - 1: an image is sent in parts of this size. */
  private static final long PART_BYTES = 1L << 30;

  /**
   * The numbers that a rank contributes: its node, the version that it knows to be committed, the versions of its own, and those
   * it holds, each with its owner.
   */
  private static final int NODE = 0;
  private static final int COMMITTED = 1;
  private static final int FIRST_OWN = COMMITTED + Version.WORDS;
  private static final int OWN_SLOTS = 2;
  private static final int FIRST_HELD = FIRST_OWN + OWN_SLOTS * Version.WORDS;
  private static final int HELD_FIELDS = Version.WORDS + 1;

  /** An image of this rank, or one that it holds for its owner. */
  private static final class Slot extends MemorySlot {
    private int owner;

    Buf image() {
      return room.image();
    }

    /** Leaves the memory to the requests that refer to it. */
    void abandon() {
      version = Version.NONE;
      room.abandon();
    }
  }

  private final long node;
  private final Setting store;
  private final List<Slot> own = new ArrayList<>();
  private final List<Slot> held = new ArrayList<>();
  private final Buf sizes = Buf.allocateLongs(2);
  private Version committed = Version.NONE;
  private Slot writtenOwn;
  private Slot writtenHeld;
  private Version writtenVersion;
  private boolean isOwnVoid;
  private boolean isHeldVoid;
  private final List<Request> incoming = new ArrayList<>();
  private final List<Request> outgoing = new ArrayList<>();

  /** The versions of each rank, as of the last search. */
  private GatheredNumbers gathered = GatheredNumbers.nothing();
  /** The number of held images that each rank contributes: more than two after failures that have changed the placement. */
  private int mostHeld;
  private Comm world;
  private Partners partners;
  private int worldSize;
  private int worldRank;

  /** An engine for a process on the node of that name; messages name the setting, and another value of it as a remedy. */
  public MemoryEngine(String nodeName, Setting store) {
    node = Partners.fingerprint(nodeName);
    this.store = store;
  }

  @Override
  public void bind(Comm newWorld) {
    if (world != null && WorldChange.isOfOtherRanks(newWorld, worldSize, worldRank, !committed.isNone())) {
      committed = Version.NONE;
      keepWith(Version.NONE);
    }
    if (!incoming.isEmpty() || !outgoing.isEmpty()) {
      // A failure has cut off this save, and messages may still arrive in these two: they are not written to again.
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
  private static Slot find(List<Slot> slots, Version version, int owner) {
    for (Slot slot : slots) {
      if (slot.version.equals(version) && slot.owner == owner) {
        return slot;
      }
    }
    return null;
  }

  /** A slot that may be overwritten: any but the one with the committed version. */
  private Slot free(List<Slot> slots) {
    for (Slot slot : slots) {
      if (!slot.version.equals(committed) || committed.isNone()) {
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

  /** Nothing to do: each run has an engine of its own, with nothing in memory. */
  @Override
  public void ofRun(long ordinal) {}

  @Override
  public String begin(Version version, Image image, boolean aside) {
    if (partners == null) {
      gather();
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
    // Before any message can come: MPI would fetch those that have come already in here, and must do that in the background.
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
      writtenHeld.version = isHeldVoid ? Version.NONE : writtenVersion;
    }
    writtenOwn.owner = worldRank;
    writtenOwn.version = isOwnVoid ? Version.NONE : writtenVersion;
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
  public void commit(Version version) {
    committed = version;
    // While the placement changed, more were held.
    for (int i = held.size() - 1; i >= 0 && held.size() > 2; i--) {
      if (!held.get(i).version.equals(version)) {
        held.remove(i).room.close();
      }
    }
  }

  /** Gathers the versions of each rank. Collective. */
  private void gather() {
    mostHeld = world.allReduce(held.size(), Op.MAX);
    long[] mine = new long[FIRST_HELD + HELD_FIELDS * mostHeld];
    mine[NODE] = node;
    GatheredNumbers.put(mine, COMMITTED, committed);
    for (int i = 0; i < OWN_SLOTS; i++) {
      GatheredNumbers.put(mine, FIRST_OWN + Version.WORDS * i, i < own.size() ? own.get(i).version : Version.NONE);
    }
    for (int i = 0; i < mostHeld; i++) {
      int field = FIRST_HELD + HELD_FIELDS * i;
      GatheredNumbers.put(mine, field, i < held.size() ? held.get(i).version : Version.NONE);
      mine[field + Version.WORDS] = i < held.size() ? held.get(i).owner : -1;
    }
    gathered = GatheredNumbers.byAll(world, mine);
    partners = Partners.of(gathered.ofAll(NODE));
  }

  @Override
  public List<Version> versions(Predicate<Version> wanted) {
    gather();
    Version known = Version.NONE;
    TreeSet<Version> complete = new TreeSet<>();
    for (int rank = 0; rank < worldSize; rank++) {
      Version itsNewest = gathered.version(rank, COMMITTED);
      known = wanted.test(itsNewest) && itsNewest.compareTo(known) > 0 ? itsNewest : known;
      for (int i = 0; i < OWN_SLOTS; i++) {
        addIfComplete(gathered.version(rank, FIRST_OWN + Version.WORDS * i), wanted, complete);
      }
      for (int i = 0; i < mostHeld; i++) {
        addIfComplete(gathered.version(rank, FIRST_HELD + HELD_FIELDS * i), wanted, complete);
      }
    }
    if (complete.isEmpty() && !known.isNone() && worldRank == 0) {
      // No exception: the program can go on, from its beginning, and gets the same answer later. But the user must know.
      System.err.println("kintsugi: version " + known.number() + " is lost: the memory of rank(s) " + lost(known)
          + " is gone together with every copy of it, because processes died that held copies for each other (with two nodes "
          + "lost, or one that had more than half of all ranks, that must be). What no other level has begins anew. "
          + "With -D" + store.property() + "=memory,file:10 every tenth version would outlive that");
    }
    return List.copyOf(complete);
  }

  private void addIfComplete(Version version, Predicate<Version> wanted, TreeSet<Version> complete) {
    if (!version.isNone() && wanted.test(version) && lost(version).isEmpty()) {
      complete.add(version);
    }
  }

  /** The ranks of which no copy of a version's image is left. */
  private List<Integer> lost(Version version) {
    List<Integer> lost = new ArrayList<>();
    for (int rank = 0; rank < worldSize; rank++) {
      if (!isOwn(version, rank) && firstHolder(version, rank) < 0) {
        lost.add(rank);
      }
    }
    return lost;
  }

  private boolean isOwn(Version version, int rank) {
    return gathered.has(rank, FIRST_OWN, OWN_SLOTS, version);
  }

  private boolean isHeldAt(Version version, int holder, int owner) {
    for (int i = 0; i < mostHeld; i++) {
      int field = FIRST_HELD + HELD_FIELDS * i;
      if (gathered.of(holder, field + Version.WORDS) == owner && gathered.version(holder, field).equals(version)) {
        return true;
      }
    }
    return false;
  }

  private int firstHolder(Version version, int owner) {
    for (int rank = 0; rank < worldSize; rank++) {
      if (isHeldAt(version, rank, owner)) {
        return rank;
      }
    }
    return -1;
  }

  /**
   * Sends images back to the owners that have lost them. All go through the owners in the same order, so that no circle of waits
   * can arise.
   */
  private void giveBack(Version version) {
    for (int owner = 0; owner < worldSize; owner++) {
      if (isOwn(version, owner)) {
        continue;
      }
      int holder = firstHolder(version, owner);
      if (holder == worldRank) {
        Buf image = find(held, version, owner).image();
        world.send(Buf.copyOf(image.count()), owner, SIZE_TAG);
        for (Buf part : parts(image)) {
          world.send(part, owner, IMAGE_TAG);
        }
      } else if (owner == worldRank) {
        receive(free(own), version, owner, holder);
      }
    }
  }

  /** Sends images to their holders by the present placement that lack them: one exchange, all at once. */
  private void replicate(Version version) {
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

  private void receive(Slot slot, Version version, int owner, int source) {
    long[] bytes = new long[1];
    world.recv(Buf.wrap(bytes), source, SIZE_TAG);
    for (Buf part : parts(slot.open(bytes[0]))) {
      world.recv(part, source, IMAGE_TAG);
    }
    slot.owner = owner;
    slot.version = version;
  }

  @Override
  public Buf fetch(Version version) {
    committed = version;
    giveBack(version);
    if (worldSize > 1) {
      replicate(version);
    }
    return find(own, version, worldRank).image();
  }

  @Override
  public void resume(Version version) {
    committed = find(own, version, worldRank) == null ? Version.NONE : version;
    keepWith(version);
    if (!committed.isNone() && worldSize > 1) {
      forgetOlderPlacements();
    }
  }

  /** All have agreed that every rank has fetched this version: every copy is where the present placement wants it. */
  private void forgetOlderPlacements() {
    int owner = partners.ownerAt(worldRank);
    for (Slot slot : held) {
      if (slot.version.equals(committed) && slot.owner != owner) {
        slot.version = Version.NONE;
      }
    }
  }

  private void keepWith(Version version) {
    MemorySlot.keepWith(own, version);
    MemorySlot.keepWith(held, version);
  }

  @Override
  public void drop(long number) {
    forget(saved -> saved.number() == number);
    if (committed.number() == number) {
      committed = MemorySlot.newest(own);
    }
  }

  private void forget(Predicate<Version> what) {
    MemorySlot.forget(own, what);
    MemorySlot.forget(held, what);
  }

  @Override
  public void leave() {
    close();
  }

  @Override
  public void close() {
    for (List<Slot> slots : List.of(own, held)) {
      slots.forEach(slot -> slot.room.close());
      slots.clear();
    }
  }
}
