// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.lifetime.RollbackSignal;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.threads.VirtualThreads;
import org.kintsugi.runtime.Flavour;

/**
 * Buffered sends: each message is copied, and sent from its copy in the background.
 *
 * <p>{@code MPI_Bsend} is not used. In Open MPI (5.0.7 to 5.0.10, pml_base_bsend.c)
 * {@code MPI_Buffer_detach} waits for ever for messages to failed processes, and a persistent
 * buffered send above the eager limit sends its first contents again (open-mpi/ompi#12797, #14210).
 * The rules are those of MPI 4.1, section 3.6: until a message has been sent, it occupies the size
 * of its data and {@code MPI_BSEND_OVERHEAD} of the attached memory. The copies are blocks of their
 * own, so they always fit where MPI's circular buffer would have room.
 */
final class BufferedSends {
  /** The size if nothing is attached. */
  private static final long NONE = -1;
  /**
   * How many messages under way each send tests. Testing all would take longer with each message.
   */
  private static final int SOME = 8;

  private static final List<Sent> UNDER_WAY = new ArrayList<>(); // also the lock of the fields that follow
  private static long attached = NONE;
  private static long used;

  private BufferedSends() {}

  /**
   * A message under way. In a rollback its scope waits until it has ended, as for any other
   * request.
   */
  private static final class Sent extends Request {
    private final long bytes;

    Sent(Scope scope, long handle, long block, long bytes) {
      super(scope, handle, owning(block), true);
      this.bytes = bytes;
      origin = null; // the program has no request to complete, so this is no leak
    }

    private static Transfer owning(long block) {
      Transfer transfer = new Transfer(null, null);
      transfer.owning(block);
      return transfer;
    }

    @Override
    boolean hasEnded() {
      synchronized (UNDER_WAY) {
        return !isActive() || super.hasEnded();
      }
    }

    /**
     * Whether its room in the attached memory is free. When an epoch has ended, the Reinit++ fork
     * has freed its requests: they must not be tested. The copy, from which MPI may still read, is
     * kept by the list of the scope until the process ends. Only messages that nobody has received
     * when the run ends leave copies. The fork has one run in a process, so they take at most the
     * memory that was attached in it. A rollback releases all copies of its epoch.
     */
    boolean isOver() {
      return scope().hasEnded() && Flavour.current() == Flavour.REINIT || hasEnded();
    }
  }

  static void attach(int bytes) {
    detach();
    synchronized (UNDER_WAY) {
      attached = bytes;
    }
  }

  /** Waits until the messages to running processes have been sent. */
  static void detach() {
    synchronized (UNDER_WAY) {
      if (attached == NONE) {
        return;
      }
    }
    if (VirtualThreads.isCurrent()) {
      VirtualThreads.await(BufferedSends::areSent);
    } else {
      while (!areSent()) { // the tests let MPI make progress
        Thread.onSpinWait();
      }
    }
    synchronized (UNDER_WAY) {
      attached = NONE;
    }
  }

  private static boolean areSent() {
    synchronized (UNDER_WAY) {
      look(UNDER_WAY.size());
      for (Sent sent : UNDER_WAY) {
        // No process receives on the communicators of a scope that has ended. The copy is kept
        // while MPI may read it.
        if (!sent.scope().hasEnded()) {
          requireNoRollback(sent.scope());
          return false;
        }
      }
      return true;
    }
  }

  /**
   * Throws if a rollback of the Reinit++ fork is pending. Then no test would find the end of a
   * message.
   */
  private static void requireNoRollback(Scope scope) {
    if (RollbackSignal.isPending()) {
      throw scope.failure(MPI.MPI_ERR_PROC_FAILED, "MPI_Buffer_detach");
    }
  }

  /** Frees the copies of messages that have been sent, or cannot be sent any more, among the oldest ones. */
  private static void look(int most) {
    Iterator<Sent> oldest = UNDER_WAY.iterator();
    for (int i = 0; i < most && oldest.hasNext(); i++) {
      Sent sent = oldest.next();
      if (sent.isOver()) {
        used -= sent.bytes;
        oldest.remove();
      }
    }
  }

