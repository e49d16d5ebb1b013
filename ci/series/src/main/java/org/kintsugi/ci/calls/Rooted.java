// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Request;

/** The calls bcast, gather and scatter, with parts of equal length or of any length. */
final class Rooted extends Operation {
  /** The collectives. */
  enum What {
    BCAST("bcast"),
    GATHER("gather"),
    SCATTER("scatter"),
    GATHER_V("gatherV"),
    SCATTER_V("scatterV");

    private final String text;

    What(String text) {
      this.text = text;
    }

    boolean isGather() {
      return this == GATHER || this == GATHER_V;
    }

    boolean isDivided() {
      return this == GATHER || this == SCATTER;
    }
  }

  private final What what;
  private final boolean isInPlace;
  /** In the world. */
  private final int root;
  private final int[] peers;
  private final Map<Integer, Place> parts = new TreeMap<>();
  private Place whole;
  private int[] counts;
  private int[] firsts;
  private final boolean isNullElsewhere;
  /** The way in which the call says that both buffers are the same. */
  private final int inPlaceForm;

  Rooted(Plan plan, Team team, Form form, What what) {
    super(plan, team, form);
    this.what = what;
    int[] members = team.members();
    root = members[plan.random.nextInt(members.length)];
    peers = team.peers(root);
    isInPlace = what != What.BCAST && !team.isInter() && plan.oneIn(4);
    isNullElsewhere = plan.random.nextBoolean();
    inPlaceForm = plan.random.nextInt(3);
    Basic[] signature = plan.layouts.signature();
    if (what == What.BCAST) {
      planBcast(signature);
    } else {
      planParts(signature);
    }
  }

  private void planBcast(Basic[] signature) {
    int repetitions = plan.repetitions();
    // The same datatype everywhere, as the Javadoc has it.
    int times = plan.times(repetitions);
    Layout layout = repetitions == 0 && plan.oneIn(2) ? plan.layouts.empty() : plan.apart(signature, times, repetitions / times);
    whole = plan.place(root, layout, repetitions / times, false);
    for (int peer : peers) {
      if (peer != root) {
        parts.put(peer, plan.place(peer, layout, repetitions / times, true));
      }
    }
  }

  private void planParts(Basic[] signature) {
    boolean isGather = what.isGather();
    int unit = plan.pick(1, 2, 3);
    int[] repetitions = new int[peers.length];
    int each = plan.repetitions();
    for (int i = 0; i < peers.length; i++) {
      repetitions[i] = what.isDivided() ? each : unit * plan.random.nextInt(4) * plan.scale;
    }
    int times = what.isDivided() ? plan.times(each) : plan.layouts.divisor(unit);
    Plan.Whole planned = plan.new Whole(root, signature, times, repetitions, isGather || isInPlace, what.isDivided());
    whole = planned.place;
    counts = planned.counts;
    firsts = planned.firsts;
    for (int i = 0; i < peers.length; i++) {
      if (!isInPlace || peers[i] != root) {
        parts.put(peers[i], plan.place(peers[i], signature, repetitions[i], !isGather));
      }
    }
  }

  @Override
  String name() {
    return what.text + (isInPlace ? " in place" : "");
  }

  @Override
  String details() {
    return "  root " + root + " has " + whole + (counts == null ? ""
        : ", counts " + Arrays.toString(counts) + " at " + Arrays.toString(firsts)) + "\n  parts "
        + parts.toString().toLowerCase(Locale.ROOT);
  }

  @Override
  void define(byte[][][] before, byte[][][] after) {
    for (int i = 0; i < peers.length; i++) {
      Place part = parts.get(peers[i]);
      if (part == null) {
        continue;
      }
      if (what == What.BCAST) {
        move(before, after, whole, 0, part, 0, part.count() * part.each());
        continue;
      }
      int first = firsts[i] * whole.each();
      int basics = counts[i] * whole.each();
      if (what.isGather()) {
        move(before, after, part, 0, whole, first, basics);
      } else {
        move(before, after, whole, first, part, 0, basics);
      }
    }
  }

