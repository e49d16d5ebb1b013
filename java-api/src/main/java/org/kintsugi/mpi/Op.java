// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.Reductions;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.threads.CallingThread;

/** The operation of a reduction: one of MPI's own, or one written in Java. */
public final class Op implements AutoCloseable {
  // The element types for which MPI's own operations are defined (MPI 4.1, section 6.9.2).
  private static final int ARITHMETIC = 0; // integers and floating point
  private static final int LOGICAL = 1; // integers
  private static final int BITWISE = 2; // integers and bytes
  private static final int LOCATING = 3; // a number and a place
  private static final int ONE_SIDED = 4; // nothing, in collectives
  private static final int OWN = 5; // written in Java: the elements that it was made for

  /** Sum; integers wrap around, as Java's do. Not of {@link Datatype#BYTE}, which has no arithmetic. */
  public static final Op SUM = new Op(() -> MPI.MPI_SUM, "SUM", ARITHMETIC);

  /** Product; integers wrap around, as Java's do. Not of {@link Datatype#BYTE}. */
  public static final Op PROD = new Op(() -> MPI.MPI_PROD, "PROD", ARITHMETIC);

  /** Smallest; as {@link #MAX}. */
  public static final Op MIN = new Op(() -> MPI.MPI_MIN, "MIN", ARITHMETIC);

  /**
   * Largest; {@link Datatype#CHAR} counts from 0 on. Not of {@link Datatype#BYTE}.
   *
   * <p>It differs from {@code Math.max}. If an operand is NaN, the result is NaN or one of the
   * other operands, not always the largest. Of 0.0 and -0.0 either may be the result. Which one
   * depends on the number of ranks and on the element's place in the buffer, because Open MPI
   * compares some of the elements with vector instructions. To detect NaN, make an operation with
   * {@link #of}, or reduce {@code Double.isNaN} as a separate number.
   */
  public static final Op MAX = new Op(() -> MPI.MPI_MAX, "MAX", ARITHMETIC);

  /**
   * Logical and of integers, which are true if not 0. The result is 0 or 1; where nothing is combined (one rank, or the first one
   * of a scan) it is a copy of the value.
   */
  public static final Op LAND = new Op(() -> MPI.MPI_LAND, "LAND", LOGICAL);

  /**
   * Logical or of integers, which are true if not 0. The result is 0 or 1; where nothing is combined (one rank, or the first one
   * of a scan) it is a copy of the value.
   */
  public static final Op LOR = new Op(() -> MPI.MPI_LOR, "LOR", LOGICAL);

  /**
   * Logical exclusive or of integers, which are true if not 0. The result is 0 or 1; where nothing is combined (one rank, or the
   * first one of a scan) it is a copy of the value.
   */
  public static final Op LXOR = new Op(() -> MPI.MPI_LXOR, "LXOR", LOGICAL);

  /** Bitwise and of integers or bytes. */
  public static final Op BAND = new Op(() -> MPI.MPI_BAND, "BAND", BITWISE);

  /** Bitwise or of integers or bytes. */
  public static final Op BOR = new Op(() -> MPI.MPI_BOR, "BOR", BITWISE);

  /** Bitwise exclusive or of integers or bytes. */
  public static final Op BXOR = new Op(() -> MPI.MPI_BXOR, "BXOR", BITWISE);

  /** Smallest value and where it is, on {@link Datatype#DOUBLE_INT}. */
  public static final Op MINLOC = new Op(() -> MPI.MPI_MINLOC, "MINLOC", LOCATING);

  /** Largest value and where it is, on {@link Datatype#DOUBLE_INT}. */
  public static final Op MAXLOC = new Op(() -> MPI.MPI_MAXLOC, "MAXLOC", LOCATING);

  /** Replace: for one-sided communication, by the raw bindings; collectives refuse it. */
  public static final Op REPLACE = new Op(() -> MPI.MPI_REPLACE, "REPLACE", ONE_SIDED);

  private static long sumOf16Bits; // 0: not needed yet

  private final String name;
  private final int group;
  private final Callback callback; // null: MPI's own
  private final LongSupplier predefined; // MPI's own, which loads the library
  private volatile long handle; // 0: an operation of MPI's own that was not used yet
  private final Leaks.Watch watch;
  private boolean closed;

