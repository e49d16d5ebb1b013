// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.memory;

import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.Image;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.GatheredNumbers;
import org.kintsugi.checkpoint.internal.image.ImageMemory;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.collective.Partners;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.runtime.Setting;

/**
 * Own memory and parity over a group: survives the failure of one process of each group between two saves, so of a whole node
 * where groups cross nodes, for a fraction of the memory that whole copies take (SCR's scheme XOR, after W. D. Gropp and
 * others).
 *
 * <p>A save, in a group of g: each image is cut into g - 1 parts, one for each other member; a member's parity is the XOR of the
 * parts that the others have for it. A lost member's image is rebuilt from the others: one part of it from each, computed from
 * that one's parity and the parts of the rest; and its parity as the XOR of their parts for it. So encoding is a reduce-scatter,
 * and decoding a reduction to the lost member, of the same buffers: one row per member with the part for it; the own row is
 * empty when encoding, and has the parity when decoding. This is done piece by piece, so that it takes little memory.
 *
 * <p>Two slots as in {@link MemoryEngine}. A version is complete if no group lacks two members. Groups are those of the save,
 * whatever the placement is after a recovery; the next save makes new ones.
 */
public final class XorEngine implements Engine {
  private static final int SLOTS = 2;
  /** The numbers that a rank contributes: its node, the version that it knows to be committed, and those in its slots. */
  private static final int NODE = 0;
  private static final int COMMITTED = 1;
  private static final int FIRST_SLOT = COMMITTED + Version.WORDS;
  private static final long PIECE_BYTES = 1L << 18;

  /** One version in memory: the own image, the parity, and the groups that share parity. */
  private static final class Slot extends MemorySlot {
    private final ImageMemory parity = new ImageMemory();

    /** The group of each rank of the world. */
    private int[] groups = {};

    /** The lengths of the images of this rank's group. */
    private long[] lengths = {};
  }

  private final long node;
  private final long groupSize;
  private final Setting store;
  private final Slot first = new Slot();
  private final Slot second = new Slot();
  private final List<Slot> slots = List.of(first, second);
  private Slot written = first;
  private Version committed = Version.NONE;
  private Comm world;
  private Comm group;
  private int[] groups;
  private final ImageMemory rows = new ImageMemory();
  private GatheredNumbers gathered = GatheredNumbers.nothing();

  /** The versions that {@link #versions} found. */
  private TreeSet<Version> complete = new TreeSet<>();
  private int worldSize;
  private int worldRank;

  /**
   * An engine for a process on the node of that name; {@code store} is as in {@link MemoryEngine}.
   *
   * @param group the number of ranks in a group
   */
  public XorEngine(String nodeName, Setting group, Setting store) {
    groupSize = group.longValue();
    if (groupSize < 2) {
      throw new IllegalArgumentException("-D" + group.property() + "=" + groupSize
          + ": a parity group has at least 2 ranks; 8 costs a seventh of the memory for parity");
    }
    node = Partners.fingerprint(nodeName);
    this.store = store;
  }

  @Override
  public String name() {
    return "xor";
  }

  @Override
  public void bind(Comm newWorld) {
    if (world != null && WorldChange.isOfOtherRanks(newWorld, worldSize, worldRank, !committed.isNone())) {
      committed = Version.NONE;
      keepWith(Version.NONE);
    }
    world = newWorld;
    worldSize = newWorld.size();
    worldRank = newWorld.rank();
    group = null;
  }

  /** Nothing to do: each run has an engine of its own, with nothing in memory. */
  @Override
  public void ofRun(long ordinal) {}

