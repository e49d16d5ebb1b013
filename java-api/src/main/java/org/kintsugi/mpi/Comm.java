// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;

/**
 * A group of processes that can communicate with each other: {@code MPI_Comm}.
 *
 * <p>It has messages, collectives, and methods that make new communicators. Unless a method is
 * described as local, it is collective: every process of the communicator calls it. The caller
 * closes the communicators that a method returns. For use after a failure see
 * {@link FaultTolerance}.
 */
public class Comm extends FaultTolerance implements AutoCloseable {
  /** As a source: any sender. */
  public static final int ANY_SOURCE = MPI.MPI_ANY_SOURCE;

  /** As a tag of a receive: whatever the message carries. */
  public static final int ANY_TAG = MPI.MPI_ANY_TAG;

  /** As a source or destination: no process; the operation does nothing and succeeds. */
  public static final int PROC_NULL = MPI.MPI_PROC_NULL;

  /** As a color of {@link #split}: in none of the new communicators. */
  public static final int UNDEFINED = MPI.MPI_UNDEFINED;

  static {
    Access.Provided.provide(new CommInternals());
  }

  private final boolean predefined;
  private final Leaks.Origin origin;
  private Attributes attributes;
  private String givenName; // null: none
  private final CommInScope inScope = new CommInScope(this);

  /** For {@link org.kintsugi.mpi.internal.CommAccess}: takes over a handle. */
  Comm(long handle, Scope scope, boolean predefined) {
    this(handle, scope, predefined, predefined ? null : Leaks.origin("a communicator"));
  }

  /** Takes over a handle; the origin says where the program made the communicator. */
  Comm(long handle, Scope scope, boolean predefined, Leaks.Origin origin) {
    super(handle, scope);
    this.predefined = predefined;
    this.origin = origin;
    scope.register(inScope, handle);
  }

  @Override
  Comm adopt(long newHandle) {
    return newHandle == MPI.MPI_COMM_NULL ? null : new Comm(newHandle, scope(), false);
  }