  private Op(LongSupplier predefined, String name, int group) {
    this.predefined = predefined;
    this.name = name;
    this.group = group;
    this.callback = null;
    this.watch = null;
  }

  private Op(long handle, String name, Callback callback) {
    this.handle = handle;
    this.name = name;
    this.group = OWN;
    this.callback = callback;
    this.predefined = null;
    this.watch = Leaks.watch(this, null, Leaks.origin("an operation"));
  }

  /** Combines element by element: {@code inOut = in op inOut}. */
  @FunctionalInterface
  public interface Reduction {
    /**
     * Combines elements.
     *
     * @param in the address of the left operands
     * @param inOut the address of the right operands, overwritten with the results
     * @param count the number of elements in each, of the collective's datatype
     */
    void reduce(Buf in, Buf inOut, int count);
  }

  /** Called by MPI, on the thread that makes MPI progress at that moment. */
  private static final class Callback implements Reductions.Body {
    private final Datatype type;
    private final MarkedElements elements;
    private final Reduction reduction;
    private volatile Throwable lastThrown;
    private final AtomicInteger throwCount = new AtomicInteger();
    private int slot;

    Callback(Datatype type, Reduction reduction) {
      this.type = type;
      this.reduction = reduction;
      this.elements = new MarkedElements(type);
    }

    @Override
    public void reduce(long in, long inOut, int count, long handle) {
      boolean isMarked = handle == elements.handle();
      try {
        if (isMarked) {
          elements.reduce(in, inOut, count, reduction);
        } else { // called by the raw bindings
          reduction.reduce(Buf.borrowed(in, count, type), Buf.borrowed(inOut, count, type), count);
        }
      } catch (Throwable failure) {
        // The exception must not cross MPI's frames; the call that completes the collective throws
        // it.
        lastThrown = failure;
        throwCount.incrementAndGet();
        if (isMarked) {
          elements.mark(inOut, count);
        }
      }
    }
  }

  /**
   * An operation written in Java, for elements of one type. Local. {@code MPI_Op_create}.
   *
   * <p>It gets copies of the operands with the layout of the datatype, from an element's address
   * on, with zeros in the gaps. They are valid during the call only. The operation must be
   * associative and must not communicate.
   *
   * <p><b>Exceptions.</b> A user function of MPI cannot return an error (MPI 4.1, section 6.9.5).
   * So each element carries a mark through MPI: if the operation throws for an element on any
   * process, its result is invalid on all. In all forms of all reductions, the processes that would
   * receive this result get an exception when the operation completes, and their buffers stay
   * unchanged. Results that do not depend on it are correct (those of lower ranks in a scan, for
   * instance). A process on which the operation threw gets this exception itself, even if it
   * receives no result, and in all reductions with this operation that were under way there at that
   * time. The other processes get an {@link MpiException} of the class {@code MPI_ERR_OP}. In a
   * reduction by the raw bindings ({@link #handle}) there are no marks, and a result for which the
   * operation threw is undefined.
   *
   * @param type the datatype of the buffers that it is for; it may be closed before the operation is
   * @param commutative whether MPI may swap operands
   * @param reduction combines element by element; called for many elements at once, on any thread
   *     that makes MPI progress
   * @return the operation; the caller closes it
   * @throws IllegalStateException if 64 such operations are open
   */
  public static Op of(Datatype type, boolean commutative, Reduction reduction) {
    Mpi.current();
    CallingThread.check();
    Callback callback =
        new Callback(Objects.requireNonNull(type, "type is null"), Objects.requireNonNull(reduction, "reduction is null"));
    long handle;
    try {
      callback.slot = Reductions.claim(callback);
      handle = create(callback, commutative);
    } catch (RuntimeException | Error cannot) {
      callback.elements.close();
      throw cannot;
    }
    return new Op(handle, "user-defined, of " + type, callback);
  }

  private static long create(Callback callback, boolean commutative) {
    Reductions.setMarkedType(callback.slot, callback.elements.handle());
    long scratch = Scratch.address();
    int code = MPI.MPI_Op_create(Reductions.function(callback.slot), commutative ? 1 : 0, scratch);
    if (code != MPI.MPI_SUCCESS) {
      Reductions.release(callback.slot);
      throw Errors.exception(code, "MPI_Op_create");
    }
    return Memory.getLong(scratch);
  }

