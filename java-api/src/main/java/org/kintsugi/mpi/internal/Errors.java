// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.ProcessFailedException;
import org.kintsugi.mpi.ProcessFailedPendingException;
import org.kintsugi.mpi.RevokedException;
import org.kintsugi.mpi.TruncationException;

/** The one place that turns MPI return codes into exceptions, by their error class (codes may be finer). */
public final class Errors {
  private Errors() {}

  /** The exception for a return code; the caller throws it (through its scope, which may make a rollback of it). */
  public static MpiException exception(int code, String function) {
    long scratch = Scratch.address();
    MPI.MPI_Error_class(code, scratch);
    int errorClass = Memory.getInt(scratch);
    String text = "unknown error";
    if (MPI.MPI_Error_string(code, scratch + 8, scratch) == MPI.MPI_SUCCESS) {
      text = Memory.getString(scratch + 8, Memory.getInt(scratch));
    }
    if (errorClass == MPI.MPI_ERR_PROC_FAILED) {
      return new ProcessFailedException(code, errorClass, function, text);
    }
    if (errorClass == MPI.MPI_ERR_PROC_FAILED_PENDING) {
      return new ProcessFailedPendingException(code, errorClass, function, text);
    }
    if (errorClass == MPI.MPI_ERR_REVOKED) {
      return new RevokedException(code, errorClass, function, text);
    }
    if (errorClass == MPI.MPI_ERR_TRUNCATE) {
      return new TruncationException(code, errorClass, function, text);
    }
    return new MpiException(code, errorClass, function, text);
  }

  /** For calls that belong to no communicator. */
  public static void check(int code, String function) {
    if (code != MPI.MPI_SUCCESS) {
      throw exception(code, function);
    }
  }
}
