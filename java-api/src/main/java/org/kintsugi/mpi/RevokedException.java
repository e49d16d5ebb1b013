// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

/**
 * The communicator was revoked ({@code MPI_ERR_REVOKED}): shrink it, agree on it, or close it; nothing else works.
 */
public class RevokedException extends MpiFaultException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception; the parameters are those of {@link MpiException}.
   *
   * @param code what the function returned
   * @param errorClass the class of that code, as {@code MPI_Error_class} tells it
   * @param function the C function, for instance {@code MPI_Recv}
   * @param text what MPI says of the code
   */
  public RevokedException(int code, int errorClass, String function, String text) {
    super(code, errorClass, function, text);
  }
}
