// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

import java.io.Serializable;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/**
 * A ring of objects, and a cursor that goes round it.
 *
 * <p>Needed: the ring and the cursor in one object. The incomplete form protects them as two objects: after a restore the cursor
 * is in a copy of the ring, and the steps do not change the ring itself. Not needed: {@link Node#seen}, which each step writes
 * before it reads it; it is transient.
 */
public final class CyclicGraph {
  private static final int STEPS = 12;
  private static final int EVERY = 4;
  private static final int NODES = 5;

  private CyclicGraph() {}

  /** An element of the ring. */
  static final class Node implements Serializable {
    private static final long serialVersionUID = 1L;
    Node next;
    double value;
    transient double seen;
  }

  /** The ring by one of its elements, and the cursor. */
  static final class Ring implements Serializable {
    private static final long serialVersionUID = 1L;
    Node first = new Node();
    Node cursor = first;

    Ring() {
      Node last = first;
      for (int i = 1; i < NODES; i++) {
        last.next = new Node();
        last = last.next;
      }
      last.next = first;
    }

    double sum() {
      double sum = first.value;
      for (Node node = first.next; node != first; node = node.next) {
        sum = 0.9 * sum + node.value;
      }
      return sum;
    }
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Checkpoint checkpoint = run.checkpoint();
      Ring[] ring = {new Ring()};
      if (Form.isComplete(args)) {
        checkpoint.protectObject("ring", Ring.class, () -> ring[0], value -> ring[0] = value);
      } else {
        checkpoint.protectObject("first", Node.class, () -> ring[0].first, value -> ring[0].first = value);
        checkpoint.protectObject("cursor", Node.class, () -> ring[0].cursor, value -> ring[0].cursor = value);
      }
      for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
        run.iteration(i);
        Node cursor = ring[0].cursor;
        cursor.seen = ring[0].sum();
        cursor.value = run.world().allReduce(cursor.seen + i + run.world().rank(), Op.SUM);
        ring[0].cursor = cursor.next;
        if (i % EVERY == EVERY - 1) {
          checkpoint.save(i + 1);
        }
      }
      if (run.world().rank() == 0) {
        System.out.println("sum " + ring[0].sum());
      }
    }));
  }
}
