// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.calls.CollectiveOperations;
import org.kintsugi.mpi.internal.calls.CollectiveReports;
import org.kintsugi.mpi.internal.calls.CommunicatorOperations;
import org.kintsugi.mpi.internal.calls.GridOperations;
import org.kintsugi.mpi.internal.calls.MessageOperations;
import org.kintsugi.mpi.internal.calls.NumberOperations;
import org.kintsugi.mpi.internal.check.CheckedCollectives;
import org.kintsugi.mpi.internal.check.CheckedComm;
import org.kintsugi.mpi.internal.check.CheckedMessageCalls;
import org.kintsugi.mpi.internal.threads.VirtualThreads;
import org.kintsugi.mpi.internal.variants.VirtualThreadCollectives;
import org.kintsugi.mpi.internal.variants.VirtualThreadCommunicators;
import org.kintsugi.mpi.internal.variants.VirtualThreadGrid;
import org.kintsugi.mpi.internal.variants.VirtualThreadMessages;
import org.kintsugi.mpi.internal.variants.VirtualThreadNumbers;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * Puts what a job wants around the objects that carry out a communicator's calls: the comparison
 * of {@code --check}, and the calls of virtual threads. Most jobs want neither, and the calls
 * reach MPI directly.
 */
@InRecovery
final class CallPaths {
  private CallPaths() {}

  static MessageOperations messages(CommHandle comm) {
    MessageCalls direct = new MessageCalls(comm);
    MessageOperations calls = VirtualThreads.mayCall() ? new VirtualThreadMessages(comm, direct, direct) : direct;
    return CheckedComm.IS_ON ? new CheckedMessageCalls(comm, calls) : calls;
  }

  static CommunicatorOperations communicators(CommunicatorOperations calls) {
    return VirtualThreads.mayCall() ? new VirtualThreadCommunicators(calls) : calls;
  }

  static CollectiveOperations collectives(CollectiveOperations calls) {
    return VirtualThreads.mayCall() ? new VirtualThreadCollectives(calls) : calls;
  }

  static NumberOperations numbers(NumberOperations calls) {
    return VirtualThreads.mayCall() ? new VirtualThreadNumbers(calls) : calls;
  }

  static GridOperations grid(GridOperations calls) {
    return VirtualThreads.mayCall() ? new VirtualThreadGrid(calls) : calls;
  }

  static CollectiveReports reports() {
    return CheckedComm.IS_ON ? new CheckedCollectives() : new CollectiveReports();
  }
}
