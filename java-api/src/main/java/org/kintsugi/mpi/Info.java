// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.threads.CallingThread;

/**
 * Hints for MPI: pairs of key and value, both text. MPI ignores keys that it does not know. All methods are local. MPI 4.1,
 * chapter 10.
 *
 * <pre>{@code
 * try (Info hints = Info.of(Map.of("mpi_assert_no_any_tag", "true")); Comm fast = world.dup(hints)) { ... }
 * }</pre>
 */
public final class Info implements AutoCloseable {
  private final Leaks.Watch watch = Leaks.watch(this, null, Leaks.origin("an info"));
  private long handle;

  private Info(long handle) {
    this.handle = handle;
  }

  /** Takes over a handle that MPI returned. */
  static Info owned(long handle) {
    return new Info(handle);
  }

  /**
   * Hints without any pairs. {@code MPI_Info_create}.
   *
   * @return the caller closes it
   */
  public static Info create() {
    Mpi.current();
    CallingThread.check();
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Info_create(scratch), "MPI_Info_create");
    return new Info(Memory.getLong(scratch));
  }

  /**
   * Hints with these pairs.
   *
   * @param pairs keys and values, of the lengths that {@link #set} takes
   * @return the caller closes it
   * @throws IllegalArgumentException if one of them has another length
   */
  public static Info of(Map<String, String> pairs) {
    Info info = create();
    pairs.forEach(info::set);
    return info;
  }

  /** The handle of hints, or MPI's null handle. */
  static long handleOf(Info info) {
    return info == null ? MPI.MPI_INFO_NULL : info.handle();
  }

  /**
   * The {@code MPI_Info}, for the raw bindings.
   *
   * @return the handle, valid until {@link #close}
   * @throws IllegalStateException if the info is closed, or this thread must not call MPI
   */
  public long handle() {
    if (handle == 0) {
      throw Rejections.state("info is closed");
    }
    CallingThread.check();
    return handle;
  }

  /**
   * Adds a pair, or replaces its value. {@code MPI_Info_set}.
   *
   * @param key 1 to 35 bytes ({@code MPI_MAX_INFO_KEY})
   * @param value 1 to 255 bytes ({@code MPI_MAX_INFO_VAL})
   * @return this
   * @throws IllegalArgumentException if one of them has another length
   */
  public Info set(String key, String value) {
    long info = handle();
    long name = checked(key, "key", MPI.MPI_MAX_INFO_KEY);
    try {
      long text = checked(value, "value", MPI.MPI_MAX_INFO_VAL);
      try {
        Errors.check(MPI.MPI_Info_set(info, name, text), "MPI_Info_set");
      } finally {
        Memory.free(text);
      }
    } finally {
      Memory.free(name);
    }
    return this;
  }

  /**
   * The value of a key; empty if there is none. {@code MPI_Info_get_string}.
   *
   * @param key 1 to 35 bytes
   * @return its value, as MPI holds it
   * @throws IllegalArgumentException if the key has another length
   */
  public Optional<String> get(String key) {
    long info = handle();
    long name = checked(key, "key", MPI.MPI_MAX_INFO_KEY);
    long scratch = Scratch.address();
    try {
      long length = scratch + Scratch.LENGTH;
      long text = scratch + Scratch.TEXT;
      Memory.putInt(length, MPI.MPI_MAX_INFO_VAL + 1);
      Errors.check(MPI.MPI_Info_get_string(info, name, length, text, scratch + Scratch.FLAG), "MPI_Info_get_string");
      // The length counts the final zero.
      return Memory.getInt(scratch + Scratch.FLAG) == 0
          ? Optional.empty() : Optional.of(Memory.getString(text, Memory.getInt(length) - 1));
    } finally {
      Memory.free(name);
    }
  }

  /**
   * Removes a pair. {@code MPI_Info_delete}.
   *
   * @param key 1 to 35 bytes
   * @return whether it was there
   * @throws IllegalArgumentException if the key has another length
   */
  public boolean remove(String key) {
    if (get(key).isEmpty()) {
      return false;
    }
    long name = checked(key, "key", MPI.MPI_MAX_INFO_KEY);
    try {
      Errors.check(MPI.MPI_Info_delete(handle(), name), "MPI_Info_delete");
      return true;
    } finally {
      Memory.free(name);
    }
  }

  /**
   * All pairs, in the order in which they were added; a copy. {@code MPI_Info_get_nthkey}.
   *
   * @return the pairs; changes to the map do not change the hints
   */
  public Map<String, String> toMap() {
    long info = handle();
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Info_get_nkeys(info, scratch), "MPI_Info_get_nkeys");
    int keys = Memory.getInt(scratch);
    Map<String, String> pairs = new LinkedHashMap<>();
    for (int i = 0; i < keys; i++) {
      Errors.check(MPI.MPI_Info_get_nthkey(info, i, scratch), "MPI_Info_get_nthkey");
      String key = Memory.getCString(scratch);
      get(key).ifPresent(value -> pairs.put(key, value));
    }
    return pairs;
  }

  private static long checked(String text, String argument, int limit) {
    long string = Memory.allocateString(Rejections.requireNonNull(text, argument));
    int length = Memory.lengthOfCString(string);
    if (length == 0 || length >= limit) {
      Memory.free(string);
      throw Rejections.argument(
          argument + " '" + text + "' has " + length + " bytes, and 1 to " + (limit - 1) + " are possible");
    }
    return string;
  }

  /** Frees it. Idempotent. {@code MPI_Info_free}. */
  @Override
  public void close() {
    if (handle != 0 && Mpi.isActive()) {
      CallingThread.check();
      long scratch = Scratch.address();
      Memory.putLong(scratch, handle);
      handle = 0;
      Leaks.closed(watch);
      Errors.check(MPI.MPI_Info_free(scratch), "MPI_Info_free");
    }
  }

  @Override
  public String toString() {
    return handle == 0 ? "Info[closed]" : CallingThread.isThis() ? "Info" + toMap() : "Info";
  }
}
