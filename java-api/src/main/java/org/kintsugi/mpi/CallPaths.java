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
import org.kintsugi.mpi.internal.events.JobEvents;
import org.kintsugi.mpi.internal.threads.VirtualThreads;
import org.kintsugi.mpi.internal.variants.TimedCollectives;
import org.kintsugi.mpi.internal.variants.TimedGrid;
import org.kintsugi.mpi.internal.variants.TimedMessages;
import org.kintsugi.mpi.internal.variants.TimedNumbers;
import org.kintsugi.mpi.internal.variants.VirtualThreadCollectives;
import org.kintsugi.mpi.internal.variants.VirtualThreadCommunicators;
import org.kintsugi.mpi.internal.variants.VirtualThreadGrid;
import org.kintsugi.mpi.internal.variants.VirtualThreadMessages;
import org.kintsugi.mpi.internal.variants.VirtualThreadNumbers;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * Puts what a job wants around the objects that carry out a communicator's calls: the comparison
 * of {@code --check}, the calls of virtual threads, and the times for a recording. Most jobs want
 * none of them, and the calls reach MPI directly.
 */
@InRecovery
final class CallPaths {
  private CallPaths() {}

  static MessageOperations messages(CommHandle comm) {
    MessageCalls direct = new MessageCalls(comm);
    MessageOperations calls = VirtualThreads.mayCall() ? new VirtualThreadMessages(comm, direct, direct) : direct;
    MessageOperations checked = CheckedComm.IS_ON ? new CheckedMessageCalls(comm, calls) : calls;
    return JobEvents.ARE_ON ? new TimedMessages(checked) : checked;
  }

  static CommunicatorOperations communicators(CommunicatorOperations calls) {
    return VirtualThreads.mayCall() ? new VirtualThreadCommunicators(calls) : calls;
  }

  static CollectiveOperations collectives(CollectiveOperations calls) {
    CollectiveOperations inner = VirtualThreads.mayCall() ? new VirtualThreadCollectives(calls) : calls;
    return JobEvents.ARE_ON ? new TimedCollectives(inner) : inner;
  }

  static NumberOperations numbers(NumberOperations calls) {
    NumberOperations inner = VirtualThreads.mayCall() ? new VirtualThreadNumbers(calls) : calls;
    return JobEvents.ARE_ON ? new TimedNumbers(inner) : inner;
  }

  static GridOperations grid(GridOperations calls) {
    GridOperations inner = VirtualThreads.mayCall() ? new VirtualThreadGrid(calls) : calls;
    return JobEvents.ARE_ON ? new TimedGrid(inner) : inner;
  }

  static CollectiveReports reports() {
    return CheckedComm.IS_ON ? new CheckedCollectives() : new CollectiveReports();
  }
}
