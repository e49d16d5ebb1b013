// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ULFM;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.runtime.Flavour;

/**
 * ULFM's operations on communicators, to continue after a failure. They need a job started under
 * {@code mpirun --with-ft ulfm}; in another job MPI's functions would silently do nothing, so these
 * methods throw.
 */
public abstract class FaultTolerance extends ObjectMessages {
  FaultTolerance(long handle, Scope scope) {
    super(handle, scope);
  }

  /** A communicator like this one around a new handle; null for the null handle. */
  abstract Comm adopt(long newHandle);

  /**
   * Ends all communication on this communicator, here and, soon, on all other processes. Pending
   * and later operations fail with {@link RevokedException}. Not collective, does not block, and
   * may be called by several processes. {@code MPIX_Comm_revoke}.
   */
  public void revoke() {
    Mpi.requireFaultTolerance("revoke");
    CheckedComm.fail(this);
    Errors.check(ULFM.MPIX_Comm_revoke(handle()), "MPIX_Comm_revoke");
  }

  /**
   * Whether it is known here to be revoked. Local. {@code MPIX_Comm_is_revoked}.
   *
   * @return false as well if another process has revoked it, but this process has not been notified
   *     yet
   */
  public boolean isRevoked() {
    Mpi.requireFaultTolerance("isRevoked");
    long scratch = Scratch.address();
    Errors.check(ULFM.MPIX_Comm_is_revoked(handle(), scratch), "MPIX_Comm_is_revoked");
    return Memory.getInt(scratch) != 0;
  }

