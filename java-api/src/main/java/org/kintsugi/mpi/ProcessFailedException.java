// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

/**
 * A process that the operation needs has failed ({@code MPI_ERR_PROC_FAILED}).
 */
public class ProcessFailedException extends MpiFaultException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception; the parameters are those of {@link MpiException}.
   *
   * @param code the function's return code
   * @param errorClass the class of that code, as {@code MPI_Error_class} gives it
   * @param function the C function, for instance {@code MPI_Recv}
   * @param text MPI's text for the code
   */
  public ProcessFailedException(int code, int errorClass, String function, String text) {
    super(code, errorClass, function, text);
  }
}
