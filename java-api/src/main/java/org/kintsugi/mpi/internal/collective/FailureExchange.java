// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.collective;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/**
 * Sends the reason of a failure to all ranks. Otherwise the exceptions of other ranks could end the
 * run before the failed rank throws the reason.
 */
public final class FailureExchange {
  private FailureExchange() {}

  /**
   * Whether any rank has a reason, and which. Collective.
   *
   * @param mine this rank's reason; null if it has none
   * @return that of the lowest rank that has one; null if none has
   */
  public static String agree(Comm world, String mine) {
    int teller = world.allReduce(mine == null ? world.size() : world.rank(), Op.MIN);
    if (teller == world.size()) {
      return null;
    }
    return tell(world, teller, mine);
  }

  /** One rank's text, returned on all ranks. The other ranks may pass null. Collective. */
  public static String tell(Comm world, int teller, String mine) {
    byte[] text = mine == null ? new byte[0] : mine.getBytes(StandardCharsets.UTF_8);
    int length = world.bcast(text.length, teller);
    byte[] told = teller == world.rank() ? text : new byte[length];
    world.bcast(Buf.wrap(told), teller);
    return new String(told, StandardCharsets.UTF_8);
  }

  /**
   * As {@link #agree(Comm, String)}, for exceptions: a rank that has one keeps it, with its cause. Collective.
   *
   * @param mine this rank's, whose message names the rank; null if it has none
   * @param others what the other ranks get, made of the message
   * @return null if no rank has one
   */
  public static <E extends RuntimeException> E agree(Comm world, E mine, Function<String, E> others) {
    String reason = agree(world, mine == null ? null : mine.getMessage());
    return mine != null || reason == null ? mine : others.apply(reason);
  }

  /** As {@link #agree(Comm, RuntimeException, Function)}, and goes on only if no rank has an exception. Collective. */
  public static <E extends RuntimeException> void refuse(Comm world, E mine, Function<String, E> others) {
    E failure = agree(world, mine, others);
    if (failure != null) {
      throw failure;
    }
  }
}
