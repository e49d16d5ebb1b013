// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.check;

import java.util.HashMap;
import java.util.Map;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.calls.CommState;
import org.kintsugi.mpi.internal.calls.CountedReceive;
import org.kintsugi.mpi.internal.calls.CountedStarts;
import org.kintsugi.mpi.internal.calls.StatusFields;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.launcher.LauncherConnection;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.protocol.MessageCount;

/**
 * Counts the messages that the program sends and receives on a communicator. It reports the counts
 * to the launcher from time to time, which compares sends with receives ({@link JobConfig#CHECK}).
 */
final class CheckedMessages {
  /**
   * The number of different counts at which they are reported. So a program with ever new tags does
   * not fill the memory.
   */
  private static final int MOST = 1000;

  private static final Datatype[] TYPES =
      {Datatype.BYTE, Datatype.SHORT, Datatype.CHAR, Datatype.INT, Datatype.LONG, Datatype.FLOAT, Datatype.DOUBLE};

  /** Messages that are counted together. */
  private record Kind(boolean isSent, int peer, int tag, String type, String place) {}

  private final Map<Kind, Long> counts = new HashMap<>();

  /** A receive that has begun; null if it is not counted. */
  public static final class Awaited implements CountedReceive {
    private final CommState on;
    private final String type;
    private final String place;

    private Awaited(CommState on, String type, String place) {
      this.on = on;
      this.type = type;
      this.place = place;
    }

    @Override
    public void countReceive(long status) {
      long isCancelled = Scratch.address() + Scratch.OF_STATUS; // the status itself is in the block, too
      if (MPI.MPI_Test_cancelled(status, isCancelled) == MPI.MPI_SUCCESS && Memory.getInt(isCancelled) == 0) {
        countReceive(Memory.getInt(status + StatusFields.SOURCE), Memory.getInt(status + StatusFields.TAG));
      }
    }

    @Override
    public void countReceive(int source, int tag) {
      CheckedComm.of(on).messages().count(on, new Kind(false, source, tag, type, place));
    }
  }

  /** Counts the messages of a persistent request, at each start. */
  public static final class Persistent implements CountedStarts {
    private final CommState on;
    private final Datatype type;
    private final boolean isSend;
    private final int dest;
    private final int tag;

    private Persistent(CommState on, Datatype type, boolean isSend, int dest, int tag) {
      this.on = on;
      this.type = type;
      this.isSend = isSend;
      this.dest = dest;
      this.tag = tag;
    }

    @Override
    public CountedReceive start() {
      if (isSend) {
        countSend(on, type, dest, tag);
        return null;
      }
      return await(on, type);
    }
  }

  static Persistent send(CommState on, Datatype type, int dest, int tag) {
    return new Persistent(on, type, true, dest, tag);
  }

  static Persistent receive(CommState on, Datatype type) {
    return new Persistent(on, type, false, 0, 0);
  }

  /** Counts a send that MPI has accepted. */
  static void countSend(CommState on, Datatype type, int dest, int tag) {
    String place = on.compared() == null ? null : place();
    if (place != null) {
      CheckedComm.of(on).messages().count(on, new Kind(true, dest, tag, nameOf(type), place));
    }
  }

  /** Begins to count a receive. */
  static Awaited await(CommState on, Datatype type) {
    String place = on.compared() == null ? null : place();
    return place == null ? null : new Awaited(on, nameOf(type), place);
  }

  /** The place in the program; null: Kintsugi has called this for itself. */
  private static String place() {
    CallTrace.Site site = CallTrace.site(false);
    return site == null ? null : site.call() + (site.line().isEmpty() ? "" : ", " + site.line());
  }

  /** The name of the basic type, if all elements are of one; otherwise empty. */
  private static String nameOf(Datatype type) {
    for (Datatype basic : TYPES) {
      if (basic == type || Access.bufs().countFor(basic, 1, type) > 0) {
        return basic.toString();
      }
    }
    return "";
  }

  private void count(CommState on, Kind kind) {
    if (kind.peer < 0) {
      return; // PROC_NULL
    }
    synchronized (counts) {
      counts.merge(kind, 1L, Long::sum);
      if (counts.size() >= MOST) {
        tell(CheckedComm.of(on));
      }
    }
  }

  /** Reports the counts to the launcher, and begins anew. */
  void tell(CheckedComm of) {
    synchronized (counts) {
      counts.forEach((kind, count) -> {
        int peer = of.peer(kind.peer);
        LauncherConnection.sayMessages(new MessageCount(of.root(), of.id(), of.name(), kind.isSent ? of.rank() : peer,
            kind.isSent ? peer : of.rank(), kind.isSent, kind.tag, kind.type, kind.place, count));
      });
      counts.clear();
    }
  }
}
