// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.BitSet;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Ints;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.threads.CallingThread;

/** An ordered set of processes. All methods are local; groups that they return are the caller's to close. */
public final class Group implements AutoCloseable {
  private final Leaks.Watch watch = Leaks.watch(this, null, Leaks.origin("a group"));
  private long handle;

  Group(long handle) {
    this.handle = handle;
  }

  /**
   * The {@code MPI_Group}, for the raw bindings.
   *
   * @return the handle, valid until {@link #close}
   * @throws IllegalStateException if the group is closed, MPI is not initialised, or this thread must not call it
   */
  public long handle() {
    if (handle == 0) {
      throw Rejections.state("group is closed");
    }
    Mpi.current(); // before MPI_Init and after MPI_Finalize, functions of MPI end the process
    CallingThread.check();
    return handle;
  }

  /**
   * How many processes. {@code MPI_Group_size}.
   *
   * @return their number, zero for an empty group
   */
  public int size() {
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Group_size(handle(), scratch), "MPI_Group_size");
    return Memory.getInt(scratch);
  }

  /**
   * This process's rank in it, or -1. {@code MPI_Group_rank}.
   *
   * @return from 0 on; -1 if this process is not in it
   */
  public int rank() {
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Group_rank(handle(), scratch), "MPI_Group_rank");
    int rank = Memory.getInt(scratch);
    return rank == MPI.MPI_UNDEFINED ? -1 : rank;
  }

  /**
   * The processes of these ranks, in this order. {@code MPI_Group_incl}.
   *
   * @param ranks ranks of this group, each at most once
   * @return a group of these processes; the caller closes it
   * @throws IllegalArgumentException if one is no rank of this group, or is there twice
   */
  public Group include(int... ranks) {
    long array = checked(ranks);
    try {
      long scratch = Scratch.address();
      Errors.check(MPI.MPI_Group_incl(handle(), ranks.length, array, scratch), "MPI_Group_incl");
      return new Group(Memory.getLong(scratch));
    } finally {
      Memory.free(array);
    }
  }

  /**
   * The group without the processes of these ranks. {@code MPI_Group_excl}.
   *
   * @param ranks ranks of this group, each at most once
   * @return a group of the remaining processes, in their order; the caller closes it
   * @throws IllegalArgumentException if one is no rank of this group, or is there twice
   */
  public Group exclude(int... ranks) {
    long array = checked(ranks);
    try {
      long scratch = Scratch.address();
      Errors.check(MPI.MPI_Group_excl(handle(), ranks.length, array, scratch), "MPI_Group_excl");
      return new Group(Memory.getLong(scratch));
    } finally {
      Memory.free(array);
    }
  }

  private long checked(int[] ranks) {
    Rejections.requireNonNull(ranks, "ranks");
    int size = size();
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] < 0 || ranks[i] >= size) {
        throw Rejections.argument(
            "ranks[" + i + "] = " + ranks[i] + " is no rank of a group of " + size);
      }
    }
    BitSet seen = new BitSet(size);
    for (int i = 0; i < ranks.length; i++) {
      if (seen.get(ranks[i])) {
        throw Rejections.argument("ranks[" + i + "] = " + ranks[i] + " is there twice: name each rank at most once");
      }
      seen.set(ranks[i]);
    }
    return Ints.allocate(ranks);
  }

  /**
   * The union of two groups. {@code MPI_Group_union}.
   *
   * @param other the second group
   * @return this group's processes, then those that only the other one has; the caller closes it
   */
  public Group union(Group other) {
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Group_union(handle(), other.handle(), scratch), "MPI_Group_union");
    return new Group(Memory.getLong(scratch));
  }

  /**
   * The intersection of two groups. {@code MPI_Group_intersection}.
   *
   * @param other the second group
   * @return the processes that are in both, in this group's order; the caller closes it
   */
  public Group intersection(Group other) {
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Group_intersection(handle(), other.handle(), scratch), "MPI_Group_intersection");
    return new Group(Memory.getLong(scratch));
  }

  /**
   * The difference of two groups. {@code MPI_Group_difference}.
   *
   * @param other the second group
   * @return this group's processes that are not in the other, in their order; the caller closes it
   */
  public Group difference(Group other) {
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Group_difference(handle(), other.handle(), scratch), "MPI_Group_difference");
    return new Group(Memory.getLong(scratch));
  }

  /**
   * The ranks that this group's processes have in another; -1 for those that are not in it.
   * {@code MPI_Group_translate_ranks}.
   *
   * @param other the group whose ranks are wanted
   * @return an array of this group's size: at index i the other group's rank of this group's rank
   *     i, or -1
   */
  public int[] ranksIn(Group other) {
    int size = size();
    int[] own = new int[size];
    for (int i = 0; i < size; i++) {
      own[i] = i;
    }
    long from = Ints.allocate(own);
    long to = Ints.allocate(own);
    try {
      Errors.check(
          MPI.MPI_Group_translate_ranks(handle(), size, from, other.handle(), to), "MPI_Group_translate_ranks");
      int[] ranks = Ints.read(to, size);
      for (int i = 0; i < size; i++) {
        ranks[i] = ranks[i] == MPI.MPI_UNDEFINED ? -1 : ranks[i];
      }
      return ranks;
    } finally {
      Memory.free(from);
      Memory.free(to);
    }
  }

  /** Frees it. Idempotent. {@code MPI_Group_free}. */
  @Override
  public void close() {
    if (handle != 0 && handle != MPI.MPI_GROUP_EMPTY && Mpi.isActive()) {
      CallingThread.check();
      long scratch = Scratch.address();
      Memory.putLong(scratch, handle);
      handle = 0;
      Leaks.closed(watch);
      Errors.check(MPI.MPI_Group_free(scratch), "MPI_Group_free");
    }
  }
}
