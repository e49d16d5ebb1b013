// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

/**
 * A message was longer than the buffer that received it ({@code MPI_ERR_TRUNCATE}).
 */
public class TruncationException extends MpiException {
  private static final long serialVersionUID = 1L;

  /** Makes an exception; the parameters are those of {@link MpiException}. */
  public TruncationException(int code, int errorClass, String function, String text) {
    super(code, errorClass, function, text);
  }
}