  @Override
  public String begin(Version version, Image image, boolean aside) {
    written = first.version.equals(committed) && !committed.isNone() ? second : first;
    image.copyTo(written.open(image.bytes()));
    if (group == null) {
      groups = ParityGroups.of(GatheredNumbers.byAll(world, node).ofAll(NODE), groupSize);
      group = world.split(groups[worldRank], worldRank);
    }
    written.groups = groups;
    written.lengths = new long[group.size()];
    group.allGather(Buf.copyOf(written.room.bytes()), Buf.wrap(written.lengths));
    long part = part(written.lengths);
    Buf parity = written.parity.open(part);
    for (long at = 0; at < part; at += PIECE_BYTES) {
      long bytes = Math.min(PIECE_BYTES, part - at);
      Buf contribution = rows(group, written, at, bytes, false);
      group.reduceScatterBlock(contribution, parity.slice(at, bytes), Op.BXOR);
    }
    written.version = version;
    return name();
  }

  /** The length of the parts into which the images of a group are cut, all alike; zero if a rank is alone in its group. */
  private static long part(long... lengths) {
    long longest = 0;
    for (long length : lengths) {
      longest = Math.max(longest, length);
    }
    return lengths.length == 1 ? 0 : (longest + lengths.length - 2) / (lengths.length - 1);
  }

  /**
   * Fills one row per member with a piece of the part for it; the own row with the parity, or nothing. Uses the same buffer
   * again.
   */
  private Buf rows(Comm members, Slot slot, long at, long bytes, boolean withParity) {
    int size = members.size();
    int self = members.rank();
    Buf contribution = rows.open(size * bytes);
    Memory.clear(contribution.address(), contribution.count());
    for (int member = 0; member < size; member++) {
      long row = contribution.address() + member * bytes;
      if (member != self) {
        long from = partFor(member, self, size) * part(slot.lengths) + at;
        long there = Math.max(0, Math.min(bytes, slot.room.bytes() - from));
        Memory.copy(slot.room.address() + Math.min(from, slot.room.bytes()), row, there);
      } else if (withParity) {
        Memory.copy(slot.parity.address() + at, row, bytes);
      }
    }
    return contribution;
  }

  /** The number of the part of a member's image that belongs to another's parity. */
  private static long partFor(int other, int member, int size) {
    return (other - member - 1 + size) % size;
  }

  @Override
  public void end() {
    // A save runs in the foreground: parity is made by collectives, which do not run in the background.
  }

  @Override
  public void commit(Version version) {
    committed = version;
  }

  @Override
  public List<Version> versions(Predicate<Version> wanted) {
    long[] mine = new long[FIRST_SLOT + SLOTS * Version.WORDS];
    mine[NODE] = node;
    GatheredNumbers.put(mine, COMMITTED, committed);
    for (int slot = 0; slot < SLOTS; slot++) {
      GatheredNumbers.put(mine, FIRST_SLOT + Version.WORDS * slot, slots.get(slot).version);
    }
    gathered = GatheredNumbers.byAll(world, mine);
    TreeSet<Version> candidates = new TreeSet<>();
    Version known = Version.NONE;
    for (int rank = 0; rank < worldSize; rank++) {
      Version itsNewest = gathered.version(rank, COMMITTED);
      known = wanted.test(itsNewest) && itsNewest.compareTo(known) > 0 ? itsNewest : known;
      for (int slot = 0; slot < SLOTS; slot++) {
        candidates.add(gathered.version(rank, FIRST_SLOT + Version.WORDS * slot));
      }
    }
    candidates.removeIf(version -> version.isNone() || !wanted.test(version) || !isComplete(version));
    if (candidates.isEmpty() && !known.isNone() && worldRank == 0) {
      System.err.println(
          "kintsugi: version " + known.number() + " is lost: two or more members of a parity group died between two saves. "
              + "What no other level has begins anew. With -D" + store.property()
              + "=xor,file:10 every tenth version "
              + "would outlive that");
    }
    complete = candidates;
    return List.copyOf(candidates);
  }

  private boolean has(int rank, Version version) {
    return gathered.has(rank, FIRST_SLOT, SLOTS, version);
  }

  /** Whether no group of a version lacks two ranks. Collective: a rank that has the version broadcasts its groups. */
  private boolean isComplete(Version version) {
    int[] lacking = new int[worldSize];
    int[] groupsOf = groupsOf(version);
    for (int rank = 0; rank < worldSize; rank++) {
      if (!has(rank, version) && ++lacking[groupsOf[rank]] > 1) {
        return false;
      }
    }
    // A rank that was alone in its group has no parity anywhere.
    for (int rank = 0; rank < worldSize; rank++) {
      if (!has(rank, version) && sizeOf(groupsOf[rank], groupsOf) == 1) {
        return false;
      }
    }
    return true;
  }

