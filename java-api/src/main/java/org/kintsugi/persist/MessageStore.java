// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.nio.ByteBuffer;
import java.util.List;
import org.kintsugi.mpi.Comm;

/**
 * Keeps the messages of one persistent communicator. One object serves one process and one communicator, in one epoch: after a
 * recovery every process, survivors and replacements alike, opens its store anew and must find there the entries that the process
 * with its rank has stored.
 *
 * <p>A custom store is one public class with a public constructor without parameters, chosen by its name as the value of {@link
 * PersistSettings#STORE}.
 *
 * <p>Every store holds to this: a process writes entries of its own rank only; an entry is there as a whole or not at all; bytes
 * that differ from those that were stored are never returned. Methods are local unless said otherwise, and throw {@link
 * PersistException}.
 */
public interface MessageStore extends AutoCloseable {
  /**
   * Opens the stored messages of this process, or begins with none.
   *
   * @param context the process, and how to keep its messages
   * @throws PersistException also if another job uses it
   */
  void open(StoreContext context);

  /**
   * Stores an entry of this process. When it returns, the entry outlives this process; with {@code scr}, which can only keep what
   * all processes hand to it together, not before a {@link #settle}.
   *
   * @param entry the entry, with a higher number than all before it
   * @param payload from its position to its limit; direct; not kept
   */
  void append(Entry entry, ByteBuffer payload);

  /**
   * An entry of this process is not needed any more; it may stay, and the store may use its room.
   *
   * @param entry one that this process has stored
   */
  void drop(Entry entry);

  /**
   * As {@link #drop}, of an entry that a successor must not see either.
   *
   * @param entry one that this process has stored
   */
  default void forget(Entry entry) {
    drop(entry);
  }

  /**
   * Entries of this process with a higher number are forgotten.
   *
   * @param number the highest that stays
   */
  void cut(long number);

  /**
   * Entries of a process with a higher number than {@code after}, ascending; dropped ones may be among them.
   *
   * @param source a rank of the communicator; for other processes than this one, the list has at
   *     least the entries that {@link #settle} made known
   * @param after entries up to this number are left out; 0: all entries
   * @return the entries, in a list of the caller's
   */
  List<Entry> entries(int source, long after);

  /**
   * Reads an entry's bytes.
   *
   * @param source the rank that has stored it
   * @param entry one of those that {@link #entries} gave for that rank
   * @param target has as much room as the entry has bytes; filled from its position on
   * @return false if the entry is not there any more
   * @throws PersistException if the bytes are damaged; names the place and the rank
   */
  boolean read(int source, Entry entry, ByteBuffer target);

  /**
   * Called once after {@link #open}: recovers the messages that are left after a failure.
   * Collective.
   *
   * @param wire a communicator of the same processes, for the store's own messages
   */
  default void recover(Comm wire) {}

  /**
   * Makes all entries stored so far outlive every loss that this store can survive. Collective.
   *
   * @param wire a communicator of the same processes, for the store's own messages
   */
  void settle(Comm wire);

  /**
   * Removes outdated files. Local. Called once, after the first {@link #settle}, when that has
   * worked on all processes and before any process stores a new message.
   */
  default void tidy() {}

  /** Forgets what this process has stored, for good. */
  void clear();

  /**
   * The place of this process's messages, for errors.
   *
   * @return a few words, for instance the name of a file
   */
  default String place() {
    return "the store " + getClass().getName();
  }

  /** Closes files and connections; stored messages stay. Idempotent. */
  @Override
  void close();
}
