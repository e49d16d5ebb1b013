// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.rewrite;

import java.util.HashMap;
import java.util.Map;
import org.kintsugi.advice.internal.code.Place;
import org.kintsugi.advice.internal.code.Program;
import org.kintsugi.advice.internal.code.Variable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodNode;

/** The local variables of a method, by the table of names that compilers write. */
final class Locals {
  private final ClassNode type;
  private final MethodNode method;
  private final Map<Object, Integer> numbers = new HashMap<>();

  Locals(ClassNode type, MethodNode method) {
    this.type = type;
    this.method = method;
  }

  private LocalVariableNode entry(int index, AbstractInsnNode at) {
    int place = method.instructions.indexOf(at);
    if (method.localVariables != null && at != null) {
      for (LocalVariableNode one : method.localVariables) {
        boolean isInside = method.instructions.indexOf(one.start) <= place && place <= method.instructions.indexOf(one.end);
        if (one.index == index && isInside) {
          return one;
        }
      }
    }
    return null;
  }

  /** The name of the variable that an instruction stores into; empty: the compiler has left it out. */
  String name(int index, AbstractInsnNode store) {
    LocalVariableNode entry = entry(index, store.getNext());
    return entry == null ? "" : entry.name;
  }

  /**
   * The number of the variable that an instruction uses.
   *
   * @param index as the instruction has it
   * @param isStore whether it stores, and its variable may begin after it
   */
  int number(int index, AbstractInsnNode at, boolean isStore, String descriptor, int line) {
    LocalVariableNode entry = entry(index, isStore ? at.getNext() : at);
    Object key = entry == null ? index + descriptor : entry;
    return numbers.computeIfAbsent(key, any -> {
      Variable made = new Variable(Variable.Kind.LOCAL, type.name.replace('/', '.'), Place.readable(method.name),
          entry == null ? "local " + index : entry.name, entry == null ? descriptor : entry.desc, numbers.size());
      made.definedAt(type.sourceFile == null ? "" : type.sourceFile, line);
      return Program.add(made);
    });
  }

  /** How many are in use. */
  int count() {
    return numbers.size();
  }

  /** The type of the value that an instruction loads or stores. */
  static Type type(int opcode) {
    return switch (opcode) {
      case Opcodes.ILOAD, Opcodes.ISTORE, Opcodes.IINC -> Type.INT_TYPE;
      case Opcodes.LLOAD, Opcodes.LSTORE -> Type.LONG_TYPE;
      case Opcodes.FLOAD, Opcodes.FSTORE -> Type.FLOAT_TYPE;
      case Opcodes.DLOAD, Opcodes.DSTORE -> Type.DOUBLE_TYPE;
      default -> Type.getObjectType("java/lang/Object");
    };
  }
}
