// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.calls.CallForm;

/** The collectives that only a grid has; {@link CartComm} has the public methods. */
interface GridOperations {
  CartComm sub(boolean[] keep);

  Request neighbourAllGather(CallForm form, Buf send, Buf receive);

  Request neighbourAllToAll(CallForm form, Buf send, Buf receive);
}
