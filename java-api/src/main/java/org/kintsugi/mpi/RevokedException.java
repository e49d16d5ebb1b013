// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

/**
 * The communicator was revoked ({@code MPI_ERR_REVOKED}). It can only be shrunk, agreed on, or
 * closed.
 */
public class RevokedException extends MpiFaultException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception; the parameters are those of {@link MpiException}.
   *
   * @param code the function's return code
   * @param errorClass the class of that code, as {@code MPI_Error_class} gives it
   * @param function the C function, for instance {@code MPI_Recv}
   * @param text MPI's text for the code
   */
  public RevokedException(int code, int errorClass, String function, String text) {
    super(code, errorClass, function, text);
  }
}
