// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Request;

/**
 * One planned call of {@code allGather} or {@code allToAll}, or of their forms with parts of any length.
 *
 * <p>The constructor draws the call at random: who sends how much, from which memory, in place or not. {@link #define} computes
 * the expected result by plain copies, and {@link #call} makes the call.
 */
final class AllGatherOrAllToAll extends Operation {
  /** The collectives. */
  enum What {
    ALL_GATHER("allGather"),
    ALL_TO_ALL("allToAll"),
    ALL_GATHER_V("allGatherV"),
    ALL_TO_ALL_V("allToAllV");

    private final String text;

    What(String text) {
      this.text = text;
    }

    boolean isGather() {
      return this == ALL_GATHER || this == ALL_GATHER_V;
    }

    boolean isDivided() {
      return this == ALL_GATHER || this == ALL_TO_ALL;
    }
  }

  private final What what;
  private final boolean isInPlace;
  /** 0: the method with one buffer; 1: the same Buf twice; 2: two Bufs of the same memory. */
  private final int inPlaceForm;
  /** What each rank sends in an {@code allGather} or {@code allGatherV}; else empty: see {@code sends}. */
  private final Map<Integer, Place> parts = new TreeMap<>();
  private final Map<Integer, Plan.Whole> sends = new TreeMap<>();
  private final Map<Integer, Plan.Whole> receives = new TreeMap<>();
  /** Repetitions of the signature from one rank of the world to another. */
  private final int[][] repetitions;

  AllGatherOrAllToAll(Plan plan, Team team, Form form, What what) {
    super(plan, team, form);
    this.what = what;
    isInPlace = !team.isInter() && plan.oneIn(4);
    inPlaceForm = plan.random.nextInt(3);
    int ranks = plan.areas.size();
    repetitions = new int[ranks][ranks];
    Basic[][] signatures = new Basic[team.groups().length][];
    int[] units = new int[signatures.length];
    int[] same = new int[signatures.length];
    for (int side = 0; side < signatures.length; side++) {
      signatures[side] = plan.layouts.signature();
      units[side] = plan.pick(1, 2, 3);
      same[side] = plan.repetitions();
    }
    for (int from : team.members()) {
      int side = team.side(from);
      int each = units[side] * plan.random.nextInt(4) * plan.scale;
      for (int to : team.peers(from)) {
        repetitions[from][to] = what.isDivided() ? same[side]
            : what.isGather() ? each
                : units[side] * plan.random.nextInt(4) * plan.scale;
        if (isInPlace && what == What.ALL_TO_ALL_V) {
          repetitions[to][from] = repetitions[from][to]; // what comes takes the place of what goes
        }
      }
    }
    for (int rank : team.members()) {
      int side = team.side(rank);
      int otherSide = team.groups().length - 1 - side;
      receives.put(rank, whole(rank, signatures[otherSide], units[otherSide], same[otherSide], true));
      if (isInPlace) {
        continue;
      }
      if (what.isGather()) {
        parts.put(rank, plan.place(rank, signatures[side], repetitions[rank][team.peers(rank)[0]], false));
      } else {
        sends.put(rank, whole(rank, signatures[side], units[side], same[side], false));
      }
    }
  }

  private Plan.Whole whole(int rank, Basic[] signature, int unit, int same, boolean isReceived) {
    int[] peers = team.peers(rank);
    int[] lengths = new int[peers.length];
    for (int i = 0; i < peers.length; i++) {
      lengths[i] = isReceived ? repetitions[peers[i]][rank] : repetitions[rank][peers[i]];
    }
    int times = what.isDivided() ? plan.times(same) : plan.layouts.divisor(unit);
    return plan.new Whole(rank, signature, times, lengths, isReceived, what.isDivided());
  }

  @Override
  String name() {
    return what.text + (isInPlace ? " in place" : "");
  }

  @Override
  String details() {
    List<String> lines = new ArrayList<>();
    for (int rank : team.members()) {
      if (parts.containsKey(rank)) {
        lines.add("  " + rank + " sends " + parts.get(rank));
      }
      if (sends.containsKey(rank)) {
        lines.add("  " + rank + " sends " + text(sends.get(rank)));
      }
      lines.add("  " + rank + " receives " + text(receives.get(rank)));
    }
    return String.join("\n", lines).toLowerCase(Locale.ROOT);
  }

