// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Op;

/**
 * Carries out the blocking collectives of one number on one communicator. A number is passed, and returned, as 64 bits: an int
 * is the lower half.
 */
public interface NumberOperations {
  long bcast(Datatype type, long bits, int root);

  long allReduce(Datatype type, long bits, Op op);

  long scan(Datatype type, long bits, Op op);

  /** On rank 0 the result is {@code first}. */
  long exScan(Datatype type, long bits, Op op, long first);
}