  /**
   * A new communicator of the living processes, in the same order. Works on revoked communicators;
   * collective over the living. {@code MPIX_Comm_shrink}.
   *
   * @return the caller closes it; null on an intercommunicator if no process of the other group is left
   */
  public Comm shrink() {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> makeShrunk()) : makeShrunk();
  }

  private Comm makeShrunk() {
    Mpi.requireFaultTolerance("shrink");
    letNewCommunicatorsIn();
    long scratch = Scratch.address();
    check(ULFM.MPIX_Comm_shrink(handle(), scratch), "MPIX_Comm_shrink");
    return CheckedComm.nameOfSome(adopt(Memory.getLong(scratch)), (Comm) this, "shrunk");
  }

  /**
   * Works around a queue in Open MPI (5.0.7, comm_cid.c) that blocks shrink. Open MPI makes
   * communicators in the order of their parents' numbers. If a failure interrupts a {@code dup} or
   * {@code split}, it does not remove the parent's number from the queue. Then making a
   * communicator from a parent with a higher number waits for ever, also in shrink. A duplicate of
   * MPI_COMM_SELF, whose number is the lowest and which needs no other process, takes that place
   * and leaves the queue empty.
   */
  private static void letNewCommunicatorsIn() {
    Mpi.current().self().dup().close();
  }

  /**
   * Agrees on a boolean. The result is true if every living process passed true, and it is the same
   * everywhere. Works on revoked communicators; collective over the living.
   * {@code MPIX_Comm_agree}.
   *
   * <p>On an intercommunicator each group gets the agreement of the other group's values, as
   * {@code MPI_Allreduce} has it: agree on the local group, too, where both have to decide alike.
   *
   * @param value this process's contribution
   * @return what all living processes (of the other group) have agreed on, the same on all of a group
   * @throws ProcessFailedException on all of them, if not all have acknowledged a failure
   *     ({@link #ackFailed}); the agreement has taken place, but its value is not returned
   */
  public boolean agree(boolean value) {
    return agree(value ? 1 : 0) != 0;
  }

  /**
   * As {@link #agree(boolean)}, the bitwise and of all values.
   *
   * @param value this process's contribution
   * @return what all living processes (of the other group) have agreed on, the same on all of a group
   */
  public int agree(int value) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> agreeHere(value)) : agreeHere(value);
  }

  private int agreeHere(int value) {
    Mpi.requireFaultTolerance("agree");
    long scratch = Scratch.address();
    Memory.putInt(scratch, value);
    check(ULFM.MPIX_Comm_agree(handle(), scratch), "MPIX_Comm_agree");
    return Memory.getInt(scratch);
  }

  /**
   * Starts to agree. {@code MPIX_Comm_iagree}.
   *
   * @param value one int, off-heap: this process's value, and the result when the request completes
   * @return the request; {@code value} must not be touched before it completes
   * @throws IllegalArgumentException if it is not off-heap memory of {@code int}
   */
  public Request iAgree(Buf value) {
    Mpi.requireFaultTolerance("iAgree");
    requireCount(require(value, "value"), 1, "value", "an agreement");
    if (value.isArray() || value.datatype() != Datatype.INT) {
      throw Rejections.argument("value " + value + " is not off-heap memory of int: use Buf.allocateInts(1)");
    }
    Transfer transfer = new Transfer(null, value);
    return started(ULFM.MPIX_Comm_iagree(handle(), value.address(), Scratch.address()), "MPIX_Comm_iagree", transfer);
  }

  /**
   * The processes of this communicator that are known here to have failed. Local. {@code MPIX_Comm_get_failed}.
   *
   * <p>On an intercommunicator these are processes of both groups.
   *
   * @return a group that may be empty; a later call may return more processes; the caller closes it
   */
  public Group failedGroup() {
    Mpi.requireFaultTolerance("failedGroup");
    long scratch = Scratch.address();
    Errors.check(ULFM.MPIX_Comm_get_failed(handle(), scratch), "MPIX_Comm_get_failed");
    Group failed = new Group(Memory.getLong(scratch));
    return this instanceof Intercomm both ? both.withFailedRemotes(failed) : failed;
  }

  /**
   * Acknowledges all failures known here: receives from any source go on, and agreements no longer report them. Local.
   * {@code MPIX_Comm_ack_failed}.
   *
   * @return how many failures are acknowledged now
   */
  public int ackFailed() {
    return ackFailed(Integer.MAX_VALUE);
  }

  /**
   * As {@link #ackFailed()}, the first {@code number} failures of {@link #failedGroup} only.
   *
   * @param number the number of failures to acknowledge, zero or greater; at most all
   * @return how many failures are acknowledged now
   * @throws IllegalArgumentException if the number is negative
   */
  public int ackFailed(int number) {
    Mpi.requireFaultTolerance("ackFailed");
    if (number < 0) {
      throw Rejections.argument("number " + number + " is negative");
    }
    if (this instanceof Intercomm) {
      return ackInBothGroups(number);
    }
    long scratch = Scratch.address();
    Errors.check(ULFM.MPIX_Comm_ack_failed(handle(), Math.min(number, size()), scratch), "MPIX_Comm_ack_failed");
    return Memory.getInt(scratch);
  }

  /**
   * Acknowledges failures in both groups. Open MPI 5.0.7 without our patches considers the local
   * group only; ULFM's earlier function acknowledges all failures.
   */
  private int ackInBothGroups(int number) {
    int known = sizeOfFailedGroup();
    int wanted = Math.min(number, known);
    long scratch = Scratch.address();
    int code = ULFM.MPIX_Comm_ack_failed(handle(), wanted, scratch);
    if (code != MPI.MPI_SUCCESS && wanted > size()) {
      code = ULFM.MPIX_Comm_ack_failed(handle(), size(), scratch);
    }
    Errors.check(code, "MPIX_Comm_ack_failed");
    int acknowledged = Memory.getInt(scratch);
    if (acknowledged < known && number >= known) {
      Errors.check(ULFM.MPIX_Comm_failure_ack(handle()), "MPIX_Comm_failure_ack");
      return known;
    }
    return acknowledged;
  }

  private int sizeOfFailedGroup() {
    try (Group failed = failedGroup()) {
      return failed.size();
    }
  }

  /**
   * Revokes it for its scope's owner, whatever its state, if this MPI can revoke. Errors are
   * ignored: then there is nothing left to revoke.
   */
  final void revokeQuietly() {
    if (rawHandle() != 0 && Flavour.current() == Flavour.ULFM) {
      int ignored = ULFM.MPIX_Comm_revoke(rawHandle());
      assert ignored >= MPI.MPI_SUCCESS;
    }
  }
}
