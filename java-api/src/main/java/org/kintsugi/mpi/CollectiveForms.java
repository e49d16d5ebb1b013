// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.CollectiveReports;
import org.kintsugi.mpi.internal.calls.CommState;
import org.kintsugi.mpi.internal.calls.PartsExchange;
import org.kintsugi.mpi.internal.calls.Reduction;
import org.kintsugi.mpi.internal.calls.RootedExchange;
import org.kintsugi.mpi.internal.memory.Errors;

/**
 * The differences between the three forms of a collective. These are the name of MPI's function,
 * how buffers are staged, and what happens afterwards.
 */
abstract class CollectiveForms extends CollectiveChecks {
  static final long NO_HINTS = MPI.MPI_INFO_NULL;

  /** A constant, so that the JVM's compilers remove the calls where it does nothing. */
  static final CollectiveReports REPORTS = CallPaths.reports();

  CollectiveForms(CommHandle comm) {
    super(comm);
  }

  static Transfer transfer(CallForm form, Buf send, Buf receive) {
    return form == CallForm.BLOCKING ? Transfer.ofBlocking(send, receive) : new Transfer(send, receive);
  }

  /** For a gather or scatter. Either buffer may be null. */
  static Transfer transfer(CallForm form, RootedExchange exchange, Buf part, Buf whole) {
    return exchange == RootedExchange.GATHER ? transfer(form, part, whole)
        : Transfer.scatter(form == CallForm.BLOCKING, whole, part);
  }

  /** For an exchange of parts that the call's arrays name: see {@link Transfer#ofParts}. */
  static Transfer transferOfParts(CallForm form, Buf send, Buf receive) {
    return Transfer.ofParts(form == CallForm.BLOCKING, send, receive);
  }

  /**
   * The memory of a reduction.
   *
   * @param results how many elements of the result this process gets
   * @param function that of the blocking form
   */
  static Transfer reducing(CallForm form, Buf send, Buf receive, long results, Op op, String function) {
    if (op.marked() == null) {
      return Transfer.ofReduction(form == CallForm.BLOCKING, send, receive, results).receiving(results).using(op);
    }
    MarkedElements.Operands operands = op.marked().operands(send, receive, results, form.nameOf(function));
    return transfer(form, operands.send(), operands.receive()).using(op, operands);
  }

  /** The {@code MPI_Datatype} with which MPI reduces elements. */
  static long reducedType(Op op, Datatype elements) {
    return op.marked() == null ? elements.handle() : op.marked().handle();
  }

  /**
   * Finishes a collective after MPI's function, in one of its forms.
   *
   * @param function that of the blocking form
   * @return the request; null if the blocking function has done the operation
   */
  final Request begun(CallForm form, int code, String function, Transfer transfer) {
    String called = code == MPI.MPI_SUCCESS ? function : form.nameOf(function);
    if (form == CallForm.NONBLOCKING) {
      return comm.started(code, called, transfer);
    }
    if (form == CallForm.PERSISTENT) {
      return comm.initialised(code, called, transfer);
    }
    if (CommState.isLeft(code)) {
      comm.keep(transfer);
      comm.check(code, called);
    }
    Throwable thrown = transfer.complete(code == MPI.MPI_SUCCESS, false, 0);
    comm.check(code, called);
    Errors.rethrow(thrown);
    return null;
  }

  /**
   * Sends and receives parts of one length, once they are checked.
   *
   * @param handle of the communicator
   * @param count elements of each part that is sent
   * @param parts how many parts are received
   * @param compared the type, if all ranks must send the same number of elements; null for
   *     neighbours, which need not
   */
  final Request exchange(CallForm form, PartsExchange exchange, long handle, Buf send, long count, Buf receive, int parts,
      Datatype compared) {
    long type = LargeCounts.type(send.datatype(), count);
    long otherCount = comm.isBetweenGroups() ? requireWholeParts(receive, comm.peers()) : countIn(receive, send, count);
    long otherType = LargeCounts.type(receive.datatype(), otherCount);
    REPORTS.call(comm, form, exchange.function, -1, null, count, compared);
    Transfer transfer = receiving(transfer(form, send, receive), otherCount * parts);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = exchange.call(form, from, LargeCounts.count(send.datatype(), count), type, to,
        LargeCounts.count(receive.datatype(), otherCount), otherType, handle);
    return begun(form, code, exchange.function, transfer);
  }

  /** Notes how many elements an exchange of equal parts receives. @return the transfer */
  Transfer receiving(Transfer transfer, long elements) {
    return transfer.receiving(elements);
  }

  /**
   * Scans are not defined between two groups. All forms are refused alike: Open MPI refuses scan,
   * and crashes in exScan (5.0.7, open-mpi/ompi#14006).
   */
  final void refuseBetweenGroups(CallForm form, Reduction reduction) {
    if (comm.isBetweenGroups() && reduction.isPrefix()) {
      comm.check(MPI.MPI_ERR_COMM, form.nameOf(reduction.function));
    }
  }
}
