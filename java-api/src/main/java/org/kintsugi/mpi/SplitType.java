// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;

/** The property that processes must share to be in one communicator of {@link Comm#splitType}. */
public enum SplitType {
  /** Memory that they can share: in practice, the node. {@code MPI_COMM_TYPE_SHARED}. */
  SHARED(MPI.MPI_COMM_TYPE_SHARED),
  /** The hardware named by the info key {@code mpi_hw_resource_type}. {@code MPI_COMM_TYPE_HW_GUIDED}. */
  HW_GUIDED(MPI.MPI_COMM_TYPE_HW_GUIDED),
  /** The next level of hardware that divides the communicator further. {@code MPI_COMM_TYPE_HW_UNGUIDED}. */
  HW_UNGUIDED(MPI.MPI_COMM_TYPE_HW_UNGUIDED),
  /** A hardware thread; Open MPI's own, like all below. */
  HWTHREAD(MPI.OMPI_COMM_TYPE_HWTHREAD),
  /** A core. */
  CORE(MPI.OMPI_COMM_TYPE_CORE),
  /** A level 1 cache. */
  L1CACHE(MPI.OMPI_COMM_TYPE_L1CACHE),
  /** A level 2 cache. */
  L2CACHE(MPI.OMPI_COMM_TYPE_L2CACHE),
  /** A level 3 cache. */
  L3CACHE(MPI.OMPI_COMM_TYPE_L3CACHE),
  /** A socket. */
  SOCKET(MPI.OMPI_COMM_TYPE_SOCKET),
  /** A NUMA domain. */
  NUMA(MPI.OMPI_COMM_TYPE_NUMA),
  /** A board. */
  BOARD(MPI.OMPI_COMM_TYPE_BOARD),
  /** A host. */
  HOST(MPI.OMPI_COMM_TYPE_HOST),
  /** A cluster. */
  CLUSTER(MPI.OMPI_COMM_TYPE_CLUSTER);

  final int value;

  SplitType(int value) {
    this.value = value;
  }
}
