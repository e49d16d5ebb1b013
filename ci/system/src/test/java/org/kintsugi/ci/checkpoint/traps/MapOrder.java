// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.DoubleRef;
import org.kintsugi.checkpoint.Protect;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/**
 * The order of a {@link HashMap}. It depends on the size of the map's table, which shrinks when the map is serialized and read.
 *
 * <p>Needed: {@code total}, the map's entries, and their order. The complete form has a {@link LinkedHashMap}, which comes back
 * in its order; the incomplete form protects a {@code HashMap} with all its entries, and without the order.
 */
public final class MapOrder {
  private static final int STEPS = 12;
  private static final int EVERY = 4;
  /** The table grows for these. */
  private static final int KEYS = 40;
  private static final List<Integer> KEPT = List.of(3, 17, 20, 35);

  @Protect
  private HashMap<Integer, Double> map;

  private MapOrder(boolean isComplete) {
    map = isComplete ? new LinkedHashMap<>() : new HashMap<>();
    for (int key = 0; key < KEYS; key++) {
      map.put(key, 1.0 / (key + 1));
    }
    map.keySet().retainAll(KEPT);
  }

  public static void main(String[] args) {
    boolean isComplete = Form.isComplete(args);
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Checkpoint checkpoint = run.checkpoint();
      MapOrder data = new MapOrder(isComplete);
      DoubleRef total = checkpoint.doubleRef("total");
      checkpoint.protectFields("data", data);
      for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
        run.iteration(i);
        for (double value : data.map.values()) {
          total.set(0.5 * total.get() + value); // another order, another total
        }
        double all = run.world().allReduce(total.get(), Op.SUM);
        data.map.put(KEPT.get((int) i % KEPT.size()), all);
        if (i % EVERY == EVERY - 1) {
          checkpoint.save(i + 1);
        }
      }
      if (run.world().rank() == 0) {
        System.out.println("total " + total.get());
      }
    }));
  }
}
