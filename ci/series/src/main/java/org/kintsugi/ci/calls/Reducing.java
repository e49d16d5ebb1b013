// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;

/** The reductions. */
final class Reducing extends Operation {
  /** The collectives. */
  enum What {
    REDUCE("reduce"),
    ALL_REDUCE("allReduce"),
    SCAN("scan"),
    EX_SCAN("exScan"),
    REDUCE_SCATTER_BLOCK("reduceScatterBlock"),
    REDUCE_SCATTER("reduceScatter");

    private final String text;

    What(String text) {
      this.text = text;
    }

    boolean isScatter() {
      return this == REDUCE_SCATTER_BLOCK || this == REDUCE_SCATTER;
    }

    boolean isScan() {
      return this == SCAN || this == EX_SCAN;
    }
  }

  private final What what;
  private final boolean isInPlace;
  private final int inPlaceForm;
  private final boolean isNullElsewhere;
  private final int root;
  private final Combining combining;
  private final Layout layout;
  private final Map<Integer, Place> sends = new TreeMap<>();
  private final Map<Integer, Place> receives = new TreeMap<>();
  /** Of each rank, in elements, of a scatter. */
  private final Map<Integer, Integer> counts = new TreeMap<>();
  /** Elements of a contribution. */
  private final int count;
  private Op op;

  Reducing(Plan plan, Team team, Form form, What what) {
    super(plan, team, form);
    this.what = what;
    int[] members = team.members();
    root = members[plan.random.nextInt(members.length)];
    isInPlace = !team.isInter() && plan.oneIn(3);
    inPlaceForm = plan.random.nextInt(3);
    isNullElsewhere = plan.random.nextBoolean();
    if (team.isInter() && what.isScan()) {
      refuse();
    }
    if (plan.oneIn(3)) {
      int numbers = plan.pick(1, 2, 4);
      combining = numbers == 1 ? Combining.sum() : numbers == 2 ? Combining.affine() : Combining.matrix();
      count = counts();
      Basic[] signature = numbers == 1 ? plan.layouts.signature() : plan.layouts.mixed(numbers);
      layout = plan.apart(signature, plan.pick(1, 1, 2, 3), count + 1);
    } else {
      Op any = Combining.PREDEFINED[plan.random.nextInt(Combining.PREDEFINED.length)];
      // Beside the root nobody of its group names a datatype, and so cannot refuse one.
      boolean isNamed = !(team.isInter() && what == What.REDUCE);
      Op own = any == Op.REPLACE && !isNamed ? Op.SUM : any;
      layout = typeFor(own, isNamed);
      combining = Combining.predefined(own);
      if (!Combining.isDefined(own, layout)) {
        refuse();
      }
      count = counts();
    }
    for (int rank : members) {
      planRank(rank);
    }
    if (what == What.EX_SCAN) {
      Place first = receives.get(members[0]);
      ignore(first, 0, count * layout.at.length);
    }
  }

  /** Mostly one that the operation is defined for. */
  private Layout typeFor(Op own, boolean mayBeUndefined) {
    boolean isAny = own == Op.REPLACE || mayBeUndefined && plan.oneIn(8);
    if (isAny && plan.oneIn(4)) {
      return plan.layouts.of(new Basic[] {Basic.INT}, 2, true);
    }
    Layout type;
    do {
      type = plan.oneIn(6) ? Layout.doubleInt() : Layout.of(Basic.values()[plan.random.nextInt(Basic.values().length)]);
    } while (!isAny && !Combining.isDefined(own, type));
    return type;
  }

  /** Elements for each rank, and of all. */
  private int counts() {
    int each = plan.pick(0, 1, 2, 3, 5, 16) * plan.scale;
    if (isRefused()) {
      each = Math.max(1, each);
    }
    if (!what.isScatter()) {
      return each;
    }
    int[][] groups = team.groups();
    // Both groups of an intercommunicator reduce as many elements.
    int all = each * 3;
    if (what == What.REDUCE_SCATTER_BLOCK) {
      all = each;
      for (int[] group : groups) {
        all *= group.length;
      }
    }
    for (int[] group : groups) {
      int left = all;
      for (int i = 0; i < group.length; i++) {
        int own = what == What.REDUCE_SCATTER_BLOCK ? all / group.length
            : i == group.length - 1 ? left : plan.random.nextInt(left + 1);
        counts.put(group[i], own);
        left -= own;
      }
    }
    return all;
  }

