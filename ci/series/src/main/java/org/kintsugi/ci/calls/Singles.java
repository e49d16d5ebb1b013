// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;

/** The forms with a single number, and the barrier. They block, and touch no memory of the program. */
final class Singles extends Operation {
  /** The collectives. */
  enum What {
    BARRIER("barrier"),
    BCAST("bcast of a number"),
    ALL_REDUCE("allReduce of a number"),
    SCAN("scan of a number"),
    EX_SCAN("exScan of a number");

    private final String text;

    What(String text) {
      this.text = text;
    }
  }

  private static final Basic[] KINDS = {Basic.INT, Basic.LONG, Basic.DOUBLE};
  private static final int FIRST = 77;

  private final What what;
  private final Layout layout;
  private final Op op;
  private final int root;
  /** Of each rank of the world. */
  private final ByteBuffer[] values;
  private ByteBuffer found;

  Singles(Plan plan, Team team, Form form, What what) {
    super(plan, team, what == What.BARRIER ? form : Form.BLOCKING);
    this.what = what;
    layout = Layout.of(KINDS[plan.random.nextInt(KINDS.length)]);
    Op chosen;
    do {
      chosen = Combining.PREDEFINED[plan.random.nextInt(Combining.PREDEFINED.length)];
    } while (!Combining.isDefined(chosen, layout));
    op = chosen;
    int[] members = team.members();
    root = members[plan.random.nextInt(members.length)];
    values = new ByteBuffer[plan.areas.size()];
    if (team.isInter() && (what == What.SCAN || what == What.EX_SCAN)) {
      refuse();
    }
  }

  @Override
  String name() {
    return what.text;
  }

  @Override
  String details() {
    return what == What.BARRIER ? "" : "  " + layout + ", " + (what == What.BCAST ? "root " + root : op);
  }

  @Override
  void fill(SplittableRandom random, byte[][][] images) {
    Area one = new Area(random, true);
    one.cover(8);
    Place place = new Place(0, one, 0, 0, layout, 1, false);
    for (int i = 0; i < values.length; i++) {
      values[i] = Combining.packed(layout);
      Combining.predefined(op).fill(random, place, 0, values[i]);
    }
  }

  @Override
  void define(byte[][][] before, byte[][][] after) {}

  @Override
  void check(int me) {
    if (what == What.BARRIER || isRefused()) {
      return;
    }
    int[] from = team.peers(me);
    int ranks = what == What.SCAN ? team.rank(me) + 1 : what == What.EX_SCAN ? team.rank(me) : from.length;
    ByteBuffer expected = Combining.packed(layout);
    if (what == What.BCAST) {
      boolean isGiver = me == root || team.isInter() && team.side(me) == team.side(root);
      expected = values[isGiver ? me : root];
    } else if (ranks == 0) {
      put(expected, FIRST);
    } else {
      expected.put(0, values[from[ranks - 1]], 0, expected.capacity());
      for (int i = ranks - 2; i >= 0; i--) {
        Combining.predefined(op).combine(values[from[i]], expected, layout);
      }
    }
    for (int i = 0; i < expected.capacity(); i++) {
      if (expected.get(i) != found.get(i)) {
        throw new WrongException("the number is " + text(found) + " instead of " + text(expected));
      }
    }
  }

  private String text(ByteBuffer number) {
    return layout.kinds[0] == Basic.DOUBLE ? String.valueOf(number.getDouble(0))
        : String.valueOf(layout.kinds[0].whole(number, 0));
  }

  private void put(ByteBuffer to, double number) {
    if (layout.kinds[0] == Basic.DOUBLE) {
      to.putDouble(0, number);
    } else {
      layout.kinds[0].putWhole(to, 0, (long) number);
    }
  }

  @Override
  Request call(int me, Comm comm, Form as) {
    if (what == What.BARRIER) {
      switch (as) {
        case NONBLOCKING:
          return comm.iBarrier();
        case PERSISTENT:
          return comm.barrierInit();
        default:
          comm.barrier();
          return null;
      }
    }
    found = Combining.packed(layout);
    ByteBuffer own = values[me];
    switch (layout.kinds[0]) {
      case INT -> found.putInt(0, ofInt(comm, me, own.getInt(0)));
      case LONG -> found.putLong(0, ofLong(comm, me, own.getLong(0)));
      default -> found.putDouble(0, ofDouble(comm, me, own.getDouble(0)));
    }
    return null;
  }

  private int rootFor(int me) {
    return !team.isInter() ? team.rank(root)
        : me == root ? Intercomm.ROOT : team.side(me) == team.side(root) ? Comm.PROC_NULL : team.rank(root);
  }

  private int ofInt(Comm comm, int me, int own) {
    return switch (what) {
      case BCAST -> comm.bcast(own, rootFor(me));
      case ALL_REDUCE -> comm.allReduce(own, op);
      case SCAN -> comm.scan(own, op);
      default -> comm.exScan(own, op, FIRST);
    };
  }

  private long ofLong(Comm comm, int me, long own) {
    return switch (what) {
      case BCAST -> comm.bcast(own, rootFor(me));
      case ALL_REDUCE -> comm.allReduce(own, op);
      case SCAN -> comm.scan(own, op);
      default -> comm.exScan(own, op, FIRST);
    };
  }

  private double ofDouble(Comm comm, int me, double own) {
    return switch (what) {
      case BCAST -> comm.bcast(own, rootFor(me));
      case ALL_REDUCE -> comm.allReduce(own, op);
      case SCAN -> comm.scan(own, op);
      default -> comm.exScan(own, op, FIRST);
    };
  }
}
