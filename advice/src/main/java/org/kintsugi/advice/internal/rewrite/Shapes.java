// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.kintsugi.advice.internal.code.Program;
import org.kintsugi.advice.internal.objects.Kind;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;

/** The fields of classes, read from their files: no class is loaded. */
final class Shapes {
  private static final Shape NONE = new Shape(null, 0);

  private final Map<String, Shape> known = new ConcurrentHashMap<>();

  /**
   * A field.
   *
   * @param owner the class that declares it, with slashes
   * @param slot its number among the fields of an object
   * @param access the modifiers of its declaration
   */
  record Field(String owner, int slot, int access) {
    boolean isStatic() {
      return (access & Opcodes.ACC_STATIC) != 0;
    }

    boolean isFinal() {
      return (access & Opcodes.ACC_FINAL) != 0;
    }

    /** The number of the variable that an instruction reads or writes. */
    int number(FieldInsnNode instruction) {
      int number =
          Program.field(isStatic(), owner.replace('/', '.'), instruction.name, instruction.desc, slot);
      Program.variable(number).declared(access);
      return number;
    }
  }

  /** A class: its fields by name, and how many an object of it has. */
  private static final class Shape {
    final String superName;
    final Map<String, Field> fields = new HashMap<>();
    int slots;

    Shape(String superName, int slots) {
      this.superName = superName;
      this.slots = slots;
    }
  }

  /** Finds where a field is declared; null: it is of an interface or of a class that is not instrumented. */
  Field find(ClassLoader loader, String owner, String name) {
    for (String type = owner; type != null; type = shape(loader, type).superName) {
      Field field = shape(loader, type).fields.get(name);
      if (field != null) {
        return field;
      }
    }
    return null;
  }

  /** A class that is being loaded. */
  void add(ClassLoader loader, String name, byte[] bytes) {
    known.put(key(loader, name), read(loader, name, new ClassReader(bytes)));
  }

  private static String key(ClassLoader loader, String name) {
    return System.identityHashCode(loader) + name;
  }

  private Shape shape(ClassLoader loader, String name) {
    Shape shape = known.get(key(loader, name));
    if (shape == null) {
      shape = read(loader, name);
      known.put(key(loader, name), shape);
    }
    return shape;
  }

  private Shape read(ClassLoader loader, String name) {
    if (Kind.isLibrary(name.replace('/', '.')) || name.startsWith("[")) {
      return NONE;
    }
    try (InputStream file = loader.getResourceAsStream(name + ".class")) {
      return file == null ? NONE : read(loader, name, new ClassReader(file));
    } catch (IOException e) {
      return NONE;
    }
  }

  private Shape read(ClassLoader loader, String name, ClassReader reader) {
    String superName = reader.getSuperName();
    Shape shape = new Shape(superName, superName == null ? 0 : shape(loader, superName).slots);
    reader.accept(new ClassVisitor(Opcodes.ASM9) {
      @Override
      public FieldVisitor visitField(int access, String field, String descriptor, String signature, Object value) {
        boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
        shape.fields.put(field, new Field(name, isStatic ? 0 : shape.slots++, access));
        return null;
      }
    }, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return shape;
  }
}
