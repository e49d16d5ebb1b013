// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.Memory;

/**
 * Protects data and saves it, so that after a recovery every process can go back to the same version of it.
 *
 * <p>{@link #protect} names what belongs to a version; a name protected again is replaced (after a rollback the body
 * protects its new arrays). {@link #save} writes a version, {@link #restore} brings back the newest that every process
 * can get. Both are collective over the world. A failure inside a save never costs the version before it.
 */
public final class Checkpoint {
  private final CheckpointStore store;
  private final Map<String, Protected> protectedData = new LinkedHashMap<>();
  private Buf image = Buf.ofBytes(0);
  private Comm world;
  private long saves;
  private long bytesSaved;
  private long nanos;

  Checkpoint(CheckpointStore store) {
    this.store = store;
  }

  /** Binds to the world of a new epoch; what was protected in the old one is forgotten. Local. For the run that owns it. */
  public void bind(Comm newWorld) {
    world = Objects.requireNonNull(newWorld, "world is null");
    protectedData.clear();
    store.bind(newWorld);
  }

  /** Protects an array of {@code byte}; the array itself is written to by {@link #restore}. */
  public void protect(String name, byte[] array) {
    put(name, Protected.of(Buf.of(array)));
  }

  /** Protects an array of {@code short}; the array itself is written to by {@link #restore}. */
  public void protect(String name, short[] array) {
    put(name, Protected.of(Buf.of(array)));
  }

  /** Protects an array of {@code char}; the array itself is written to by {@link #restore}. */
  public void protect(String name, char[] array) {
    put(name, Protected.of(Buf.of(array)));
  }

  /** Protects an array of {@code int}; the array itself is written to by {@link #restore}. */
  public void protect(String name, int[] array) {
    put(name, Protected.of(Buf.of(array)));
  }

  /** Protects an array of {@code long}; the array itself is written to by {@link #restore}. */
  public void protect(String name, long[] array) {
    put(name, Protected.of(Buf.of(array)));
  }

  /** Protects an array of {@code float}; the array itself is written to by {@link #restore}. */
  public void protect(String name, float[] array) {
    put(name, Protected.of(Buf.of(array)));
  }

  /** Protects an array of {@code double}; the array itself is written to by {@link #restore}. */
  public void protect(String name, double[] array) {
    put(name, Protected.of(Buf.of(array)));
  }

  /** Protects a buffer. It must stay open as long as it is protected. */
  public void protect(String name, Buf buf) {
    put(name, Protected.of(Objects.requireNonNull(buf, "buf is null")));
  }

  /** Protects a whole number, for instance a field: {@code protect("k", () -> k, value -> k = value)}. */
  public void protect(String name, LongSupplier get, LongConsumer set) {
    put(name, Protected.of(get, set));
  }

  /** Protects a floating-point number. */
  public void protectDouble(String name, DoubleSupplier get, DoubleConsumer set) {
    put(name, Protected.of(get, set));
  }

  private void put(String name, Protected data) {
    protectedData.put(Objects.requireNonNull(name, "name is null"), data);
  }

  /**
   * Saves a version. Collective; returns when every rank has it.
   *
   * @param version the program's own number, larger than the last one's; for instance the iteration to go on with
   * @throws CheckpointException on every rank, if any rank could not write its part; the version before is kept
   */
  public void save(long version) {
    long start = System.nanoTime();
    Buf packed = pack();
    CheckpointException failure = null;
    try {
      store.write(version, packed);
    } catch (CheckpointException e) {
      failure = e;
    }
    boolean everywhere = world.allReduce(failure == null ? 1L : 0L, Op.MIN) == 1;
    if (failure != null) {
      throw failure;
    }
    if (!everywhere) {
      throw new CheckpointException("version " + version + " could not be written by another rank; the one before it is kept");
    }
    store.commit(version);
    saves++;
    bytesSaved += packed.count();
    nanos += System.nanoTime() - start;
  }

  /**
   * Brings back the newest version that every rank can get. Collective.
   *
   * @return its number; empty if there is none, and then nothing is changed: the program begins from its start. If there was one
   *     and all copies of a part of it are lost (in-memory checkpoints), rank 0 says so on standard error
   * @throws CheckpointException if what was saved is not what is protected now: names, types and lengths are compared
   */
  public OptionalLong restore() {
    long start = System.nanoTime();
    OptionalLong version = store.newestComplete();
    if (version.isPresent()) {
      unpack(version.getAsLong(), store.fetch(version.getAsLong()));
    }
    nanos += System.nanoTime() - start;
    return version;
  }

  /** How many versions this process has saved. */
  public long saves() {
    return saves;
  }

  /** Bytes of this process's images, all saves together. */
  public long bytesSaved() {
    return bytesSaved;
  }

  /** Seconds that this process has spent in {@link #save} and {@link #restore}. */
  public double seconds() {
    return nanos / 1e9;
  }

  /** The image: length of the table of contents, the table as text, then the data in its order. */
  private Buf pack() {
    byte[] contents = contents().getBytes(StandardCharsets.UTF_8);
    long bytes = 8 + contents.length;
    for (Protected data : protectedData.values()) {
      bytes += data.bytes();
    }
    if (image.count() < bytes) {
      image.close();
      image = Buf.ofBytes(bytes);
    }
    long at = image.address();
    Memory.putLong(at, contents.length);
    Memory.copyIn(contents, Memory.arrayBase(byte[].class), at + 8, contents.length);
    at += 8 + contents.length;
    for (Protected data : protectedData.values()) {
      data.writeTo(at);
      at += data.bytes();
    }
    return image.slice(0, bytes);
  }

  private String contents() {
    StringBuilder text = new StringBuilder();
    protectedData.forEach((name, data) -> text.append(name).append(": ").append(data.shape()).append('\n'));
    return text.toString();
  }

  private void unpack(long version, Buf saved) {
    long at = saved.address();
    int length = (int) Memory.getLong(at);
    String found = Memory.getString(at + 8, length);
    String expected = contents();
    if (!found.equals(expected)) {
      throw new CheckpointException("version " + version + " of rank " + world.rank()
          + " is not what is protected now.\nSaved:\n" + found + "Protected:\n" + expected);
    }
    at += 8 + length;
    for (Protected data : protectedData.values()) {
      data.readFrom(at);
      at += data.bytes();
    }
  }
}
