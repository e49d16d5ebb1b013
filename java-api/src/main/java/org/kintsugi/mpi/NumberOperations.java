// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

/**
 * What carries out the blocking collectives of one number on one communicator. A number goes, and comes back, as 64 bits: those
 * of an int are the lower half.
 */
interface NumberOperations {
  long bcast(Datatype type, long bits, int root);

  long allReduce(Datatype type, long bits, Op op);

  long scan(Datatype type, long bits, Op op);

  /** On rank 0 the result is {@code first}. */
  long exScan(Datatype type, long bits, Op op, long first);
}
