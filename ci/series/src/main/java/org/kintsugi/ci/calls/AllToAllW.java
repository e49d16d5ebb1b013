// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.TypedParts;

/** One planned call of {@code allToAllW}, with its expected result: each part has a datatype of its own, and a place in bytes. */
final class AllToAllW extends Operation {
  /** What a rank sends, or receives: all in one area. */
  private final class Side {
    private final int rank;
    private final Area area = plan.area();
    private final int number;
    /** By the peer's number. */
    private final List<Place> parts = new ArrayList<>();

    Side(int rank) {
      this.rank = rank;
      number = plan.areas.get(rank).size();
      plan.areas.get(rank).add(area);
    }

    void add(Basic[] signature, int repetitions, boolean isReceived) {
      parts.add(plan.placeIn(rank, area, number, signature, repetitions, isReceived));
    }

    Buf buf() {
      return area.view(0, -1);
    }

    TypedParts parts() {
      return TypedParts.of(parts.stream().mapToInt(Place::count).toArray(), parts.stream().mapToInt(Place::offset).toArray(),
          parts.stream().map(part -> types.of(part.layout())).toArray(Datatype[]::new));
    }
  }

  private final Map<Integer, Side> sends = new TreeMap<>();
  private final Map<Integer, Side> receives = new TreeMap<>();

  AllToAllW(Plan plan, Team team, Form form) {
    super(plan, team, form);
    for (int rank : team.members()) {
      sends.put(rank, new Side(rank));
      receives.put(rank, new Side(rank));
    }
    for (int rank : team.members()) {
      for (int peer : team.peers(rank)) {
        Basic[] signature = plan.layouts.signature();
        int repetitions = plan.repetitions();
        sends.get(rank).add(signature, repetitions, false);
        receives.get(peer).add(signature, repetitions, true);
      }
    }
  }

  @Override
  String name() {
    return "allToAllW";
  }

  @Override
  String details() {
    List<String> lines = new ArrayList<>();
    sends.forEach((rank, side) -> lines.add("  " + rank + " sends " + side.parts));
    receives.forEach((rank, side) -> lines.add("  " + rank + " receives " + side.parts));
    return String.join("\n", lines).toLowerCase(Locale.ROOT);
  }

  @Override
  void define(byte[][][] before, byte[][][] after) {
    for (int from : team.members()) {
      int[] peers = team.peers(from);
      for (int i = 0; i < peers.length; i++) {
        Place part = sends.get(from).parts.get(i);
        // A receiver's parts were added in the order of the senders.
        Place target = receives.get(peers[i]).parts.get(team.rank(from));
        move(before, after, part, 0, target, 0, part.count() * part.each());
      }
    }
  }

  @Override
  Request call(int me, Comm comm, Form as) {
    Side from = sends.get(me);
    Side to = receives.get(me);
    switch (as) {
      case NONBLOCKING:
        return comm.iAllToAllW(from.buf(), from.parts(), to.buf(), to.parts());
      case PERSISTENT:
        return comm.allToAllWInit(from.buf(), from.parts(), to.buf(), to.parts());
      default:
        comm.allToAllW(from.buf(), from.parts(), to.buf(), to.parts());
        return null;
    }
  }
}
