// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

/**
 * An MPI function returned an error.
 *
 * <p>Errors do not end the job. The state of the communicator is that of the MPI standard after an
 * error. Faults (a process failed, a communicator was revoked) are subclasses of
 * {@link MpiFaultException}. Misuse that Java detects by itself (a null, a buffer too short) is an
 * {@link IllegalArgumentException} or {@link IllegalStateException} and never reaches MPI.
 */
public class MpiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The function's return code. */
  private final int code;
  /** The class of that code. */
  private final int errorClass;
  /** The C function. */
  private final String function;
  /** MPI's text for the code. */
  private final String text;

  /**
   * Makes an exception.
   *
   * @param code the function's return code
   * @param errorClass the class of that code, as {@code MPI_Error_class} gives it
   * @param function the C function, for instance {@code MPI_Send}
   * @param text MPI's text for the code
   */
  public MpiException(int code, int errorClass, String function, String text) {
    this.code = code;
    this.errorClass = errorClass;
    this.function = function;
    this.text = text;
  }

  /**
   * The function, MPI's text, and the numbers. It is put together here and not in the constructor: a fault's exception is the way
   * out of a revoked call, whose code is cold, and few programs read it.
   *
   * @return the message
   */
  @Override
  public String getMessage() {
    return function + ": " + text + " (class " + errorClass + (code == errorClass ? "" : ", code " + code) + ")";
  }

  /**
   * The code that the function returned. It may be more specific than its {@link #errorClass()}.
   *
   * @return the code, whose meaning may be MPI's own
   */
  public int code() {
    return code;
  }

  /**
   * The error class, comparable with the constants of {@code org.kintsugi.bindings.MPI} ({@code MPI_ERR_...}).
   *
   * @return one of the classes of the standard
   */
  public int errorClass() {
    return errorClass;
  }

  /**
   * The C function that failed.
   *
   * @return its name, for instance {@code MPI_Send}
   */
  public String function() {
    return function;
  }
}