  private void planRank(int rank) {
    boolean isReceiver = what != What.REDUCE || rank == root;
    boolean isSender = !(team.isInter() && what == What.REDUCE && team.side(rank) == team.side(root));
    if (isInPlace && isReceiver) {
      receives.put(rank, plan.place(rank, layout, count, true));
      return;
    }
    if (isSender) {
      sends.put(rank, plan.place(rank, layout, count, true));
    }
    if (isReceiver) {
      int needed = what.isScatter() ? counts.get(rank) : count;
      boolean isExact = what == What.REDUCE_SCATTER_BLOCK || what == What.REDUCE && team.isInter();
      receives.put(rank, plan.place(rank, layout, needed + (isExact ? 0 : plan.pick(0, 0, 1)), true));
    }
  }

  @Override
  String name() {
    return what.text + (isInPlace ? " in place" : "");
  }

  @Override
  String details() {
    List<String> lines = new ArrayList<>();
    lines.add("  " + combining + (what == What.REDUCE ? ", root " + root : "") + (counts.isEmpty() ? "" : ", counts " + counts));
    sends.forEach((rank, place) -> lines.add("  " + rank + " sends " + place));
    receives.forEach((rank, place) -> lines.add("  " + rank + " receives " + place));
    return String.join("\n", lines).toLowerCase(Locale.ROOT);
  }

  private Place contribution(int rank) {
    Place send = sends.get(rank);
    return send != null ? send : receives.get(rank);
  }

  @Override
  void fill(SplittableRandom random, byte[][][] images) {
    for (int rank : team.members()) {
      Place place = contribution(rank);
      if (place != null) {
        for (int i = 0; i < count && !isRefused(); i++) {
          combining.fill(random, place, i, of(images[rank][place.area()]));
        }
      }
    }
  }

  @Override
  void define(byte[][][] before, byte[][][] after) {
    if (isRefused()) {
      return;
    }
    for (int rank : team.members()) {
      Place target = receives.get(rank);
      if (target == null || what == What.REDUCE && rank != root) {
        continue;
      }
      int[] from = team.peers(rank);
      int first = 0;
      int length = count;
      if (what.isScan()) {
        from = Arrays.copyOf(from, team.rank(rank) + (what == What.SCAN ? 1 : 0));
      } else if (what.isScatter()) {
        int[] own = team.own(rank);
        length = counts.get(rank);
        for (int i = 0; own[i] != rank; i++) {
          first += counts.get(own[i]);
        }
      }
      for (int i = 0; i < length && from.length > 0; i++) {
        put(reduced(before, from, first + i), target, i, of(after[rank][target.area()]));
      }
    }
  }

  private ByteBuffer reduced(byte[][][] before, int[] from, int element) {
    ByteBuffer result = null;
    for (int i = from.length - 1; i >= 0; i--) {
      ByteBuffer left = get(before, from[i], element);
      if (result == null) {
        result = left;
      } else {
        combining.combine(left, result, layout); // inOut is the right operand
      }
    }
    return result;
  }

  private ByteBuffer get(byte[][][] before, int rank, int element) {
    Place place = contribution(rank);
    byte[] image = before[rank][place.area()];
    ByteBuffer packed = Combining.packed(layout);
    for (int i = 0; i < layout.at.length; i++) {
      packed.put(image, place.at(element * place.each() + i), layout.kinds[i].bytes);
    }
    return packed;
  }

  private void put(ByteBuffer packed, Place place, int element, ByteBuffer image) {
    int from = 0;
    for (int i = 0; i < layout.at.length; i++) {
      image.put(place.at(element * place.each() + i), packed, from, layout.kinds[i].bytes);
      from += layout.kinds[i].bytes;
    }
  }

  @Override
  void prepare(int me) {
    op = combining.op(layout, types);
    super.prepare(me);
  }

  @Override
  void close() {
    super.close();
    if (op != null) {
      op.close();
    }
  }

