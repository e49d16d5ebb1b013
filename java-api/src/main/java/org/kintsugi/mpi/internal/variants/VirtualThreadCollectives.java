// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.variants;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.TypedParts;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.CollectiveOperations;
import org.kintsugi.mpi.internal.threads.VirtualThreads;

/**
 * Lets a platform thread call a blocking collective for a virtual one, see {@link VirtualThreads}. The nonblocking form, which a
 * virtual thread could poll, would not match the blocking one of another process.
 */
public final class VirtualThreadCollectives implements CollectiveOperations {
  private final CollectiveOperations calls;

  public VirtualThreadCollectives(CollectiveOperations calls) {
    this.calls = calls;
  }

  @Override
  public void requireObjects(String method) {
    calls.requireObjects(method);
  }

  static boolean needsPlatformThread(CallForm form) {
    return form == CallForm.BLOCKING && VirtualThreads.needsPlatformThread();
  }

  @Override
  public Request barrier(CallForm form) {
    return needsPlatformThread(form) ? VirtualThreads.onPlatformThread(() -> calls.barrier(form)) : calls.barrier(form);
  }

  @Override
  public Request bcast(CallForm form, Buf buf, int root) {
    return needsPlatformThread(form) ? VirtualThreads.onPlatformThread(() -> calls.bcast(form, buf, root))
        : calls.bcast(form, buf, root);
  }

  @Override
  public Request reduce(CallForm form, Buf send, Buf receive, Op op, int root) {
    return needsPlatformThread(form) ? VirtualThreads.onPlatformThread(() -> calls.reduce(form, send, receive, op, root))
        : calls.reduce(form, send, receive, op, root);
  }

  @Override
  public Request allReduce(CallForm form, Buf send, Buf receive, Op op) {
    return needsPlatformThread(form) ? VirtualThreads.onPlatformThread(() -> calls.allReduce(form, send, receive, op))
        : calls.allReduce(form, send, receive, op);
  }

  @Override
  public Request scan(CallForm form, Buf send, Buf receive, Op op) {
    return needsPlatformThread(form) ? VirtualThreads.onPlatformThread(() -> calls.scan(form, send, receive, op))
        : calls.scan(form, send, receive, op);
  }

  @Override
  public Request exScan(CallForm form, Buf send, Buf receive, Op op) {
    return needsPlatformThread(form) ? VirtualThreads.onPlatformThread(() -> calls.exScan(form, send, receive, op))
        : calls.exScan(form, send, receive, op);
  }

  @Override
  public Request reduceScatterBlock(CallForm form, Buf send, Buf receive, Op op) {
    return needsPlatformThread(form) ? VirtualThreads.onPlatformThread(() -> calls.reduceScatterBlock(form, send, receive, op))
        : calls.reduceScatterBlock(form, send, receive, op);
  }

  @Override
  public Request reduceScatter(CallForm form, Buf send, Buf receive, int[] counts, Op op) {
    return needsPlatformThread(form) ? VirtualThreads.onPlatformThread(() -> calls.reduceScatter(form, send, receive, counts, op))
        : calls.reduceScatter(form, send, receive, counts, op);
  }

  @Override
  public Request gather(CallForm form, Buf send, Buf receive, int root) {
    return needsPlatformThread(form) ? VirtualThreads.onPlatformThread(() -> calls.gather(form, send, receive, root))
        : calls.gather(form, send, receive, root);
  }

  @Override
  public Request scatter(CallForm form, Buf send, Buf receive, int root) {
    return needsPlatformThread(form) ? VirtualThreads.onPlatformThread(() -> calls.scatter(form, send, receive, root))
        : calls.scatter(form, send, receive, root);
  }

  @Override
  public Request allGather(CallForm form, Buf send, Buf receive) {
    return needsPlatformThread(form) ? VirtualThreads.onPlatformThread(() -> calls.allGather(form, send, receive))
        : calls.allGather(form, send, receive);
  }

  @Override
  public Request allToAll(CallForm form, Buf send, Buf receive) {
    return needsPlatformThread(form) ? VirtualThreads.onPlatformThread(() -> calls.allToAll(form, send, receive))
        : calls.allToAll(form, send, receive);
  }

  @Override
  public Request gatherV(CallForm form, Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    return needsPlatformThread(form)
        ? VirtualThreads.onPlatformThread(() -> calls.gatherV(form, send, receive, counts, displacements, root))
        : calls.gatherV(form, send, receive, counts, displacements, root);
  }

  @Override
  public Request scatterV(CallForm form, Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    return needsPlatformThread(form)
        ? VirtualThreads.onPlatformThread(() -> calls.scatterV(form, send, counts, displacements, receive, root))
        : calls.scatterV(form, send, counts, displacements, receive, root);
  }

  @Override
  public Request allGatherV(CallForm form, Buf send, Buf receive, int[] counts, int[] displacements) {
    return needsPlatformThread(form)
        ? VirtualThreads.onPlatformThread(() -> calls.allGatherV(form, send, receive, counts, displacements))
        : calls.allGatherV(form, send, receive, counts, displacements);
  }

  @Override
  public Request allToAllV(CallForm form, Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    return needsPlatformThread(form)
        ? VirtualThreads.onPlatformThread(
            () -> calls.allToAllV(form, send, sendCounts, sendDisplacements, receive, receiveCounts, receiveDisplacements))
        : calls.allToAllV(form, send, sendCounts, sendDisplacements, receive, receiveCounts, receiveDisplacements);
  }

  @Override
  public Request allToAllW(CallForm form, Buf send, TypedParts sendParts, Buf receive, TypedParts receiveParts) {
    return needsPlatformThread(form)
        ? VirtualThreads.onPlatformThread(() -> calls.allToAllW(form, send, sendParts, receive, receiveParts))
        : calls.allToAllW(form, send, sendParts, receive, receiveParts);
  }
}