  /**
   * The handle for a collective on elements of a datatype.
   *
   * @throws IllegalArgumentException if the operation is for another type
   */
  long handleFor(Datatype elements) {
    if (callback == null) {
      if (!isDefinedOn(elements)) {
        throw undefined(elements);
      }
      if (this == SUM && (elements == Datatype.SHORT || elements == Datatype.CHAR)) {
        return sumOf16Bits();
      }
    } else if (!callback.type.isLaidOutAs(elements)) {
      throw Rejections.argument("op is for elements of " + callback.type + ", and the buffer has elements of " + elements
          + ": make one with Op.of(Datatype, ...) for those");
    }
    return handle();
  }

  /**
   * A sum that wraps around, as in Java. Open MPI's own saturates for some of the elements
   * (native/src/reduction.c).
   */
  private static synchronized long sumOf16Bits() {
    if (sumOf16Bits == 0) {
      long scratch = Scratch.address();
      Errors.check(MPI.MPI_Op_create(Kintsugi.kintsugi_sum_of_16_bits(), 1, scratch), "MPI_Op_create");
      sumOf16Bits = Memory.getLong(scratch);
    }
    return sumOf16Bits;
  }

  private boolean isDefinedOn(Datatype elements) {
    if (elements == Datatype.DOUBLE || elements == Datatype.FLOAT) {
      return group == ARITHMETIC;
    }
    if (elements == Datatype.INT || elements == Datatype.LONG || elements == Datatype.SHORT || elements == Datatype.CHAR) {
      return group <= BITWISE;
    }
    return elements == Datatype.BYTE ? group == BITWISE : elements == Datatype.DOUBLE_INT && group == LOCATING;
  }

  private IllegalArgumentException undefined(Datatype elements) {
    String instead = group == ONE_SIDED ? "it is for one-sided communication"
        : elements.isDerived() ? "MPI's own operations take basic types; pass the basic elements, or make one with Op.of"
            : group == LOCATING ? "it takes elements of " + Datatype.DOUBLE_INT
                : "use another type, or make one with Op.of(Datatype, ...)";
    return Rejections.argument("operation " + name + " is not defined on elements of " + elements + ": " + instead);
  }

  /** The elements that MPI gets instead of the program's. Null if the operation is MPI's own. */
  MarkedElements marked() {
    return callback == null ? null : callback.elements;
  }

  /**
   * Keeps the callback for MPI until {@link #release}, even if the operation is closed before.
   *
   * @return this
   */
  Op retain() {
    if (callback != null) {
      Reductions.retain(callback.slot);
    }
    return this;
  }

  /**
   * The counterpart of {@link #retain}. The last call frees the callback. (MPI itself counts
   * references, but the collectives of the Reinit++ fork do not.)
   */
  void release() {
    if (callback != null && Reductions.release(callback.slot) && Mpi.isActive()) {
      long scratch = Scratch.address();
      Memory.putLong(scratch, handle);
      Errors.check(MPI.MPI_Op_free(scratch), "MPI_Op_free");
      callback.elements.close();
    }
  }

  /**
   * The number of exceptions that it has thrown so far. Must be read before a collective with it
   * begins.
   */
  int throwCount() {
    return callback == null ? 0 : callback.throwCount.get();
  }

  /**
   * The last exception that it has thrown since then, for {@link Errors#rethrow}; null if there is none. MPI does not report
   * for which of several collectives it calls the operation. So all collectives under way at that
   * time throw it: the result of one of them is undefined.
   */
  Throwable thrownSince(int throwCountBefore) {
    return throwCount() == throwCountBefore ? null : callback.lastThrown;
  }

  /**
   * The {@code MPI_Op}, for the raw bindings.
   *
   * @return the handle, valid until {@link #close}
   * @throws IllegalStateException if it is closed
   */
  public long handle() {
    if (closed) {
      throw Rejections.state("operation " + name + " is closed");
    }
    long known = handle;
    if (known == 0) {
      known = predefined.getAsLong();
      handle = known;
    }
    return known;
  }

  /**
   * Frees an operation of the program; does nothing for MPI's own. Collectives that were started
   * with it continue. Local, idempotent. {@code MPI_Op_free}.
   */
  @Override
  public void close() {
    if (callback != null && !closed) {
      if (Mpi.isActive()) {
        CallingThread.check();
      }
      closed = true;
      Leaks.closed(watch);
      release();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
