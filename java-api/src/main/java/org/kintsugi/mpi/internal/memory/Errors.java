// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

import org.kintsugi.bindings.MPI;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * Turns MPI's return codes into exceptions, by their error class (codes may be more specific).
 * {@code org.kintsugi.mpi.internal.calls.ErrorClasses} maps PROC_FAILED, PROC_FAILED_PENDING, REVOKED and TRUNCATE to exceptions
 * of their own, and all others to {@code MpiException}. It is registered here, because this package must not depend on
 * {@code org.kintsugi.mpi}.
 */
@InRecovery
public final class Errors {
  /** Makes the exceptions, whose classes are in {@code org.kintsugi.mpi}. */
  public interface Exceptions {
    /**
     * The exception of an error class.
     *
     * @param code the function's return code
     * @param function the C function
     * @param text MPI's text for the code
     */
    RuntimeException of(int code, int errorClass, String function, String text);
  }

  /** Codes below are MPI's own, and keep their class and text; a program can add codes above. */
  private static final int PREDEFINED = MPI.MPI_ERR_LASTCODE;
  /** What was found of each code. A revoked call returns in cold code, where two calls of MPI and a string take microseconds. */
  private static final Classified[] KNOWN = new Classified[PREDEFINED];

  private static volatile Exceptions exceptions;

  private Errors() {}

  /** Called by {@code org.kintsugi.mpi} once. */
  public static void provide(Exceptions made) {
    exceptions = made;
  }

  /**
   * The exception for a return code. The caller throws it through its scope, which may turn it into
   * a rollback.
   */
  public static RuntimeException exception(int code, String function) {
    return classified(code, function).exception();
  }

  /** Whether a process may have failed, or the communicator may be revoked. */
  public static boolean mayBeFault(int code) {
    Classified error = classified(code, "");
    return error.isFault() || error.mayBeFault();
  }

  /** Looks up a return code's class and text in MPI. */
  public static Classified classified(int code, String function) {
    Classified same = code > 0 && code < PREDEFINED ? KNOWN[code] : null;
    return same != null ? new Classified(code, same.errorClass, function, same.text) : lookUp(code, function);
  }

  private static Classified lookUp(int code, String function) {
    long scratch = Scratch.address();
    MPI.MPI_Error_class(code, scratch);
    int errorClass = Memory.getInt(scratch);
    if (MPI.MPI_Error_string(code, scratch + Scratch.TEXT, scratch + Scratch.LENGTH) != MPI.MPI_SUCCESS) {
      return new Classified(code, errorClass, function, "unknown error");
    }
    Classified found = new Classified(code, errorClass, function,
        Memory.getString(scratch + Scratch.TEXT, Memory.getInt(scratch + Scratch.LENGTH)));
    if (code > 0 && code < PREDEFINED) {
      KNOWN[code] = found;
    }
    return found;
  }

  /** Checks the return code of a call that belongs to no communicator. */
  public static void check(int code, String function) {
    if (code != MPI.MPI_SUCCESS) {
      throw exception(code, function);
    }
  }

  /** An error with its class. */
  public static final class Classified {
    private final int code;
    private final int errorClass;
    private final String function;
    private final String text;

    private Classified(int code, int errorClass, String function, String text) {
      this.code = code;
      this.errorClass = errorClass;
      this.function = function;
      this.text = text;
    }

    public RuntimeException exception() {
      return exceptions.of(code, errorClass, function, text);
    }

    /** Whether a process has failed, or the communicator is revoked. */
    public boolean isFault() {
      return errorClass == MPI.MPI_ERR_PROC_FAILED || errorClass == MPI.MPI_ERR_PROC_FAILED_PENDING
          || errorClass == MPI.MPI_ERR_REVOKED;
    }

    /**
     * Whether it may be a fault although its class does not say so. In the middle of a nonblocking
     * collective, which also makes communicators, Open MPI (5.0.7, libnbc) reports a process
     * failure as an unspecific error.
     */
    public boolean mayBeFault() {
      return errorClass == MPI.MPI_ERR_OTHER || errorClass == MPI.MPI_ERR_INTERN || errorClass == MPI.MPI_ERR_UNKNOWN;
    }

    /** The same error, treated as a fault. */
    public Classified asFault() {
      return new Classified(code, MPI.MPI_ERR_PROC_FAILED, function,
          "a process has failed, which Open MPI has told as " + exception().getMessage());
    }
  }

  /** Throws an unchecked exception that was caught in another thread, or in an operation that MPI has called. Null: nothing. */
  public static void rethrow(Throwable thrown) {
    if (thrown instanceof RuntimeException) {
      throw (RuntimeException) thrown;
    }
    if (thrown instanceof Error) {
      throw (Error) thrown;
    }
  }
}
