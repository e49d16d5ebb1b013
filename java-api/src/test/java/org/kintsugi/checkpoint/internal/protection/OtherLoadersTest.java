// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.objects.ClassLoaders;

/** Objects whose classes come from other loaders, as in single-file programs, scripts and plug-ins. */
class OtherLoadersTest {
  /** What the other loader makes: it knows a {@link Particle} of its own. */
  public static class Plugin implements Supplier<ArrayList<Object>> {
    @Override
    public ArrayList<Object> get() {
      return new ArrayList<>(List.of(new Particle(7)));
    }
  }

  /** An element. */
  public record Particle(int number) implements Serializable {}

  /** Can be written, and not be read. */
  private static final class Unreadable implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException {
      throw new InvalidObjectException("not readable");
    }
  }

  /** Makes its own of the classes of this test, and asks this one's loader for all others. */
  private static final class Other extends ClassLoader {
    Other() {
      super(OtherLoadersTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(OtherLoadersTest.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] code = bytes.readAllBytes();
        return known != null ? known : defineClass(name, code, 0, code.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private final Class<?> plugin;
  private final Class<?> particle;
  private final Object list;

  @SuppressWarnings("unchecked")
  OtherLoadersTest() throws ReflectiveOperationException {
    Other loader = new Other();
    plugin = loader.loadClass(Plugin.class.getName());
    particle = loader.loadClass(Particle.class.getName());
    list = ((Supplier<ArrayList<Object>>) plugin.getConstructor().newInstance()).get();
    assertThat(particle).isNotEqualTo(Particle.class);
  }

  /** What a save has written, by another object, is read as in another process. */
  private Object readBack(ProtectedObject saved, Class<?>... others) {
    byte[][] bytes = new byte[1][];
    saved.pieces((base, offset, length, owner) -> bytes[0] = (byte[]) base);
    Object[] read = new Object[1];
    long address = Memory.allocate(bytes[0].length);
    try {
      Memory.copyIn(bytes[0], Memory.arrayBase(byte[].class), address, bytes[0].length);
      new ProtectedObject(ArrayList.class, ArrayList.class, Variable.of(() -> null, object -> read[0] = object), others)
          .readFrom(address, bytes[0].length, new HashSet<>());
    } finally {
      Memory.free(address);
    }
    return read[0];
  }

  @Test
  void anElementIsOfTheClassThatTheProgramHasNamed() {
    ArrayList<?> read = (ArrayList<?>) readBack(new ProtectedObject(ArrayList.class, ArrayList.class,
        Variable.of(() -> list, object -> {}), particle), particle);
    assertThat(read).isEqualTo(list);
    assertThat(read.get(0).getClass()).isSameAs(particle);
  }

  /** The named class comes before one of the same name that the context's loader and this library's have made. */
  @Test
  void loadersAreAskedInTurn() throws ClassNotFoundException {
    ClassLoaders named = new ClassLoaders(ArrayList.class, List.of(particle), list);
    assertThat(named.find("java.util.ArrayList")).isSameAs(ArrayList.class);
    assertThat(named.find(Particle.class.getName())).isSameAs(particle);
    assertThatThrownBy(() -> named.find("com.example.Unknown")).isInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void anObjectIsReadBackWhenThereIsAClassThatWasNotSavedBefore() {
    ArrayList<Object> values = new ArrayList<>();
    ProtectedObject saved = new ProtectedObject(ArrayList.class, ArrayList.class, Variable.of(() -> values, object -> {}),
        Unreadable.class);
    saved.pieces((base, offset, bytes, owner) -> {});
    values.add(new Unreadable());
    assertThatThrownBy(() -> saved.pieces((base, offset, bytes, owner) -> {})).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("cannot be read back");
    values.clear();
    saved.pieces((base, offset, bytes, owner) -> {});
  }
}
