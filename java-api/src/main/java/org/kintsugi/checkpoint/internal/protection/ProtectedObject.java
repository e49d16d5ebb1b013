// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.protection;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Set;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.internal.memory.Memory;

/** A serializable object: for the small stuff, because it is written element by element. Null is an object, too. */
public final class ProtectedObject implements Protected {
  private final Class<?> type;
  private final Type declared;
  private final Variable variable;
  private final Class<?>[] others;

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
    this.declared = declared;
    this.variable = variable;
    this.others = others.clone();
  }

  @Override
  public String shape() {
    return "an object of " + type.getName();
  }

  @Override
  public void pieces(Pieces to) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    NamedClasses named = new NamedClasses(declared, 0, others);
    try (ObjectOutputStream objects = new Telling(bytes, named)) {
      objects.writeObject(variable.value(type));
    } catch (IOException e) {
      throw new CheckpointException("an object of " + type.getName() + " cannot be serialized: " + e, e);
    }
    if (named.refused() != null) {
      throw new CheckpointException("an object of " + type.getName() + " cannot be protected: " + notNamed(named.refused()));
    }
    byte[] saved = bytes.toByteArray();
    if (!tried.containsAll(named.held())) {
      // Some classes can be written and not be read: find that out at the save, and not at the restore. The first value may
      // have none of them, as an empty list.
      read(saved);
      tried.addAll(named.held());
    }
    to.add(saved, Memory.arrayBase(byte[].class), saved.length);
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
    NamedClasses named = new NamedClasses(declared, bytes.length, others);
    try (ObjectInputStream objects = new ClassesOf(named, bytes)) {
      objects.setObjectInputFilter(named);
      return type.cast(objects.readObject());
    } catch (IOException | ClassNotFoundException e) {
      String why = named.refused() == null ? e.toString() : notNamed(named.refused());
      throw new CheckpointException("an object of " + type.getName() + " cannot be read back: " + why, e);
    }
  }

  private String notNamed(Class<?> refused) {
    return "it holds an object of " + refused.getName() + ", which neither " + declared.getTypeName() + " nor its fields name; "
        + "if that is meant to be there, add the class to the call of protectObject";
  }

  /** Asks for the class of all that it writes. It does not throw: after a failure the stream writes the exception, too. */
  private static final class Telling extends ObjectOutputStream {
    private final NamedClasses named;

    Telling(OutputStream out, NamedClasses named) throws IOException {
      super(out);
      this.named = named;
    }

    @Override
    protected void annotateClass(Class<?> written) {
      named.holds(written);
    }

    @Override
    protected void annotateProxyClass(Class<?> written) {
      named.holds(written);
    }
  }

  /** Finds the program's classes, wherever they come from; by itself Java would look where this library's are. */
  private final class ClassesOf extends ObjectInputStream {
    private final NamedClasses named;
    private ClassLoaders loaders; // null until there is a class to find

    ClassesOf(NamedClasses named, byte[] bytes) throws IOException {
      super(new ByteArrayInputStream(bytes));
      this.named = named;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
      try {
        return find(description.getName());
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description); // a primitive type's
      }
    }

    private Class<?> find(String name) throws ClassNotFoundException {
      if (loaders == null) {
        loaders = new ClassLoaders(type, named.classes(), variable);
      }
      return loaders.find(name);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] names) throws IOException, ClassNotFoundException {
      try {
        return super.resolveProxyClass(names);
      } catch (ClassNotFoundException e) {
        Class<?>[] interfaces = new Class<?>[names.length];
        for (int i = 0; i < names.length; i++) {
          interfaces[i] = find(names[i]);
        }
        return Proxy.newProxyInstance(interfaces[0].getClassLoader(), interfaces, (proxy, method, arguments) -> null).getClass();
      }
    }
  }
}
