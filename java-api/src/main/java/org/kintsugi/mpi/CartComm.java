// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.Arrays;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.BalancedDims;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.GridOperations;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Ints;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;

/**
 * A communicator whose ranks form a Cartesian grid: MPI 4.1, chapter 8. A recovery does not restore
 * it: make it again afterwards.
 */
public final class CartComm extends Comm {
  private final int[] dims;
  private final boolean[] periodic;
  private final boolean hasDoubles;
  private final boolean[] missing; // for each neighbour; null: all are there
  private final GridOperations calls = CallPaths.grid(new NeighbourCalls(this));

  CartComm(long handle, Scope scope, int[] dims, boolean[] periodic) {
    super(handle, scope, false);
    this.dims = dims.clone();
    this.periodic = periodic.clone();
    boolean doubles = false;
    boolean hasEdges = false;
    for (int i = 0; i < dims.length; i++) {
      doubles |= isDouble(i);
      hasEdges |= !periodic[i];
    }
    hasDoubles = doubles;
    missing = hasEdges ? findMissing() : null;
  }

  /** The two neighbours in one direction. */
  public static final class Shift {
    /** The rank to receive from, or {@link Comm#PROC_NULL} at an edge. */
    public final int source;

    /** The rank to send to, or {@link Comm#PROC_NULL} at an edge. */
    public final int dest;

    Shift(int source, int dest) {
      this.source = source;
      this.dest = dest;
    }
  }

  /**
   * A balanced division of processes over a grid. Local. {@code MPI_Dims_create}.
   *
   * <p>The chosen dimensions are as close to each other as possible: the difference between the
   * largest and the smallest one is as small as it can be. They come in non-increasing order.
   *
   * @param processes the number of processes on the grid
   * @param dims zero where a dimension is to be chosen, otherwise the fixed dimension; not changed
   * @return processes in each direction, whose product is {@code processes}
   * @throws IllegalArgumentException if {@code processes} is not positive, a dimension is negative,
   *     the product of the fixed dimensions does not divide {@code processes}, or all dimensions
   *     are fixed and their product is not {@code processes}
   */
  public static int[] dims(int processes, int... dims) {
    if (processes <= 0) {
      throw Rejections.argument("processes " + processes + " is not positive");
    }
    int rest = requireDividing(processes, Rejections.requireNonNull(dims, "dims"));
    int chosen = 0;
    for (int dim : dims) {
      chosen += dim == 0 ? 1 : 0;
    }
    int[] all = dims.clone();
    if (chosen > 0) {
      int[] balanced = BalancedDims.of(rest, chosen);
      for (int i = dims.length - 1; i >= 0; i--) {
        all[i] = dims[i] == 0 ? balanced[--chosen] : dims[i];
      }
    }
    return all;
  }

  /** @return how many processes are to be divided over the dimensions that are not fixed */
  private static int requireDividing(int processes, int[] dims) {
    long fixed = 1;
    boolean areAllFixed = true;
    for (int i = 0; i < dims.length; i++) {
      if (dims[i] < 0) {
        throw Rejections.argument("dims[" + i + "] = " + dims[i] + " is negative: 0 leaves it to MPI");
      }
      areAllFixed &= dims[i] > 0;
      fixed = Math.min(processes + 1L, fixed * Math.max(1, dims[i]));
    }
    if (processes % fixed != 0 || areAllFixed && fixed != processes) {
      throw Rejections
          .argument("dims " + Arrays.toString(dims) + " cannot be " + processes + " processes: the fixed ones multiply to "
              + (fixed > processes ? "more than that" : fixed)
              + (areAllFixed ? "; a 0 among them leaves that one to MPI" : ", which does not divide them"));
    }
    return (int) (processes / fixed);
  }

  /**
   * Processes in each direction.
   *
   * @return a copy, with one element for each direction
   */
  public int[] dims() {
    return dims.clone();
  }

  /**
   * Whether the grid wraps around, in each direction.
   *
   * @return a copy, with one element for each direction
   */
  public boolean[] periodic() {
    return periodic.clone();
  }

