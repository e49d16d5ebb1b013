// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.rewrite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kintsugi.advice.internal.objects.Kind;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Finds the loop of the program: that which contains the call of {@code run.iteration}. */
final class Loops {
  private static final String RUN = "org/kintsugi/reinit/Run";

  /** The methods of the class that call it, directly or by way of others of the class. */
  private final Set<String> reaching = new HashSet<>();
  private final String owner;

  Loops(ClassNode type) {
    owner = type.name;
    for (boolean isMore = true; isMore;) {
      isMore = false;
      for (MethodNode method : type.methods) {
        if (!reaching.contains(method.name + method.desc) && !calls(method, true).isEmpty()) {
          isMore |= reaching.add(method.name + method.desc);
        }
      }
    }
  }

  static boolean isIteration(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call && call.owner.equals(RUN) && call.name.equals("iteration");
  }

  /** The calls that lead to it. */
  private List<AbstractInsnNode> calls(MethodNode method, boolean isIndirectToo) {
    List<AbstractInsnNode> all = new ArrayList<>();
    for (AbstractInsnNode one : method.instructions) {
      boolean isIndirect = one instanceof MethodInsnNode call && !Kind.isLibrary(call.owner.replace('/', '.'))
          && (call.owner.equals(owner) && reaching.contains(call.name + call.desc) || call.desc.contains("L" + RUN + ";"));
      if (isIteration(one) || isIndirectToo && isIndirect) {
        all.add(one);
      }
    }
    return all;
  }

  /** The begins of the loops that contain the call, or where the method has none itself, one that leads to it. */
  Set<LabelNode> heads(MethodNode method) {
    List<AbstractInsnNode> calls = calls(method, false);
    if (calls.isEmpty()) {
      calls = calls(method, true);
    }
    Set<LabelNode> heads = new LinkedHashSet<>();
    InsnList code = method.instructions;
    for (AbstractInsnNode one : code) {
      if (one instanceof JumpInsnNode jump && code.indexOf(jump.label) < code.indexOf(jump)) {
        int begin = code.indexOf(jump.label);
        int end = code.indexOf(jump);
        if (calls.stream().map(code::indexOf).anyMatch(call -> call >= begin && call <= end)) {
          heads.add(jump.label);
        }
      }
    }
    return heads;
  }
}
