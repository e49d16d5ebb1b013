// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Request;

/**
 * The collectives among neighbours on a grid. Blocks go by directions: down and up in the first one, then in the next. A block
 * that is sent down comes from above (MPI 4.1, section 8.6), also where both neighbours are the same process.
 */
final class Neighbours extends Operation {
  private final boolean isGather;
  private final int sides;
  /** Basic elements of a block. */
  private final int basics;
  private final Map<Integer, Place> sends = new TreeMap<>();
  private final Map<Integer, Place> receives = new TreeMap<>();

  Neighbours(Plan plan, Team team, Form form, boolean isGather) {
    super(plan, team, form);
    this.isGather = isGather;
    sides = 2 * team.dims().length;
    Basic[] signature = plan.layouts.signature();
    int repetitions = plan.repetitions();
    basics = signature.length * repetitions;
    for (int rank : team.members()) {
      int[] lengths = new int[sides];
      Arrays.fill(lengths, repetitions);
      if (isGather) {
        sends.put(rank, plan.place(rank, signature, repetitions, false));
      } else {
        sends.put(rank, plan.new Whole(rank, signature, plan.times(repetitions), lengths, false, true).place);
      }
      receives.put(rank, plan.new Whole(rank, signature, plan.times(repetitions), lengths, true, true).place);
    }
  }

  @Override
  String name() {
    return isGather ? "neighbourAllGather" : "neighbourAllToAll";
  }

  @Override
  String details() {
    List<String> lines = new ArrayList<>();
    sends.forEach((rank, place) -> lines.add("  " + rank + " sends " + place));
    receives.forEach((rank, place) -> lines.add("  " + rank + " receives " + place));
    return String.join("\n", lines).toLowerCase(Locale.ROOT);
  }

  @Override
  void define(byte[][][] before, byte[][][] after) {
    int[] members = team.members();
    for (int rank = 0; rank < members.length; rank++) {
      for (int side = 0; side < sides; side++) {
        int neighbour = team.neighbour(rank, side / 2, side % 2 == 0 ? -1 : 1);
        if (neighbour >= 0) {
          int fromSide = side % 2 == 0 ? side + 1 : side - 1;
          move(before, after, sends.get(members[neighbour]), isGather ? 0 : fromSide * basics, receives.get(members[rank]),
              side * basics, basics);
        }
      }
    }
  }

  @Override
  Request call(int me, Comm comm, Form as) {
    CartComm grid = (CartComm) comm;
    Buf send = sends.get(me).buf(types);
    Buf receive = receives.get(me).buf(types);
    switch (as) {
      case NONBLOCKING:
        return isGather ? grid.iNeighbourAllGather(send, receive) : grid.iNeighbourAllToAll(send, receive);
      case PERSISTENT:
        return isGather ? grid.neighbourAllGatherInit(send, receive) : grid.neighbourAllToAllInit(send, receive);
      default:
        if (isGather) {
          grid.neighbourAllGather(send, receive);
        } else {
          grid.neighbourAllToAll(send, receive);
        }
        return null;
    }
  }
}
