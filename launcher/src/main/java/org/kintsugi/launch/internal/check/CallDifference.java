// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.check;

import java.util.Locale;
import org.kintsugi.runtime.internal.protocol.CollectiveCall;

/**
 * Explains the difference between two calls that ought to match on their communicator, and the remedy: a sentence for the user.
 */
final class CallDifference {
  static final String IN_ORDER =
      "All ranks of a communicator call its collectives in the same order: look at the condition that leads to each line, or "
          + "at the exception (a collective in finally, a Future that nobody asks).";
  /** A remark for differences in which a rank is at its end. */
  static final String AT_THE_END = " A program closes MPI also when an exception leaves it: that is printed below.";

  private static final String END = "MPI_Finalize";

  private CallDifference() {}

  /** The difference between the calls of two ranks; null: none. */
  static String between(CollectiveCall one, CollectiveCall other) {
    if (!one.function().equals(other.function())) {
      if (isEnd(one) || isEnd(other)) {
        return IN_ORDER + AT_THE_END;
      }
      return withoutI(one).equals(withoutI(other))
          ? "A collective that blocks does not meet one that does not: all ranks use the same form."
          : IN_ORDER;
    }
    if (!one.hasRootOf(other)) {
      return one.isOfBothGroups() || other.isOfBothGroups()
          ? "The root has to be the same in both groups: in its own group the root passes Intercomm.ROOT and all others "
              + "Comm.PROC_NULL, and the other group passes its rank."
          : "The root has to be the same on all ranks.";
    }
    if (!one.op().equals(other.op())) {
      return "The operation has to be the same on all ranks.";
    }
    if (!one.signature().isEmpty() && !other.signature().isEmpty() && !one.signature().equals(other.signature())) {
      return "Count and type have to be the same on all ranks; for parts of different lengths there are the methods with a V at "
          + "their end.";
    }
    String parts = parts(one, other);
    return parts == null ? parts(other, one) : parts;
  }

  /** Whether a rank is at the end of its program. */
  static boolean isEnd(CollectiveCall call) {
    return call.function().equals(END);
  }

  /** "MPI_Ibcast" and "MPI_Bcast" are the same collective. */
  private static String withoutI(CollectiveCall call) {
    return call.function().replaceFirst("^MPI_I(?=[a-z])", "MPI_").toLowerCase(Locale.ROOT);
  }

  private static String parts(CollectiveCall from, CollectiveCall to) {
    String sent = part(from.sends(), to.rank());
    String expected = part(to.receives(), from.rank());
    return sent.isEmpty() || expected.isEmpty() || sent.equals(expected) ? null
        : "Rank " + from.rank() + " sends " + elements(sent) + " to rank " + to.rank() + ", which expects "
            + elements(expected, sent) + " from it.";
  }

  private static String part(String parts, int rank) {
    String[] each = parts.split(",", -1);
    return rank < each.length ? each[rank] : "";
  }

  private static String elements(String signature) {
    String length = signature.replaceFirst("\\..*", "");
    return length + (length.equals("1") ? " element" : " elements");
  }

  /** The same number of others differs in the type. */
  private static String elements(String signature, String than) {
    return elements(signature) + (elements(signature).equals(elements(than)) ? " of another type" : "");
  }
}
