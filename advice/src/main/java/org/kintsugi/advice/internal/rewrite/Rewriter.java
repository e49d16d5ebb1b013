// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.rewrite;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.kintsugi.advice.internal.code.Program;
import org.kintsugi.advice.internal.code.Variable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodNode;

/** Instruments the classes of the program when they are loaded. A class that it cannot change stays as it is. */
public final class Rewriter implements ClassFileTransformer {
  private static final int MAJOR = 0xffff;

  private final Predicate<String> isOfProgram;
  private final Shapes shapes = new Shapes();

  /** For classes by their names with dots. */
  public Rewriter(Predicate<String> isOfProgram) {
    this.isOfProgram = isOfProgram;
  }

  @Override
  public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    if (loader == null || loader == ClassLoader.getPlatformClassLoader() || name == null
        || !isOfProgram.test(name.replace('/', '.'))) {
      return null;
    }
    try {
      return rewrite(loader, name, bytes);
    } catch (MethodTooLargeException e) {
      Program.warn("the method " + name.replace('/', '.') + "." + e.getMethodName()
          + " is too long to be observed: nothing is known of its class. Divide it, and try again");
    } catch (RuntimeException | LinkageError e) {
      Program.warn("the class " + name.replace('/', '.') + " cannot be observed: " + e);
    }
    return null;
  }

  /** The changed class. */
  public byte[] rewrite(ClassLoader loader, String name, byte[] bytes) {
    ClassNode type = new ClassNode();
    new ClassReader(bytes).accept(type, ClassReader.EXPAND_FRAMES);
    if ((type.version & MAJOR) < Opcodes.V1_7) {
      Program.warn("the class " + name.replace('/', '.') + " is compiled for a Java before 7, and is not observed");
      return null;
    }
    shapes.add(loader, name, bytes);
    define(loader, type);
    Loops loops = new Loops(type);
    for (MethodNode method : type.methods) {
      if (method.instructions.size() > 0) {
        new MethodRewriter(loader, type, method, shapes, loops).rewrite();
      }
    }
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    type.accept(writer);
    return writer.toByteArray();
  }

  /** A field is defined where it gets its first value: class files have no lines of declarations. */
  private void define(ClassLoader loader, ClassNode type) {
    List<MethodNode> methods = new ArrayList<>(type.methods);
    methods.sort(Comparator.comparing(method -> !method.name.endsWith("init>")));
    for (MethodNode method : methods) {
      int line = 0;
      for (AbstractInsnNode one : method.instructions) {
        if (one instanceof LineNumberNode number) {
          line = number.line;
        } else if (one instanceof FieldInsnNode field && field.owner.equals(type.name)
            && (field.getOpcode() == Opcodes.PUTFIELD || field.getOpcode() == Opcodes.PUTSTATIC)) {
          Shapes.Field found = shapes.find(loader, type.name, field.name);
          if (found != null && found.owner().equals(type.name)) {
            Variable variable = Program.variable(found.number(field));
            if (variable.definition().isEmpty()) {
              variable.definedAt(type.sourceFile == null ? "" : type.sourceFile, line);
            }
          }
        }
      }
    }
  }
}
