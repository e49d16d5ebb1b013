// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

/**
 * The sender of a receive from any source may have failed ({@code MPI_ERR_PROC_FAILED_PENDING}).
 * The request stays pending until the failures are acknowledged.
 */
public class ProcessFailedPendingException extends MpiFaultException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception; the parameters are those of {@link MpiException}.
   *
   * @param code the function's return code
   * @param errorClass the class of that code, as {@code MPI_Error_class} gives it
   * @param function the C function, for instance {@code MPI_Recv}
   * @param text MPI's text for the code
   */
  public ProcessFailedPendingException(int code, int errorClass, String function, String text) {
    super(code, errorClass, function, text);
  }
}
