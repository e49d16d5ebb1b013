// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.List;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.ScopedComm;
import org.kintsugi.mpi.internal.CallTrace;
import org.kintsugi.runtime.internal.protocol.RankPlace;

/** The names of communicators in reports of stalls. Called by any thread. */
final class CommNames implements CallTrace.Names {
  @Override
  public String commIn(Scope scope, long handle, String first) {
    List<ScopedComm> comms = scope.comms();
    for (int i = 0; i < comms.size(); i++) {
      Comm comm = ((CommInScope) comms.get(i)).comm();
      if (comm.rawHandle() == handle) {
        String given = comm.givenName();
        return given != null ? withName(given, comm) : i == 0 ? first : whatIs(comm);
      }
    }
    return null;
  }

  /**
   * The name of an intercommunicator always says its kind: the launcher looks for that
   * (StallReport).
   */
  private static String withName(String given, Comm comm) {
    return "\"" + given + "\"" + (comm instanceof Intercomm ? ", " + whatIs(comm) : "");
  }

  private static String whatIs(Comm comm) {
    return comm instanceof Intercomm ? RankPlace.INTERCOMM + comm.rawSize() + " and " + comm.peers() + " ranks"
        : "a communicator of " + comm.rawSize() + (comm.rawSize() == 1 ? " rank" : " ranks");
  }

  @Override
  public Class<?> shown(Class<?> declaring) {
    return declaring != Object.class && declaring.isAssignableFrom(Comm.class) ? Comm.class : declaring;
  }
}