  /**
   * The coordinates of a rank. Local. {@code MPI_Cart_coords}.
   *
   * @param rank a rank of this communicator
   * @return its place in each direction, from 0 on
   * @throws IllegalArgumentException if the rank is not in this communicator
   */
  public int[] coords(int rank) {
    long comm = handle();
    if (rank < 0 || rank >= size()) {
      throw Rejections.argument("rank " + rank + " is no rank of this communicator: 0 to " + (size() - 1));
    }
    if (dims.length > Scratch.INTS) {
      return coordsInManyDirections(comm, rank);
    }
    long scratch = Scratch.address();
    state().check(MPI.MPI_Cart_coords(comm, rank, dims.length, scratch), "MPI_Cart_coords");
    return Ints.read(scratch, dims.length);
  }

  private int[] coordsInManyDirections(long comm, int rank) {
    long array = Ints.allocate(dims);
    try {
      state().check(MPI.MPI_Cart_coords(comm, rank, dims.length, array), "MPI_Cart_coords");
      return Ints.read(array, dims.length);
    } finally {
      Memory.free(array);
    }
  }

  /**
   * The rank at some coordinates. Local. {@code MPI_Cart_rank}.
   *
   * @param coords one for each direction; outside of the grid only in periodic directions
   * @return the rank of the process there
   * @throws IllegalArgumentException if they are outside of the grid in a direction that is not
   *     periodic
   */
  public int rankAt(int... coords) {
    long comm = handle();
    if (coords.length != dims.length) {
      throw Rejections.argument("coords has " + coords.length + " elements, the grid has " + dims.length);
    }
    for (int i = 0; i < dims.length; i++) {
      if (!periodic[i] && (coords[i] < 0 || coords[i] >= dims[i])) {
        throw Rejections.argument(
            "coords[" + i + "] = " + coords[i] + " is outside of 0 to " + (dims[i] - 1) + ", and not periodic");
      }
    }
    long array = Ints.allocate(coords);
    try {
      long scratch = Scratch.address();
      state().check(MPI.MPI_Cart_rank(comm, array, scratch), "MPI_Cart_rank");
      return Memory.getInt(scratch);
    } finally {
      Memory.free(array);
    }
  }

  /**
   * The neighbours in a direction. Local. {@code MPI_Cart_shift}.
   *
   * @param direction from 0 on
   * @param steps how far; negative: the other way
   * @return the ranks to receive from and to send to, so that data move {@code steps} places up in
   *     that direction
   * @throws IllegalArgumentException if the grid has no such direction
   */
  public Shift shift(int direction, int steps) {
    long comm = handle();
    if (direction < 0 || direction >= dims.length) {
      throw Rejections.argument("direction " + direction + " is outside of 0 to " + (dims.length - 1));
    }
    long scratch = Scratch.address();
    state().check(MPI.MPI_Cart_shift(comm, direction, steps, scratch, scratch + Scratch.SECOND), "MPI_Cart_shift");
    return new Shift(Memory.getInt(scratch), Memory.getInt(scratch + Scratch.SECOND));
  }

  /**
   * Divides the grid into slices with the kept directions. Collective. {@code MPI_Cart_sub}.
   *
   * @param keep for each direction, whether the slices extend in it
   * @return the caller closes it
   * @throws IllegalArgumentException if the number of elements is not the number of directions
   */
  public CartComm sub(boolean... keep) {
    return calls.sub(keep);
  }

  /** Whether in some direction the lower and the upper neighbour are the same process. */
  boolean hasDoubleNeighbours() {
    return hasDoubles;
  }

  /**
   * Whether in one direction both neighbours are the same process. Such a direction wraps around,
   * and has 1 or 2 processes.
   */
  boolean isDouble(int direction) {
    return periodic[direction] && dims[direction] <= 2;
  }

