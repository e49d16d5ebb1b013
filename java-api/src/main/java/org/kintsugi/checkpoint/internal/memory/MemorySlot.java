// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.memory;

import java.util.List;
import java.util.function.Predicate;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.image.ImageMemory;
import org.kintsugi.mpi.Buf;
import org.kintsugi.runtime.internal.InRecovery;

/** Room for one version's image in memory, and which version it holds. */
class MemorySlot {
  /** {@link Version#NONE}: nothing, or an image that is not complete. */
  Version version = Version.NONE;
  final ImageMemory room = new ImageMemory();

  /** Room for an image that is about to be written; the image before is gone. */
  final Buf open(long size) {
    version = Version.NONE;
    return room.open(size);
  }

  /** Empties the slots that hold such a version. */
  static void forget(List<? extends MemorySlot> slots, Predicate<Version> what) {
    for (MemorySlot slot : slots) {
      if (what.test(slot.version)) {
        slot.version = Version.NONE;
      }
    }
  }

  /** Empties the slots that hold a version which this one does not keep. */
  @InRecovery
  static void keepWith(List<? extends MemorySlot> slots, Version version) {
    for (MemorySlot slot : slots) {
      if (!slot.version.isKeptWith(version)) {
        slot.version = Version.NONE;
      }
    }
  }

  /** The newest version that any of them holds. */
  static Version newest(List<? extends MemorySlot> slots) {
    Version newest = Version.NONE;
    for (MemorySlot slot : slots) {
      newest = slot.version.compareTo(newest) > 0 ? slot.version : newest;
    }
    return newest;
  }
}