  @Override
  Request call(int me, Comm comm, Form as) {
    int rank = !team.isInter() ? team.rank(root)
        : me == root ? Intercomm.ROOT : team.side(me) == team.side(root) ? Comm.PROC_NULL : team.rank(root);
    Place ownPart = parts.get(me);
    Buf all = me == root ? whole.buf(types) : null;
    Buf part = ownPart == null ? null : ownPart.buf(types);
    if (what == What.BCAST) {
      return bcast(comm, as, all != null ? all : part != null ? part : Buf.allocateBytes(0), rank);
    }
    if (me == root && isInPlace) {
      part = inPlaceForm == 2 ? whole.buf(types) : all;
    } else if (me != root && !isNullElsewhere && part != null) {
      all = part; // means nothing here
    }
    boolean isOne = isInPlace && inPlaceForm == 0;
    int[] length = me == root ? counts : null;
    int[] at = me == root ? firsts : null;
    Buf own = part;
    Buf roots = all;
    return switch (what) {
      case GATHER -> isOne ? gather(comm, as, own, rank) : gather(comm, as, own, roots, rank);
      case SCATTER -> isOne ? scatter(comm, as, own, rank) : scatter(comm, as, roots, own, rank);
      case GATHER_V -> isOne ? gatherV(comm, as, own, length, at, rank) : gatherV(comm, as, own, roots, length, at, rank);
      default -> isOne ? scatterV(comm, as, own, length, at, rank) : scatterV(comm, as, roots, length, at, own, rank);
    };
  }

  private static Request bcast(Comm comm, Form as, Buf buf, int root) {
    switch (as) {
      case NONBLOCKING:
        return comm.iBcast(buf, root);
      case PERSISTENT:
        return comm.bcastInit(buf, root);
      default:
        comm.bcast(buf, root);
        return null;
    }
  }

  private static Request gather(Comm comm, Form as, Buf send, Buf receive, int root) {
    switch (as) {
      case NONBLOCKING:
        return comm.iGather(send, receive, root);
      case PERSISTENT:
        return comm.gatherInit(send, receive, root);
      default:
        comm.gather(send, receive, root);
        return null;
    }
  }

  private static Request gather(Comm comm, Form as, Buf buf, int root) {
    switch (as) {
      case NONBLOCKING:
        return comm.iGather(buf, root);
      case PERSISTENT:
        return comm.gatherInit(buf, root);
      default:
        comm.gather(buf, root);
        return null;
    }
  }

  private static Request scatter(Comm comm, Form as, Buf send, Buf receive, int root) {
    switch (as) {
      case NONBLOCKING:
        return comm.iScatter(send, receive, root);
      case PERSISTENT:
        return comm.scatterInit(send, receive, root);
      default:
        comm.scatter(send, receive, root);
        return null;
    }
  }

  private static Request scatter(Comm comm, Form as, Buf buf, int root) {
    switch (as) {
      case NONBLOCKING:
        return comm.iScatter(buf, root);
      case PERSISTENT:
        return comm.scatterInit(buf, root);
      default:
        comm.scatter(buf, root);
        return null;
    }
  }

  private static Request gatherV(Comm comm, Form as, Buf send, Buf receive, int[] counts, int[] at, int root) {
    switch (as) {
      case NONBLOCKING:
        return comm.iGatherV(send, receive, counts, at, root);
      case PERSISTENT:
        return comm.gatherVInit(send, receive, counts, at, root);
      default:
        comm.gatherV(send, receive, counts, at, root);
        return null;
    }
  }

  private static Request gatherV(Comm comm, Form as, Buf buf, int[] counts, int[] at, int root) {
    switch (as) {
      case NONBLOCKING:
        return comm.iGatherV(buf, counts, at, root);
      case PERSISTENT:
        return comm.gatherVInit(buf, counts, at, root);
      default:
        comm.gatherV(buf, counts, at, root);
        return null;
    }
  }

  private static Request scatterV(Comm comm, Form as, Buf send, int[] counts, int[] at, Buf receive, int root) {
    switch (as) {
      case NONBLOCKING:
        return comm.iScatterV(send, counts, at, receive, root);
      case PERSISTENT:
        return comm.scatterVInit(send, counts, at, receive, root);
      default:
        comm.scatterV(send, counts, at, receive, root);
        return null;
    }
  }

  private static Request scatterV(Comm comm, Form as, Buf buf, int[] counts, int[] at, int root) {
    switch (as) {
      case NONBLOCKING:
        return comm.iScatterV(buf, counts, at, root);
      case PERSISTENT:
        return comm.scatterVInit(buf, counts, at, root);
      default:
        comm.scatterV(buf, counts, at, root);
        return null;
    }
  }
}
