// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.objects;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.Set;

/** Serializes objects of a type, and reads them back: their classes must be {@link NamedClasses}. */
public final class ObjectBytes {
  /** The most bytes: an array of Java has hardly more, and a message has some of its own. */
  public static final long MOST_BYTES = Integer.MAX_VALUE - 64L;

  private final Type declared;
  private final Class<?> type;
  private final Class<?>[] others;
  private final long mostBytes;

  /**
   * For a type.
   *
   * @param type the objects are of it, or null
   * @param declared the same as the type, with its type arguments if they are known
   * @param others classes that objects may hold although the type does not name them
   */
  public ObjectBytes(Class<?> type, Type declared, Class<?>... others) {
    this(MOST_BYTES, type, declared, others);
  }

  /** With another limit, which a test can reach. */
  ObjectBytes(long mostBytes, Class<?> type, Type declared, Class<?>... others) {
    this.mostBytes = mostBytes;
    this.type = type;
    this.declared = declared;
    this.others = others.clone();
  }

  /**
   * An object in bytes.
   *
   * @param bytes as {@link ObjectBytes#read} takes them
   * @param held the classes of its objects, of arrays those of their elements
   */
  public record Written(byte[] bytes, Set<Class<?>> held) {}

  /** An object has a class that is not named. */
  public static final class NotNamedException extends IOException {
    private static final long serialVersionUID = 1;

    NotNamedException(Class<?> refused, Type declared) {
      super("it holds an object of " + refused.getName() + ", which neither " + declared.getTypeName() + " nor its fields name; "
          + "if that is meant to be there, add the class to the call of ");
    }

    /** The reason, with the method whose last arguments name classes. */
    public String reason(String method) {
      return getMessage() + method;
    }
  }

  /**
   * Serializes an object, which may be null.
   *
   * @throws NotNamedException if it has a class that {@link #read} would refuse
   * @throws IOException if it cannot be serialized, or is larger than an array of Java
   */
  public Written write(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    NamedClasses named = new NamedClasses(declared, 0, others);
    try (ObjectOutputStream objects = new Telling(new Limited(bytes, mostBytes), named)) {
      objects.writeObject(value);
    }
    if (named.refused() != null) {
      throw new NotNamedException(named.refused(), declared);
    }
    return new Written(bytes.toByteArray(), named.held());
  }

  /**
   * Reads an object back.
   *
   * @param bytes of {@link #write}, or of a source that is not trusted
   * @param near objects whose class loaders may know the classes; null ones are passed over
   * @return may be null
   * @throws NotNamedException if it has a class that is not named
   * @throws IOException if the bytes are damaged
   * @throws ClassNotFoundException if no class loader knows a class
   */
  public Object read(byte[] bytes, Object... near) throws IOException, ClassNotFoundException {
    NamedClasses named = new NamedClasses(declared, bytes.length, others);
    try (ObjectInputStream objects = new ClassesOf(named, bytes, near)) {
      objects.setObjectInputFilter(named);
      return type.cast(objects.readObject());
    } catch (IOException | ClassNotFoundException e) {
      if (named.refused() != null) {
        throw new NotNamedException(named.refused(), declared);
      }
      throw e;
    }
  }

  /** Refuses more bytes than an array has. */
  private static final class Limited extends OutputStream {
    private final ByteArrayOutputStream bytes;
    private final long most;

    Limited(ByteArrayOutputStream bytes, long most) {
      this.bytes = bytes;
      this.most = most;
    }

    private void require(long more) throws IOException {
      if (bytes.size() + more > most) {
        throw new IOException("it takes more than " + most + " bytes: send its arrays as Bufs, which may be larger");
      }
    }

    @Override
    public void write(int one) throws IOException {
      require(1);
      bytes.write(one);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      require(length);
      bytes.write(from, offset, length);
    }
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
    private final Object[] near;
    private ClassLoaders loaders; // null until there is a class to find

    ClassesOf(NamedClasses named, byte[] bytes, Object... near) throws IOException {
      super(new ByteArrayInputStream(bytes));
      this.named = named;
      this.near = near;
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
        loaders = new ClassLoaders(type, named.classes(), near);
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
