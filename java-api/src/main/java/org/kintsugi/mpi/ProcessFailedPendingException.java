// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

/**
 * A receive from any source cannot tell whether its sender has failed ({@code MPI_ERR_PROC_FAILED_PENDING}); the
 * request stays pending until the failures are acknowledged.
 */
public class ProcessFailedPendingException extends MpiFaultException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception; the parameters are those of {@link MpiException}.
   *
   * @param code what the function returned
   * @param errorClass the class of that code, as {@code MPI_Error_class} tells it
   * @param function the C function, for instance {@code MPI_Recv}
   * @param text what MPI says of the code
   */
  public ProcessFailedPendingException(int code, int errorClass, String function, String text) {
    super(code, errorClass, function, text);
  }
}