  /**
   * Sends a message whose arguments have been checked.
   *
   * @param buf the message, which keeps its memory meanwhile
   * @param function for error messages
   */
  static void send(CommHandle comm, Buf buf, int dest, int tag, String function) {
    long handle = comm.handle();
    if (dest == Comm.PROC_NULL) {
      return;
    }
    long data = Math.multiplyExact(buf.count(), buf.datatype().size());
    long bytes = data == 0 ? 0 : data + MPI.MPI_BSEND_OVERHEAD;
    requireReceiver(comm, handle, dest, tag, function);
    reserve(bytes, data, function);
    long block = 0;
    int code;
    try {
      block = Memory.allocate(Math.max(data, 1));
      buf.pack(block);
      code = start(comm, handle, block, bytes, CommHandle.count(buf), CommHandle.type(buf), dest, tag, function);
      block = 0;
    } finally {
      if (block != 0) {
        Memory.free(block);
        release(bytes);
      }
    }
    comm.check(code, function);
  }

  /**
   * Throws where the receiver is known to have failed or the communicator to be revoked. MPI_Isend
   * does not look, and a short message has ended before its request is tested; a probe does look.
   */
  private static void requireReceiver(CommHandle comm, long handle, int dest, int tag, String function) {
    if (Mpi.current().isFaultTolerant()) {
      int code = MPI.MPI_Iprobe(dest, tag, handle, Scratch.address() + Scratch.FLAG, MPI.MPI_STATUS_IGNORE);
      comm.check(code, function);
    }
  }

  /**
   * Starts to send from a block, which is no longer the caller's when this returns.
   *
   * @return the error of a message that could not be sent
   */
  private static int start(CommHandle comm, long handle, long block, long bytes, int count, long type, int dest, int tag,
      String function) {
    long scratch = Scratch.address();
    comm.check(MPI.MPI_Isend(block, count, type, dest, tag, handle, scratch), function);
    // Short messages have ended now, and so have those to processes that are known to have failed.
    int code = MPI.MPI_Test(scratch, scratch + Scratch.FLAG, MPI.MPI_STATUS_IGNORE);
    boolean goesOn = code == MPI.MPI_SUCCESS ? Memory.getInt(scratch + Scratch.FLAG) == 0 : RollbackSignal.isLeft(code);
    if (goesOn) {
      Sent sent = new Sent(comm.scope(), Memory.getLong(scratch), block, bytes);
      synchronized (UNDER_WAY) {
        UNDER_WAY.add(sent);
      }
    } else {
      Memory.free(block);
      release(bytes);
    }
    return code;
  }

  private static void reserve(long bytes, long data, String function) {
    synchronized (UNDER_WAY) {
      look(SOME);
      if (bytes > 0 && attached != NONE && used + bytes > attached) {
        look(UNDER_WAY.size());
      }
      if (bytes > 0 && used + bytes > attached) {
        String room = attached == NONE ? "no memory is attached for it: call mpi.attachBuffer"
            : (attached - used) + " of the attached " + attached + " bytes are free: attach more";
        throw new MpiException(MPI.MPI_ERR_BUFFER, MPI.MPI_ERR_BUFFER, function, "MPI_ERR_BUFFER: a message of " + data
            + " bytes needs " + bytes + " for a buffered send, and " + room);
      }
      used += bytes;
    }
  }

  private static void release(long bytes) {
    synchronized (UNDER_WAY) {
      used -= bytes;
    }
  }

  /** A persistent buffered send. Each start sends a copy, and ends at once. */
  static final class Persistent extends DeferredRequest {
    private Buf held; // it keeps its memory, even if the program closes it; null: this is closed
    private final Leaks.Watch watch;
    private boolean isUnderWay;

    Persistent(Scope scope, Buf buf, Runnable send) {
      super(scope, send);
      buf.pin();
      held = buf;
      watch = Leaks.watch(this, scope, Leaks.origin("a persistent request"));
    }

    @Override
    public void start() {
      if (isUnderWay) {
        throw Rejections.state("request is in flight: wait for it before you start it again");
      }
      super.start();
      isUnderWay = true;
    }

    @Override
    boolean reportsOnce() {
      isUnderWay = false;
      return super.reportsOnce();
    }

    @Override
    public Status waitFor(Status status) {
      isUnderWay = false;
      return super.waitFor(status);
    }

    @Override
    public boolean test(Status status) {
      isUnderWay = false;
      return super.test(status);
    }

    @Override
    public void close() {
      Leaks.closed(watch);
      if (held != null) {
        held.unpin();
        held = null;
      }
      super.close();
    }
  }
}