  /**
   * A second communicator of the same processes. {@code MPI_Comm_dup}.
   *
   * @return the caller closes it
   */
  public Comm dup() {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> makeDup()) : makeDup();
  }

  private Comm makeDup() {
    long comm = handle();
    tell("MPI_Comm_dup", -1);
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_dup(comm, scratch), "MPI_Comm_dup");
    return withAttributes(named(adopt(Memory.getLong(scratch))));
  }

  /**
   * As {@link #dup()}, with hints instead of this communicator's. {@code MPI_Comm_dup_with_info}.
   *
   * @param info the hints; stays the caller's. Null: none
   * @return the caller closes it
   */
  public Comm dup(Info info) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> makeDup(info)) : makeDup(info);
  }

  private Comm makeDup(Info info) {
    long comm = handle();
    long hints = Info.handleOf(info);
    tell("MPI_Comm_dup_with_info", -1);
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_dup_with_info(comm, hints, scratch), "MPI_Comm_dup_with_info");
    return withAttributes(named(adopt(Memory.getLong(scratch))));
  }

  /** With {@code --check}: reports to the launcher that this function is about to be called. */
  final void tell(String function, int root) {
    if (CheckedComm.IS_ON) {
      CheckedComm.tell(this, function, true, root, null, 0, null);
    }
  }

  /** With {@code --check}: names a communicator that this one's last call made. May be null. */
  final <C extends Comm> C named(C made) {
    if (CheckedComm.IS_ON) {
      CheckedComm.name(made, this);
    }
    return made;
  }

  private Comm withAttributes(Comm copy) {
    if (attributes != null) {
      copy.attributes = attributes.copied();
    }
    return copy;
  }

  /**
   * Divides the processes. {@code MPI_Comm_split}.
   *
   * @param color processes of the same color share a new communicator; {@link #UNDEFINED}: in none
   * @param key orders the ranks in the new communicator; equal keys keep the old order
   * @return the caller closes it; null for {@link #UNDEFINED}
   * @throws IllegalArgumentException if the color is negative and not {@code UNDEFINED}
   */
  public Comm split(int color, int key) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> makeSplit(color, key))
        : makeSplit(color, key);
  }

  private Comm makeSplit(int color, int key) {
    long comm = handle();
    if (color < 0 && color != UNDEFINED) {
      throw Rejections.argument("color " + color + " is negative and not Comm.UNDEFINED");
    }
    tell("MPI_Comm_split", -1);
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_split(comm, color, key, scratch), "MPI_Comm_split");
    return named(adopt(Memory.getLong(scratch)));
  }

  /**
   * Divides the processes by a property that they share. {@code MPI_Comm_split_type}.
   *
   * @param type the property; null: in none of the new communicators
   * @param key orders the ranks in the new communicator
   * @param info hints, or null; {@link SplitType#HW_GUIDED} needs {@code mpi_hw_resource_type}
   * @return the caller closes it; null where there is none
   */
  public Comm splitType(SplitType type, int key, Info info) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> makeSplit(type, key, info))
        : makeSplit(type, key, info);
  }

  private Comm makeSplit(SplitType type, int key, Info info) {
    long comm = handle();
    long hints = Info.handleOf(info);
    tell("MPI_Comm_split_type", -1);
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_split_type(comm, type == null ? UNDEFINED : type.value, key, hints, scratch),
        "MPI_Comm_split_type");
    return named(adopt(Memory.getLong(scratch)));
  }

  /**
   * Divides by node: {@link #splitType} with {@link SplitType#SHARED}.
   *
   * @param key orders the ranks in the new communicator; equal keys keep the old order
   * @return a communicator of the processes on this node; the caller closes it
   */
  public Comm splitShared(int key) {
    return splitType(SplitType.SHARED, key, null);
  }

  /**
   * The processes, as a group. Local. {@code MPI_Comm_group}.
   *
   * @return the caller closes it
   */
  public Group group() {
    long comm = handle();
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_group(comm, scratch), "MPI_Comm_group");
    return new Group(Memory.getLong(scratch));
  }

  /**
   * A communicator of a part of the processes; all call it. {@code MPI_Comm_create}.
   *
   * @param group a part of this communicator's processes; the same on all of them. It stays the caller's
   * @return null outside of the group
   */
  public Comm create(Group group) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> makeOf(group)) : makeOf(group);
  }

  private Comm makeOf(Group group) {
    long comm = handle();
    long members = group.handle();
    tell("MPI_Comm_create", -1);
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_create(comm, members, scratch), "MPI_Comm_create");
    return named(adopt(Memory.getLong(scratch)));
  }

  /**
   * A communicator of a part of the processes; only those call it. {@code MPI_Comm_create_group}.
   *
   * @param group a part of this communicator's processes, this one included; the same on all of them
   * @param tag tells calls apart that are made at the same time on different threads; zero or greater
   * @return the caller closes it
   * @throws IllegalArgumentException if the tag is negative
   */
  public Comm createGroup(Group group, int tag) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> makeOf(group, tag)) : makeOf(group, tag);
  }

  private Comm makeOf(Group group, int tag) {
    long comm = handle();
    checkSendTag(tag);
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_create_group(comm, group.handle(), tag, scratch), "MPI_Comm_create_group");
    return CheckedComm.nameOfSome(adopt(Memory.getLong(scratch)), this, "group " + tag);
  }

  /**
   * A communicator whose ranks form a Cartesian grid. {@code MPI_Cart_create}.
   *
   * @param dims processes in each direction
   * @param periodic whether the grid wraps around in each direction
   * @param reorder whether ranks may change
   * @return the caller closes it; null for processes that the grid does not need
   * @throws IllegalArgumentException if the arrays differ in length, a direction has no process, or the grid needs more processes
   *     than there are
   */
  public CartComm cart(int[] dims, boolean[] periodic, boolean reorder) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> makeCart(dims, periodic, reorder))
        : makeCart(dims, periodic, reorder);
  }

  private CartComm makeCart(int[] dims, boolean[] periodic, boolean reorder) {
    long comm = handle();
    if (dims.length != periodic.length) {
      throw Rejections.argument(
          "dims has " + dims.length + " elements, periodic has " + periodic.length);
    }
    long cells = 1;
    int[] wraps = new int[dims.length];
    for (int i = 0; i < dims.length; i++) {
      if (dims[i] <= 0) {
        throw Rejections.argument("dims[" + i + "] = " + dims[i] + " is not positive: see CartComm.dims");
      }
      cells *= dims[i];
      wraps[i] = periodic[i] ? 1 : 0;
    }
    if (cells > size()) {
      throw Rejections.argument("a grid of " + cells + " processes does not fit a communicator of " + size());
    }
    tell("MPI_Cart_create", -1);
    long arrays = Ints.allocate(dims, wraps);
    try {
      long scratch = Scratch.address();
      check(MPI.MPI_Cart_create(comm, dims.length, arrays, arrays + Ints.bytes(dims), reorder ? 1 : 0, scratch),
          "MPI_Cart_create");
      long cart = Memory.getLong(scratch);
      return named(cart == MPI.MPI_COMM_NULL ? null : new CartComm(cart, scope(), dims, periodic));
    } finally {
      Memory.free(arrays);
    }
  }

  /** Refuses an intercommunicator, as Open MPI does not check this everywhere. */
  final void requireOneGroup(String function) {
    if (this instanceof Intercomm) {
      check(MPI.MPI_ERR_COMM, function);
    }
  }

  /**
   * Starts more processes. {@code MPI_Comm_spawn}.
   *
   * @param command the program; read at {@code root} only, like the other parameters
   * @param arguments its arguments
   * @param processes how many; fewer are an error
   * @param root the rank whose arguments count
   * @return the intercommunicator to them; the caller closes it
   * @throws IllegalArgumentException if the root is invalid, or {@code processes} is not positive
   */
  public Intercomm spawn(String command, String[] arguments, int processes, int root) {
    return spawn(command, arguments, processes, null, root);
  }

  /**
   * As {@link #spawn(String, String[], int, int)}, with hints.
   *
   * @param command the program; read at {@code root} only, like the other parameters
   * @param arguments its arguments
   * @param processes how many; fewer are an error
   * @param info where and how to start them ({@code host}, {@code wdir}, ...), or null; read at {@code root} only
   * @param root the rank whose arguments count
   * @return the intercommunicator to them; the caller closes it
   * @throws IllegalArgumentException if the root is invalid, or {@code processes} is not positive
   */
  public Intercomm spawn(String command, String[] arguments, int processes, Info info, int root) {
    return VirtualThreads.needsPlatformThread()
        ? VirtualThreads.onPlatformThread(() -> makeBySpawning(command, arguments, processes, info, root))
        : makeBySpawning(command, arguments, processes, info, root);
  }

  private Intercomm makeBySpawning(String command, String[] arguments, int processes, Info info, int root) {
    long comm = handle();
    checkRoot(root);
    if (root != rank()) {
      return spawn(comm, 0, 0, 0, MPI.MPI_INFO_NULL, root);
    }
    long hints = Info.handleOf(info);
    if (processes <= 0) {
      throw Rejections.argument("processes " + processes + " is not positive");
    }
    try (SpawnCommand words = new SpawnCommand(command, arguments)) {
      return spawn(comm, words.program(), words.arguments(), processes, hints, root);
    }
  }

  private Intercomm spawn(long comm, long program, long argv, int processes, long hints, int root) {
    tell("MPI_Comm_spawn", root);
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_spawn(program, argv, processes, hints, root, comm, scratch, MPI.MPI_ERRCODES_IGNORE), "MPI_Comm_spawn");
    return new Intercomm(Memory.getLong(scratch), scope());
  }

  /**
   * Joins two groups of processes into an intercommunicator. {@code MPI_Intercomm_create}.
   *
   * <p>If a process fails, other processes may wait, in particular those of the other group. A Reinit run ends that wait. Elsewhere
   * each process that gets the exception must {@link #revoke} this communicator, and a leader {@code peer} as well.
   *
   * @param localLeader a rank of this communicator
   * @param peer a communicator of either kind that both leaders have; read on the leaders only, null elsewhere if need be
   * @param remoteLeader the other group's leader, as a rank that can be sent to on {@code peer}; read on the leaders only
   * @param tag of the leaders' messages on {@code peer}; the same on both sides, and used by no other message meanwhile
   * @return the intercommunicator to the other group; the caller closes it
   * @throws IllegalArgumentException if the local leader or its arguments are invalid
   * @throws NullPointerException on a leader without {@code peer}
   */
  public Intercomm intercomm(int localLeader, Comm peer, int remoteLeader, int tag) {
    return VirtualThreads.needsPlatformThread()
        ? VirtualThreads.onPlatformThread(() -> makeIntercomm(localLeader, peer, remoteLeader, tag))
        : makeIntercomm(localLeader, peer, remoteLeader, tag);
  }

  private Intercomm makeIntercomm(int localLeader, Comm peer, int remoteLeader, int tag) {
    handle();
    requireOneGroup("MPI_Intercomm_create");
    checkRoot(localLeader);
    return CheckedComm.nameIntercomm(new Intercomm(GroupMeeting.meet(this, localLeader, peer, remoteLeader, tag), scope()), this);
  }

  /**
   * Its name, for messages and tools. Local. {@code MPI_Comm_get_name}.
   *
   * @return the name that {@link #setName} or MPI has set; empty for none
   */
  public String name() {
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_get_name(handle(), scratch + Scratch.TEXT, scratch + Scratch.LENGTH), "MPI_Comm_get_name");
    return Memory.getString(scratch + Scratch.TEXT, Memory.getInt(scratch + Scratch.LENGTH));
  }

  /**
   * Gives it a name. Local. {@code MPI_Comm_set_name}.
   *
   * @param name at most 63 bytes, {@code MPI_MAX_OBJECT_NAME}; longer ones are cut
   */
  public void setName(String name) {
    long text = Memory.allocateString(name);
    try {
      check(MPI.MPI_Comm_set_name(handle(), text), "MPI_Comm_set_name");
      givenName = name;
      if (checked() != null) {
        checked().setName(name);
      }
    } finally {
      Memory.free(text);
    }
  }

  /**
   * The hints in force, as MPI reports them. Local. {@code MPI_Comm_get_info}.
   *
   * @return the caller closes it
   */
  public Info info() {
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_get_info(handle(), scratch), "MPI_Comm_get_info");
    return Info.owned(Memory.getLong(scratch));
  }

  /**
   * Gives it hints. {@code MPI_Comm_set_info}.
   *
   * @param info the hints; stays the caller's
   */
  public void setInfo(Info info) {
    check(MPI.MPI_Comm_set_info(handle(), Info.handleOf(info)), "MPI_Comm_set_info");
  }

  /**
   * The object kept under a key; null if there is none. Local. {@code MPI_Comm_get_attr}.
   *
   * @param <T> the type of the object
   * @param key the key that {@link #setAttribute} was given
   * @return the object itself, not a copy; null if there is none
   */
  @SuppressWarnings("unchecked") // setAttribute puts in only what the key's type allows
  public <T> T attribute(Attribute<T> key) {
    handle();
    return attributes == null ? null : (T) attributes.get(key);
  }

  /**
   * Keeps an object under a key; null removes it. Local. {@code MPI_Comm_set_attr}, {@code MPI_Comm_delete_attr}.
   *
   * @param <T> the type of the object
   * @param key whose copy and delete functions apply
   * @param value the object; null removes the present one
   * @throws NullPointerException if the key is null
   */
  public <T> void setAttribute(Attribute<T> key, T value) {
    handle();
    if (key == null) {
      throw new NullPointerException("key is null");
    }
    if (attributes == null) {
      attributes = new Attributes();
    }
    attributes.put(key, value);
  }

  /**
   * Whether two communicators are of the same processes in the same order. Local. {@code MPI_Comm_compare}.
   *
   * @param other the second communicator
   * @return whether messages between equal ranks go to the same processes; the communicators may still be different ones
   */
  public boolean isCongruent(Comm other) {
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_compare(handle(), other.handle(), scratch), "MPI_Comm_compare");
    int result = Memory.getInt(scratch);
    return result == MPI.MPI_IDENT || result == MPI.MPI_CONGRUENT;
  }

  /**
   * Whether it is closed, or stale because the epoch in which it was made has ended. Local.
   *
   * @return whether every operation on it would throw
   */
  public boolean isClosed() {
    return rawHandle() == 0 || scope().hasEnded();
  }

  /**
   * Frees the communicator. Idempotent; does nothing if it is stale or predefined, so that
   * {@code try}-with-resources is safe while a rollback passes. A revoked one can be closed.
   * {@code MPI_Comm_free}.
   */
  @Override
  public void close() {
    if (predefined || rawHandle() == 0 || scope().hasEnded() || !Mpi.isActive()) {
      return;
    }
    CallingThread.check();
    if (attributes != null) {
      attributes.delete();
    }
    scope().forget(inScope, rawHandle());
    free();
  }

  /** The name that {@link #setName} has set on this object, or null; does not call MPI. */
  final String givenName() {
    return givenName;
  }

  /** The place where the program has made it; null if leaks are not reported, or Kintsugi has made it. */
  final Leaks.Origin origin() {
    return origin;
  }

  boolean isPredefined() {
    return predefined;
  }

  CommInScope inScope() {
    return inScope;
  }

  /** Frees the handle whatever the state of the scope; for the scope's owner. */
  void free() {
    long scratch = Scratch.address();
    Memory.putLong(scratch, rawHandle());
    clearHandle();
    if (!predefined) {
      check(MPI.MPI_Comm_free(scratch), "MPI_Comm_free");
    }
  }
}