  private static String text(Plan.Whole whole) {
    return whole.place + ", counts " + Arrays.toString(whole.counts) + " at " + Arrays.toString(whole.firsts);
  }

  @Override
  void define(byte[][][] before, byte[][][] after) {
    for (int to : team.members()) {
      Plan.Whole target = receives.get(to);
      int[] peers = team.peers(to);
      for (int i = 0; i < peers.length; i++) {
        int from = peers[i];
        int basics = target.counts[i] * target.place.each();
        int first = target.firsts[i] * target.place.each();
        Place source = parts.get(from);
        int sourceFirst = 0;
        if (source == null) {
          Plan.Whole sent = isInPlace ? receives.get(from) : sends.get(from);
          source = sent.place;
          sourceFirst = sent.firsts[what.isGather() ? team.rank(from) : team.rank(to)] * source.each();
        }
        move(before, after, source, sourceFirst, target.place, first, basics);
      }
    }
  }

  @Override
  Request call(int me, Comm comm, Form as) {
    Plan.Whole target = receives.get(me);
    Buf receive = target.place.buf(types);
    Plan.Whole from = sends.get(me);
    Buf send = isInPlace ? inPlaceForm == 2 ? target.place.buf(types) : receive
        : from != null ? from.place.buf(types) : parts.get(me).buf(types);
    boolean isOne = isInPlace && inPlaceForm == 0;
    Plan.Whole sent = isInPlace ? target : from;
    return switch (what) {
      case ALL_GATHER -> allGather(comm, as, isOne, send, receive);
      case ALL_TO_ALL -> allToAll(comm, as, isOne, send, receive);
      case ALL_GATHER_V -> allGatherV(comm, as, isOne, send, receive, target);
      default -> allToAllV(comm, as, isOne, send, sent, receive, target);
    };
  }

  private static Request allGather(Comm comm, Form as, boolean isOne, Buf send, Buf receive) {
    switch (as) {
      case NONBLOCKING:
        return isOne ? comm.iAllGather(receive) : comm.iAllGather(send, receive);
      case PERSISTENT:
        return isOne ? comm.allGatherInit(receive) : comm.allGatherInit(send, receive);
      default:
        if (isOne) {
          comm.allGather(receive);
        } else {
          comm.allGather(send, receive);
        }
        return null;
    }
  }

  private static Request allToAll(Comm comm, Form as, boolean isOne, Buf send, Buf receive) {
    switch (as) {
      case NONBLOCKING:
        return isOne ? comm.iAllToAll(receive) : comm.iAllToAll(send, receive);
      case PERSISTENT:
        return isOne ? comm.allToAllInit(receive) : comm.allToAllInit(send, receive);
      default:
        if (isOne) {
          comm.allToAll(receive);
        } else {
          comm.allToAll(send, receive);
        }
        return null;
    }
  }

  private static Request allGatherV(Comm comm, Form as, boolean isOne, Buf send, Buf receive, Plan.Whole to) {
    switch (as) {
      case NONBLOCKING:
        return isOne ? comm.iAllGatherV(receive, to.counts, to.firsts) : comm.iAllGatherV(send, receive, to.counts, to.firsts);
      case PERSISTENT:
        return isOne ? comm.allGatherVInit(receive, to.counts, to.firsts)
            : comm.allGatherVInit(send, receive, to.counts, to.firsts);
      default:
        if (isOne) {
          comm.allGatherV(receive, to.counts, to.firsts);
        } else {
          comm.allGatherV(send, receive, to.counts, to.firsts);
        }
        return null;
    }
  }

  private static Request allToAllV(Comm comm, Form as, boolean isOne, Buf send, Plan.Whole from, Buf receive, Plan.Whole to) {
    switch (as) {
      case NONBLOCKING:
        return isOne ? comm.iAllToAllV(receive, to.counts, to.firsts)
            : comm.iAllToAllV(send, from.counts, from.firsts, receive, to.counts, to.firsts);
      case PERSISTENT:
        return isOne ? comm.allToAllVInit(receive, to.counts, to.firsts)
            : comm.allToAllVInit(send, from.counts, from.firsts, receive, to.counts, to.firsts);
      default:
        if (isOne) {
          comm.allToAllV(receive, to.counts, to.firsts);
        } else {
          comm.allToAllV(send, from.counts, from.firsts, receive, to.counts, to.firsts);
        }
        return null;
    }
  }
}
