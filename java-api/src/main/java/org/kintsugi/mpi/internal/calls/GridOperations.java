// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Request;

/** The collectives that only a grid has; {@link CartComm} has the public methods. */
public interface GridOperations {
  CartComm sub(boolean[] keep);

  Request neighbourAllGather(CallForm form, Buf send, Buf receive);

  Request neighbourAllToAll(CallForm form, Buf send, Buf receive);
}
