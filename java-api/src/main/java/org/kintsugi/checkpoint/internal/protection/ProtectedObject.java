// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.protection;

import java.io.IOException;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Set;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.objects.ComparableBytes;
import org.kintsugi.mpi.internal.objects.ObjectBytes;

/** A serializable object: for the small stuff, because it is written element by element. Null is an object, too. */
public final class ProtectedObject implements Protected {
  private static final String METHOD = "protectObject";

  private final Class<?> type;
  private final Variable variable;
  private final ObjectBytes form;

  /** The classes that have been read back once. */
  private final Set<Class<?>> tried = new HashSet<>();

  /**
   * An object.
   *
   * @param declared the same as the type, with its type arguments if they are known
   * @param others classes that it may hold objects of although they are not named by that
   */
  public ProtectedObject(Class<?> type, Type declared, Variable variable, Class<?>... others) {
    this.type = type;
    this.variable = variable;
    form = new ObjectBytes(type, declared, others);
  }

  @Override
  public String shape() {
    return "an object of " + type.getName();
  }

  @Override
  public void pieces(Pieces to) {
    ObjectBytes.Written written;
    try {
      written = form.write(variable.value(type));
    } catch (ObjectBytes.NotNamedException e) {
      throw new CheckpointException("an object of " + type.getName() + " cannot be protected: " + e.reason(METHOD));
    } catch (IOException e) {
      throw new CheckpointException("an object of " + type.getName() + " cannot be serialized: " + e, e);
    }
    byte[] saved = written.bytes();
    if (!tried.containsAll(written.held())) {
      // Some classes can be written and not be read: find that out at the save, and not at the restore. The first value may
      // have none of them, as an empty list.
      read(saved);
      tried.addAll(written.held());
    }
    to.add(saved, Memory.arrayBase(byte[].class), saved.length);
  }

  /**
   * Its contents in bytes that are the same for an equal object, however that was made.
   *
   * @throws CheckpointException if the object cannot be serialized
   */
  public byte[] comparable() {
    try {
      return ComparableBytes.of(variable.value(type));
    } catch (IOException e) {
      throw new CheckpointException("an object of " + type.getName() + " cannot be serialized: " + e, e);
    }
  }

  @Override
  public void readFrom(long address, long bytes, Set<Object> given) {
    byte[] copy = new byte[Math.toIntExact(bytes)];
    Memory.copyOut(address, copy, Memory.arrayBase(byte[].class), bytes);
    variable.set().accept(read(copy));
  }

  @Override
  public Object holder() {
    return variable.holder();
  }

  private Object read(byte... bytes) {
    try {
      return form.read(bytes, variable.holder(), variable.get());
    } catch (IOException | ClassNotFoundException e) {
      String why = e instanceof ObjectBytes.NotNamedException refused ? refused.reason(METHOD) : e.toString();
      throw new CheckpointException("an object of " + type.getName() + " cannot be read back: " + why, e);
    }
  }
}
