// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.image;

import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.internal.protection.Protected;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.runtime.Setting;

/**
 * A copy of a process's data, taken when it first searched for a version and there was none. If the program has to begin from
 * its start once more, the data get these values again. Local: each process has its own.
 */
public final class InitialValues {
  private final Setting areKept;
  private final Map<String, KeptValue> initial = new LinkedHashMap<>();

  /** The rank whose data these are. */
  private int rank;
  private int size;

  /** Whether this process has had a version of this run: then no process begins from the start any more. */
  private boolean isOver;

  /** Empty; the setting says whether values are kept. */
  public InitialValues(Setting areKept) {
    this.areKept = areKept;
  }

  /**
   * A protected variable, and a copy of its first value.
   *
   * @param holder the array, the buffer or the object with the field that held it; null: a getter and a setter
   */
  private record KeptValue(WeakReference<Object> holder, Buf image) {
    boolean isOf(Protected item) {
      return holder == null ? item.holder() == null : holder.get() == item.holder();
    }
  }

  /**
   * Keeps the present values, or gives the data their kept values. An array or a buffer that the body has made anew belongs to
   * this beginning, and stays as it is; so does everything if this process has another rank now.
   */
  public void beginFromStart(Comm world, Map<String, Protected> data) {
    if (isOver || !areKept.booleanValue()) {
      return;
    }
    if (rank != world.rank() || size != world.size()) {
      drop();
      rank = world.rank();
      size = world.size();
    }
    Map<String, Protected> kept = new LinkedHashMap<>(data);
    kept.entrySet().removeIf(item -> !isKept(item.getKey(), item.getValue()));
    // All at once: an array that one variable gets must not go to another, though both may have the same array now.
    Set<Object> given = ComposedImage.claimed(kept.values());
    kept.forEach((name, item) -> ComposedImage.readInto(Map.of(name, item), initial.get(name).image, given));
    for (Map.Entry<String, Protected> item : data.entrySet()) {
      if (!kept.containsKey(item.getKey())) {
        keep(item.getKey(), item.getValue(), Map.of(item.getKey(), item.getValue()));
      }
    }
  }

  private boolean isKept(String name, Protected item) {
    KeptValue kept = initial.get(name);
    return kept != null && kept.isOf(item) && ComposedImage.mismatch(Map.of(name, item), kept.image) == null;
  }

  private void keep(String name, Protected item, Map<String, Protected> alone) {
    ComposedImage image;
    try {
      image = ComposedImage.of(0, alone);
    } catch (CheckpointException cannotBeSaved) {
      return; // the first save reports it, on all ranks
    }
    Buf copy = Buf.allocateBytes(image.bytes());
    image.copyTo(copy);
    Object holder = item.holder();
    KeptValue before = initial.put(name, new KeptValue(holder == null ? null : new WeakReference<>(holder), copy));
    if (before != null) {
      before.image.close();
    }
  }

  /** This process has had a version: the values are of no use any more. */
  public void forget() {
    isOver = true;
    drop();
  }

  /** Frees the memory of the values. */
  public void drop() {
    initial.values().forEach(kept -> kept.image.close());
    initial.clear();
  }
}
