// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.ProcessFailedException;
import org.kintsugi.mpi.ProcessFailedPendingException;
import org.kintsugi.mpi.RevokedException;
import org.kintsugi.mpi.TruncationException;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.memory.Errors;

/** Maps MPI's error classes to exceptions. */
public final class ErrorClasses implements Errors.Exceptions {
  @Override
  public RuntimeException of(int code, int errorClass, String function, String text) {
    RuntimeException exception = exception(code, errorClass, function, text);
    CallTrace.throwsTo(exception);
    return exception;
  }

  private static RuntimeException exception(int code, int errorClass, String function, String text) {
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
}
