// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.image;

import java.util.Map;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.internal.protection.Protected;

/**
 * Names, types and fixed lengths of the data that were protected at the first restore or save of an epoch. The body of the next
 * epoch comes to the same point with the same data protected, and restores there. A version with other contents could not be
 * restored, so a later change is refused.
 */
public final class ProtectedTable {
  private String table; // null until then

  /** A new epoch has begun. */
  public void forget() {
    table = null;
  }

  /**
   * Called by a save.
   *
   * @throws CheckpointException if the protected data differ now
   */
  public void requireAsBefore(Map<String, Protected> data) {
    String now = ComposedImage.table(data);
    String changed = table == null ? null : ComposedImage.changed(table, now);
    if (changed != null) {
      throw new CheckpointException("what is protected has changed since the first restore or save of this epoch, and after a "
          + "failure the restore at that place would refuse this version. " + changed);
    }
    table = now;
  }

  /** After a restore, which is no place for one rank alone to throw. */
  public void note(Map<String, Protected> data) {
    if (table == null) {
      try {
        table = ComposedImage.table(data);
      } catch (CheckpointException cannotBeSaved) {
        return; // the first save says so, on all ranks
      }
    }
  }
}
