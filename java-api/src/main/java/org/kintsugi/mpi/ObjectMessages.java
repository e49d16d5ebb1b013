// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.io.Serializable;
import java.util.List;
import org.kintsugi.mpi.internal.lifetime.Scope;

/**
 * Serializable objects and strings in messages and collectives: for small data, such as a program's
 * input. The type and its fields name the classes that are read, as for {@code protectObject}.
 */
abstract class ObjectMessages extends CollectiveInits {
  private final ObjectCalls objects = new ObjectCalls((Comm) this);

  ObjectMessages(long handle, Scope scope) {
    super(handle, scope);
  }

  /**
   * Sends the root's string to all: see {@link #bcastObject}.
   *
   * @param value the string, which may be null; what the other processes pass does not matter
   * @param root the sender's rank
   * @return the root's string, on every process
   * @throws IllegalArgumentException if the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public String bcast(String value, int root) {
    return bcastObject(String.class, value, root);
  }

  /**
   * Sends the root's object to all, serialized: two broadcasts. Collective, blocking. {@code MPI_Bcast}.
   *
   * @param <T> the type of the object
   * @param type the object is of it; with the types of its fields it names the classes that may be read
   * @param value the object, which may be null; what the other processes pass does not matter
   * @param root the sender's rank
   * @param others further classes that the object may hold, the same on all processes
   * @return the root's own object there, a copy on every other process
   * @throws IllegalArgumentException on all processes if the object cannot be serialized, takes more than 2 GiB, or holds a
   *     class that is not named; on one process if it cannot be read there; if the root is invalid
   * @throws UnsupportedOperationException between two groups, and on a persistent communicator
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public <T extends Serializable> T bcastObject(Class<T> type, T value, int root, Class<?>... others) {
    return objects.bcast(type, value, root, others);
  }

  /**
   * Collects an object of every process at the root. Collective, blocking. {@code MPI_Gatherv}.
   *
   * @param <T> the type of the objects
   * @param type as for {@link #bcastObject}
   * @param value this process's object, which may be null
   * @param root the receiver's rank
   * @param others further classes that the objects may hold, the same on all processes
   * @return the objects by rank at the root, an unmodifiable list; null elsewhere
   * @throws IllegalArgumentException on all processes if an object cannot be serialized or holds a class that is not named, or
   *     if they take more than 2 GiB together; at the root if one cannot be read there; if the root is invalid
   * @throws UnsupportedOperationException between two groups, and on a persistent communicator
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public <T extends Serializable> List<T> gatherObjects(Class<T> type, T value, int root, Class<?>... others) {
    return objects.gather(type, value, root, others);
  }

  /**
   * Collects an object of every process on every process. Collective, blocking. {@code MPI_Allgatherv}.
   *
   * @param <T> the type of the objects
   * @param type as for {@link #bcastObject}
   * @param value this process's object, which may be null
   * @param others further classes that the objects may hold, the same on all processes
   * @return the objects by rank, an unmodifiable list
   * @throws IllegalArgumentException on all processes if an object cannot be serialized or holds a class that is not named, or
   *     if they take more than 2 GiB together; on one process if one cannot be read there
   * @throws UnsupportedOperationException between two groups, and on a persistent communicator
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public <T extends Serializable> List<T> allGatherObjects(Class<T> type, T value, Class<?>... others) {
    return objects.allGather(type, value, others);
  }

  /**
   * Sends an object, serialized, for {@link #recvObject}. Blocking. {@code MPI_Send}.
   *
   * <p>If the object cannot be sent, the receiver does not wait for it: it gets a message with the reason, and throws.
   *
   * @param <T> the type of the object
   * @param type as for {@link #bcastObject}
   * @param value the object, which may be null
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @param others further classes that the object may hold
   * @throws IllegalArgumentException if the object cannot be serialized, takes more than 2 GiB, or holds a class that is not
   *     named
   * @throws UnsupportedOperationException on a persistent communicator
   * @throws MpiFaultException if the receiver has failed or the communicator is revoked
   */
  public <T extends Serializable> void sendObject(Class<T> type, T value, int dest, int tag, Class<?>... others) {
    objects.send(type, value, dest, tag, others);
  }

  /**
   * Receives an object of {@link #sendObject}. Blocking. {@code MPI_Mprobe}, {@code MPI_Mrecv}.
   *
   * @param <T> the type of the object
   * @param type as for {@link #bcastObject}
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @param others further classes that the object may hold
   * @return the object; null from {@link Comm#PROC_NULL}
   * @throws IllegalArgumentException if the sender could not send it, or if it cannot be read here; the message is gone then
   * @throws UnsupportedOperationException on a persistent communicator
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public <T extends Serializable> T recvObject(Class<T> type, int source, int tag, Class<?>... others) {
    return objects.recv(type, source, tag, others);
  }
}
