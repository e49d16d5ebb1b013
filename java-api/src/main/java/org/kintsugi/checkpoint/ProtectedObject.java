// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.kintsugi.mpi.internal.Memory;

/** A serializable object: for the small stuff, because it is written element by element. Null is an object, too. */
final class ProtectedObject implements Protected {
  private final Class<?> type;
  private final Supplier<?> get;
  private final Consumer<Object> set;

  ProtectedObject(Class<?> type, Supplier<?> get, Consumer<Object> set) {
    this.type = type;
    this.get = get;
    this.set = set;
  }

  @Override
  public String shape() {
    return "an object of " + type.getName();
  }

  @Override
  public void pieces(Pieces to) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
      objects.writeObject(get.get());
    } catch (IOException e) {
      throw new CheckpointException("an object of " + type.getName() + " cannot be serialized: " + e, e);
    }
    to.add(bytes.toByteArray(), Memory.arrayBase(byte[].class), bytes.size());
  }

  @Override
  public void readFrom(long address, long bytes) {
    byte[] copy = new byte[Math.toIntExact(bytes)];
    Memory.copyOut(address, copy, Memory.arrayBase(byte[].class), bytes);
    try (ObjectInputStream objects = new ClassesOf(type, copy)) {
      set.accept(objects.readObject());
    } catch (IOException | ClassNotFoundException e) {
      throw new CheckpointException("an object of " + type.getName() + " cannot be read back: " + e, e);
    }
  }

  /** Finds classes where the object's own class was found; by itself Java would look where this library's are. */
  private static final class ClassesOf extends ObjectInputStream {
    private final ClassLoader loader;

    ClassesOf(Class<?> type, byte[] bytes) throws IOException {
      super(new ByteArrayInputStream(bytes));
      loader = type.getClassLoader();
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
      try {
        return Class.forName(description.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }
  }
}