  @Override
  Request call(int me, Comm comm, Form as) {
    Place from = sends.get(me);
    Place to = receives.get(me);
    Buf send = from == null ? null : from.buf(types);
    Buf receive = to == null ? null : to.buf(types);
    if (isInPlace && to != null) {
      send = inPlaceForm == 2 ? to.buf(types) : receive;
    } else if (receive == null && !isNullElsewhere) {
      receive = send; // means nothing here
    }
    boolean isOne = isInPlace && inPlaceForm == 0;
    int[] lengths = what == What.REDUCE_SCATTER ? Arrays.stream(team.own(me)).map(counts::get).toArray() : null;
    return switch (what) {
      case REDUCE -> reduce(comm, as, isOne, send, receive, rootFor(me));
      case ALL_REDUCE -> allReduce(comm, as, isOne, send, receive);
      case SCAN -> scan(comm, as, isOne, send, receive);
      case EX_SCAN -> exScan(comm, as, isOne, send, receive);
      case REDUCE_SCATTER_BLOCK -> reduceScatterBlock(comm, as, isOne, send, receive);
      default -> reduceScatter(comm, as, isOne, send, receive, lengths);
    };
  }

  private int rootFor(int me) {
    return !team.isInter() ? team.rank(root)
        : me == root ? Intercomm.ROOT : team.side(me) == team.side(root) ? Comm.PROC_NULL : team.rank(root);
  }

  private Request reduce(Comm comm, Form as, boolean isOne, Buf send, Buf receive, int rootRank) {
    switch (as) {
      case NONBLOCKING:
        return isOne ? comm.iReduce(send, op, rootRank) : comm.iReduce(send, receive, op, rootRank);
      case PERSISTENT:
        return isOne ? comm.reduceInit(send, op, rootRank) : comm.reduceInit(send, receive, op, rootRank);
      default:
        if (isOne) {
          comm.reduce(send, op, rootRank);
        } else {
          comm.reduce(send, receive, op, rootRank);
        }
        return null;
    }
  }

  private Request allReduce(Comm comm, Form as, boolean isOne, Buf send, Buf receive) {
    switch (as) {
      case NONBLOCKING:
        return isOne ? comm.iAllReduce(send, op) : comm.iAllReduce(send, receive, op);
      case PERSISTENT:
        return isOne ? comm.allReduceInit(send, op) : comm.allReduceInit(send, receive, op);
      default:
        if (isOne) {
          comm.allReduce(send, op);
        } else {
          comm.allReduce(send, receive, op);
        }
        return null;
    }
  }

  private Request scan(Comm comm, Form as, boolean isOne, Buf send, Buf receive) {
    switch (as) {
      case NONBLOCKING:
        return isOne ? comm.iScan(send, op) : comm.iScan(send, receive, op);
      case PERSISTENT:
        return isOne ? comm.scanInit(send, op) : comm.scanInit(send, receive, op);
      default:
        if (isOne) {
          comm.scan(send, op);
        } else {
          comm.scan(send, receive, op);
        }
        return null;
    }
  }

  private Request exScan(Comm comm, Form as, boolean isOne, Buf send, Buf receive) {
    switch (as) {
      case NONBLOCKING:
        return isOne ? comm.iExScan(send, op) : comm.iExScan(send, receive, op);
      case PERSISTENT:
        return isOne ? comm.exScanInit(send, op) : comm.exScanInit(send, receive, op);
      default:
        if (isOne) {
          comm.exScan(send, op);
        } else {
          comm.exScan(send, receive, op);
        }
        return null;
    }
  }

  private Request reduceScatterBlock(Comm comm, Form as, boolean isOne, Buf send, Buf receive) {
    switch (as) {
      case NONBLOCKING:
        return isOne ? comm.iReduceScatterBlock(send, op) : comm.iReduceScatterBlock(send, receive, op);
      case PERSISTENT:
        return isOne ? comm.reduceScatterBlockInit(send, op) : comm.reduceScatterBlockInit(send, receive, op);
      default:
        if (isOne) {
          comm.reduceScatterBlock(send, op);
        } else {
          comm.reduceScatterBlock(send, receive, op);
        }
        return null;
    }
  }

  private Request reduceScatter(Comm comm, Form as, boolean isOne, Buf send, Buf receive, int[] lengths) {
    switch (as) {
      case NONBLOCKING:
        return isOne ? comm.iReduceScatter(send, lengths, op) : comm.iReduceScatter(send, receive, lengths, op);
      case PERSISTENT:
        return isOne ? comm.reduceScatterInit(send, lengths, op) : comm.reduceScatterInit(send, receive, lengths, op);
      default:
        if (isOne) {
          comm.reduceScatter(send, lengths, op);
        } else {
          comm.reduceScatter(send, receive, lengths, op);
        }
        return null;
    }
  }
}
