// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.variants;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.GridOperations;
import org.kintsugi.mpi.internal.threads.VirtualThreads;

/** As {@link VirtualThreadCollectives}, for those of a grid. */
public final class VirtualThreadGrid implements GridOperations {
  private final GridOperations calls;

  public VirtualThreadGrid(GridOperations calls) {
    this.calls = calls;
  }

  @Override
  public CartComm sub(boolean[] keep) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.sub(keep)) : calls.sub(keep);
  }

  @Override
  public Request neighbourAllGather(CallForm form, Buf send, Buf receive) {
    return VirtualThreadCollectives.needsPlatformThread(form)
        ? VirtualThreads.onPlatformThread(() -> calls.neighbourAllGather(form, send, receive))
        : calls.neighbourAllGather(form, send, receive);
  }

  @Override
  public Request neighbourAllToAll(CallForm form, Buf send, Buf receive) {
    return VirtualThreadCollectives.needsPlatformThread(form)
        ? VirtualThreads.onPlatformThread(() -> calls.neighbourAllToAll(form, send, receive))
        : calls.neighbourAllToAll(form, send, receive);
  }
}
