// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.nio.charset.StandardCharsets;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/**
 * Why something failed, told to all: were only the rank in trouble to throw the reason, the exceptions of the others could end
 * the run before it comes to that.
 */
public final class Reason {
  private Reason() {}

  /**
   * All learn the reason of the lowest rank that has one. Collective, to be called when the ranks know that somebody has.
   *
   * @param mine this rank's reason; null if it has none
   */
  public static String tell(Comm world, String mine) {
    int teller = (int) world.allReduce(mine == null ? world.size() : (long) world.rank(), Op.MIN);
    byte[] text = mine == null ? new byte[0] : mine.getBytes(StandardCharsets.UTF_8);
    int[] length = {text.length};
    world.bcast(Buf.of(length), teller);
    byte[] told = teller == world.rank() ? text : new byte[length[0]];
    world.bcast(Buf.of(told), teller);
    return new String(told, StandardCharsets.UTF_8);
  }
}