  private boolean[] findMissing() {
    boolean[] all = new boolean[neighbours()];
    boolean isAny = false;
    int rest = state().rawRank();
    for (int i = dims.length - 1; i >= 0; i--) { // ranks are in row-major order
      int place = rest % dims[i];
      rest /= dims[i];
      all[2 * i] = !periodic[i] && place == 0;
      all[2 * i + 1] = !periodic[i] && place == dims[i] - 1;
      isAny |= all[2 * i] || all[2 * i + 1];
    }
    return isAny ? all : null;
  }

  /** Whether there is no process in the place of each neighbour; null: all are there. */
  boolean[] missingNeighbours() {
    return missing;
  }

  /**
   * Neighbours of every process: two in each direction, {@link Comm#PROC_NULL} at an edge that does not wrap around.
   *
   * @return two for each direction, missing ones included
   */
  public int neighbours() {
    return 2 * dims.length;
  }

  /**
   * Sends one buffer to all neighbours and receives one from each, in the order: direction 0 downwards, direction 0 upwards,
   * direction 1 downwards, .... Parts of missing neighbours stay as they are; on a grid without
   * directions nothing happens. {@code MPI_Neighbor_allgather}.
   *
   * @param send what all neighbours get
   * @param receive as many parts as there are {@link #neighbours}
   * @throws IllegalArgumentException if the buffers do not fit each other, or have bytes in common
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void neighbourAllGather(Buf send, Buf receive) {
    calls.neighbourAllGather(CallForm.BLOCKING, send, receive);
  }

  /**
   * Starts a {@link #neighbourAllGather}. {@code MPI_Ineighbor_allgather}.
   *
   * @param send what all neighbours get; not to be changed before the request completes
   * @param receive as many parts as there are {@link #neighbours}; not to be touched before the request completes
   * @return the request
   */
  public Request iNeighbourAllGather(Buf send, Buf receive) {
    return calls.neighbourAllGather(CallForm.NONBLOCKING, send, receive);
  }

  /**
   * Sets up a {@link #neighbourAllGather}. {@code MPI_Neighbor_allgather_init}.
   *
   * @param send what all neighbours get; its contents count at every start
   * @param receive as many parts as there are {@link #neighbours}; not to be touched while one is under way
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or have bytes in common
   */
  public PersistentRequest neighbourAllGatherInit(Buf send, Buf receive) {
    return (PersistentRequest) calls.neighbourAllGather(CallForm.PERSISTENT, send, receive);
  }

  /**
   * Exchanges a part with each neighbour: a halo exchange in one call; the order is that of {@link
   * #neighbourAllGather}. What a process sends downwards is received as the part from above, and
   * the other way round, also where both are the same process (a periodic direction of 1 or 2
   * processes). {@code MPI_Neighbor_alltoall}.
   *
   * @param send as many parts as there are {@link #neighbours}
   * @param receive as many parts as there are {@link #neighbours}
   * @throws IllegalArgumentException if the buffers do not fit each other, or have bytes in common
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void neighbourAllToAll(Buf send, Buf receive) {
    calls.neighbourAllToAll(CallForm.BLOCKING, send, receive);
  }

  /**
   * Starts a {@link #neighbourAllToAll}. {@code MPI_Ineighbor_alltoall}.
   *
   * @param send as many parts as there are {@link #neighbours}; not to be changed before the request completes
   * @param receive as many parts as there are {@link #neighbours}; not to be touched before the request completes
   * @return the request
   */
  public Request iNeighbourAllToAll(Buf send, Buf receive) {
    return calls.neighbourAllToAll(CallForm.NONBLOCKING, send, receive);
  }

  /**
   * Sets up a {@link #neighbourAllToAll}: a halo exchange for every step of a loop. {@code MPI_Neighbor_alltoall_init}.
   *
   * @param send as many parts as there are {@link #neighbours}; their contents count at every start
   * @param receive as many parts as there are {@link #neighbours}; not to be touched while one is under way
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or have bytes in common
   */
  public PersistentRequest neighbourAllToAllInit(Buf send, Buf receive) {
    return (PersistentRequest) calls.neighbourAllToAll(CallForm.PERSISTENT, send, receive);
  }
}
