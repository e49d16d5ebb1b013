// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.rewrite;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Writes instructions one after another. */
final class Code {
  private static final String HOOKS = "org/kintsugi/advice/Hooks";
  private static final String ELEMENT_HOOKS = "org/kintsugi/advice/ElementHooks";

  final InsnList list = new InsnList();

  Code op(int opcode) {
    list.add(new InsnNode(opcode));
    return this;
  }

  Code number(int value) {
    if (value >= -1 && value <= 5) {
      return op(Opcodes.ICONST_0 + value);
    }
    list.add(
        value >= Short.MIN_VALUE && value <= Short.MAX_VALUE ? new IntInsnNode(Opcodes.SIPUSH, value) : new LdcInsnNode(value));
    return this;
  }

  Code load(Type type, int local) {
    list.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), local));
    return this;
  }

  Code store(Type type, int local) {
    list.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), local));
    return this;
  }

  Code hook(String name, String descriptor) {
    return call(HOOKS, name, descriptor);
  }

  Code elementHook(String name, String descriptor) {
    return call(ELEMENT_HOOKS, name, descriptor);
  }

  private Code call(String owner, String name, String descriptor) {
    list.add(new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, descriptor, false));
    return this;
  }

  /** Doubles the value on the stack. */
  Code dup(Type type) {
    return op(type.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
  }

  /** Makes an object of a primitive value on the stack. */
  Code box(Type type) {
    String box = switch (type.getSort()) {
      case Type.BOOLEAN -> "Boolean";
      case Type.BYTE -> "Byte";
      case Type.CHAR -> "Character";
      case Type.SHORT -> "Short";
      case Type.INT -> "Integer";
      case Type.LONG -> "Long";
      case Type.FLOAT -> "Float";
      case Type.DOUBLE -> "Double";
      default -> null;
    };
    if (box != null) {
      String owner = "java/lang/" + box;
      list.add(
          new MethodInsnNode(Opcodes.INVOKESTATIC, owner, "valueOf", "(" + type.getDescriptor() + ")L" + owner + ";", false));
    }
    return this;
  }

  /** Puts local variables into a new array of objects. */
  Code array(Type[] types, int[] locals) {
    number(types.length);
    list.add(new TypeInsnNode(Opcodes.ANEWARRAY, "java/lang/Object"));
    for (int i = 0; i < types.length; i++) {
      op(Opcodes.DUP).number(i).load(types[i], locals[i]).box(types[i]).op(Opcodes.AASTORE);
    }
    return this;
  }
}
