// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.variants;

import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.SplitType;
import org.kintsugi.mpi.internal.calls.CommunicatorOperations;
import org.kintsugi.mpi.internal.threads.VirtualThreads;

/** Lets a platform thread call MPI for a virtual one, see {@link VirtualThreads}. */
public final class VirtualThreadCommunicators implements CommunicatorOperations {
  private final CommunicatorOperations calls;

  public VirtualThreadCommunicators(CommunicatorOperations calls) {
    this.calls = calls;
  }

  @Override
  public Comm dup() {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.dup()) : calls.dup();
  }

  @Override
  public Comm dup(Info info) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.dup(info)) : calls.dup(info);
  }

  @Override
  public Comm split(int color, int key) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.split(color, key))
        : calls.split(color, key);
  }

  @Override
  public Comm split(SplitType type, int key, Info info) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.split(type, key, info))
        : calls.split(type, key, info);
  }

  @Override
  public Comm create(Group group) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.create(group))
        : calls.create(group);
  }

  @Override
  public Comm create(Group group, int tag) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.create(group, tag))
        : calls.create(group, tag);
  }

  @Override
  public CartComm cart(int[] dims, boolean[] periodic, boolean reorder) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.cart(dims, periodic, reorder))
        : calls.cart(dims, periodic, reorder);
  }

  @Override
  public Intercomm spawn(String command, String[] arguments, int processes, Info info, int root) {
    return VirtualThreads.needsPlatformThread()
        ? VirtualThreads.onPlatformThread(() -> calls.spawn(command, arguments, processes, info, root))
        : calls.spawn(command, arguments, processes, info, root);
  }

  @Override
  public Intercomm intercomm(int localLeader, Comm peer, int remoteLeader, int tag) {
    return VirtualThreads.needsPlatformThread()
        ? VirtualThreads.onPlatformThread(() -> calls.intercomm(localLeader, peer, remoteLeader, tag))
        : calls.intercomm(localLeader, peer, remoteLeader, tag);
  }

  @Override
  public Comm merge(boolean high) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.merge(high)) : calls.merge(high);
  }

  @Override
  public Comm shrink() {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.shrink()) : calls.shrink();
  }

  @Override
  public int agree(int value) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> calls.agree(value)) : calls.agree(value);
  }
}
