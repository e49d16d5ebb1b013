// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.variants;

import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.calls.NumberOperations;
import org.kintsugi.mpi.internal.threads.VirtualThreads;

/** As {@link VirtualThreadCollectives}, for collectives of one number. */
public final class VirtualThreadNumbers implements NumberOperations {
  private final NumberOperations calls;

  public VirtualThreadNumbers(NumberOperations calls) {
    this.calls = calls;
  }

  @Override
  public long bcast(Datatype type, long bits, int root) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.bcast(type, bits, root))
        : calls.bcast(type, bits, root);
  }

  @Override
  public long allReduce(Datatype type, long bits, Op op) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.allReduce(type, bits, op))
        : calls.allReduce(type, bits, op);
  }

  @Override
  public long scan(Datatype type, long bits, Op op) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.scan(type, bits, op))
        : calls.scan(type, bits, op);
  }

  @Override
  public long exScan(Datatype type, long bits, Op op, long first) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.exScan(type, bits, op, first))
        : calls.exScan(type, bits, op, first);
  }
}
