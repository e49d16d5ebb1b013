// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

/**
 * The collectives whose contributions a {@link Recorder} keeps. Their order is a part of its file
 * format.
 */
public enum RecordedCollective {
  BCAST("bcast"),
  REDUCE("reduce"),
  ALL_REDUCE("allReduce"),
  SCAN("scan"),
  EX_SCAN("exScan"),
  REDUCE_SCATTER_BLOCK("reduceScatterBlock"),
  REDUCE_SCATTER("reduceScatter"),
  GATHER("gather"),
  SCATTER("scatter"),
  ALL_GATHER("allGather"),
  ALL_TO_ALL("allToAll"),
  GATHER_V("gatherV"),
  SCATTER_V("scatterV"),
  ALL_GATHER_V("allGatherV"),
  ALL_TO_ALL_V("allToAllV"),
  ALL_TO_ALL_W("allToAllW");

  /** The name of the method. */
  public final String method;

  RecordedCollective(String method) {
    this.method = method;
  }

  /** Whether only the root contributes. */
  public boolean isOfTheRoot() {
    return this == BCAST || this == SCATTER || this == SCATTER_V;
  }
}