  private static int sizeOf(int groupNumber, int... groupsOf) {
    int size = 0;
    for (int other : groupsOf) {
      size += other == groupNumber ? 1 : 0;
    }
    return size;
  }

  private int[] groupsOf(Version version) {
    int teller = 0;
    while (!has(teller, version)) {
      teller++;
    }
    int[] groupsOf = teller == worldRank ? find(version).groups : new int[worldSize];
    world.bcast(Buf.wrap(groupsOf), teller);
    return groupsOf;
  }

  private Slot find(Version version) {
    return first.version.equals(version) ? first : second;
  }

  @Override
  public Buf fetch(Version version) {
    committed = version;
    int[] groupsOf = groupsOf(version);
    boolean complete = true;
    for (int rank = 0; rank < worldSize; rank++) {
      complete &= has(rank, version);
    }
    if (!complete) {
      try (Comm members = world.split(groupsOf[worldRank], worldRank)) {
        giveBack(version, groupsOf, members);
      }
    }
    return find(version).room.image();
  }

  private void giveBack(Version version, int[] groupsOf, Comm members) {
    int[] ranks = worldRanks(members);
    int lost = -1;
    for (int member = 0; member < ranks.length; member++) {
      lost = has(ranks[member], version) ? lost : member;
    }
    if (lost < 0) {
      return;
    }
    boolean isLost = lost == members.rank();
    Slot slot = isLost ? freeSlot() : find(version);
    int teller = lost == 0 ? 1 : 0;
    slot.groups = groupsOf;
    slot.lengths = isLost ? new long[ranks.length] : slot.lengths;
    members.bcast(Buf.wrap(slot.lengths), teller);
    long part = part(slot.lengths);
    if (isLost) {
      slot.open(slot.lengths[lost]);
      slot.parity.open(part);
    }
    for (long at = 0; at < part; at += PIECE_BYTES) {
      decode(members, slot, lost, at, Math.min(PIECE_BYTES, part - at));
    }
    slot.version = version;
  }

  private int[] worldRanks(Comm members) {
    try (Group some = members.group(); Group all = world.group()) {
      return some.ranksIn(all);
    }
  }

  private void decode(Comm members, Slot slot, int lost, long at, long bytes) {
    int size = members.size();
    if (members.rank() != lost) {
      members.reduce(rows(members, slot, at, bytes, true), Op.BXOR, lost);
      return;
    }
    Buf result = rows.open(size * bytes);
    Memory.clear(result.address(), result.count());
    members.reduce(result, Op.BXOR, lost);
    for (int member = 0; member < size; member++) {
      long row = result.address() + member * bytes;
      if (member == lost) {
        Memory.copy(row, slot.parity.address() + at, bytes);
      } else {
        long to = partFor(member, lost, size) * part(slot.lengths) + at;
        Memory.copy(row, slot.room.address() + Math.min(to, slot.room.bytes()),
            Math.max(0, Math.min(bytes, slot.room.bytes() - to)));
      }
    }
  }

  private Slot freeSlot() {
    return first.version.isNone() ? first : second;
  }

  @Override
  public void resume(Version version) {
    // With other levels, older versions may be here, which must outlive a save as well.
    Version newest = complete.floor(version);
    committed = newest == null ? Version.NONE : newest;
    keepWith(version);
  }

  private void keepWith(Version version) {
    MemorySlot.keepWith(slots, version);
  }

  @Override
  public void drop(long number) {
    MemorySlot.forget(slots, saved -> saved.number() == number);
    committed = MemorySlot.newest(slots);
  }

  @Override
  public void leave() {
    close();
  }

  @Override
  public void close() {
    for (Slot slot : slots) {
      slot.room.close();
      slot.parity.close();
    }
    rows.close();
  }
}
