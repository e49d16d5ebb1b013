// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
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
 * by the old placement stays until the next commit, so a failure in the middle of all that costs nothing either.
 */
final class MemoryEngine implements Engine {
  private static final int SIZE_TAG = 1;
  private static final int IMAGE_TAG = 2;
  /** How many held images are told of: two, and one more for each failure since the last commit that changed the placement. */
  private static final int HELD_TOLD = 4;
  /** MPI counts up to 2^31 - 1: an image goes in parts of so many bytes. */
  private static final long PART_BYTES = 1L << 30;
  private static final int OWN_FIELDS = 2;
  private static final int FIRST_HELD = 4;
  private static final int FIELDS = FIRST_HELD + 2 * HELD_TOLD;

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

  /** What each rank told when versions were last looked for, {@link #FIELDS} each. */
  private long[] told = {};
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
      place(tell());
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
    // Now nobody needs what was held by an older placement.
    for (int i = held.size() - 1; i >= 0 && held.size() > 2; i--) {
      if (held.get(i).version != version) {
        held.remove(i).room.close();
      }
    }
  }

  /** What each rank has: its node, what it knows to be committed, its own versions, what it holds and for whom. Collective. */
  private long[] tell() {
    long[] mine = new long[FIELDS];
    mine[0] = node;
    mine[1] = committed;
    for (int i = 0; i < OWN_FIELDS; i++) {
      mine[2 + i] = i < own.size() ? own.get(i).version : NONE;
    }
    for (int i = 0; i < HELD_TOLD; i++) {
      mine[FIRST_HELD + 2 * i] = i < held.size() ? held.get(i).version : NONE;
      mine[FIRST_HELD + 2 * i + 1] = i < held.size() ? held.get(i).owner : -1;
    }
    long[] all = new long[FIELDS * worldSize];
    world.allGather(Buf.of(mine), Buf.of(all));
    return all;
  }

  private void place(long[] all) {
    long[] nodes = new long[worldSize];
    for (int rank = 0; rank < worldSize; rank++) {
      nodes[rank] = all[FIELDS * rank];
    }
    partners = Partners.of(nodes);
  }

  @Override
  public long[] versions() {
    told = tell();
    place(told);
    long known = NONE;
    TreeSet<Long> complete = new TreeSet<>();
    for (int rank = 0; rank < worldSize; rank++) {
      known = Math.max(known, told[FIELDS * rank + 1]);
      for (int i = 0; i < OWN_FIELDS; i++) {
        addIfComplete(told[FIELDS * rank + 2 + i], complete);
      }
      for (int i = 0; i < HELD_TOLD; i++) {
        addIfComplete(told[FIELDS * rank + FIRST_HELD + 2 * i], complete);
      }
    }
    if (complete.isEmpty() && known != NONE && worldRank == 0) {
      // Not an exception: the program can go on, from its beginning, and gets the same answer later. But it must be known.
      System.err.println("kintsugi: version " + known + " is lost: the memory of rank(s) " + lost(known)
          + " is gone together with every copy of it, because processes died that held copies for each other (with two nodes "
          + "lost, or one that had more than half of all ranks, that must be). What no other level has begins anew. "
          + "With -Dkintsugi.checkpoint.store=memory,file:10 every tenth version would outlive that");
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
    return told[FIELDS * rank + 2] == version || told[FIELDS * rank + 3] == version;
  }

  private boolean isHeldAt(long version, int holder, int owner) {
    for (int i = 0; i < HELD_TOLD; i++) {
      int at = FIELDS * holder + FIRST_HELD + 2 * i;
      if (told[at] == version && told[at + 1] == owner) {
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
