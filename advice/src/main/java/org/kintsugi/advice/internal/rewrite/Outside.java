// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.rewrite;

import java.util.Set;
import org.kintsugi.advice.internal.objects.Kind;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/** Which calls of methods that are not instrumented may read or write the program's data. */
final class Outside {
  private static final Set<String> NUMBERS = Set.of("org/kintsugi/checkpoint/DoubleRef", "org/kintsugi/checkpoint/LongRef");

  private Outside() {}

  static boolean isHooked(MethodInsnNode call) {
    String owner = call.owner;
    if (owner.startsWith("[")) {
      return call.name.equals("clone");
    }
    String name = owner.replace('/', '.');
    if (!Kind.isLibrary(name)) {
      return false;
    }
    if (owner.startsWith("org/kintsugi/")) {
      return isOfKintsugi(call);
    }
    if (owner.equals("java/lang/System")) {
      return call.name.equals("arraycopy");
    }
    Type[] arguments = Type.getArgumentTypes(call.desc);
    boolean hasArray = false;
    boolean hasObject = false;
    for (Type argument : arguments) {
      hasArray |= argument.getSort() == Type.ARRAY;
      hasObject |= argument.getSort() == Type.OBJECT && !Kind.isValue(argument.getClassName());
    }
    if (call.name.equals("<init>")) {
      return hasArray || owner.startsWith("java/io/") && arguments.length > 0;
    }
    if (owner.equals("java/nio/file/Files")) {
      return true;
    }
    if (owner.equals("java/lang/Math")) {
      return call.name.equals("random");
    }
    if (Kind.isValue(name)) {
      return hasArray && !owner.equals("java/lang/reflect/Array") && !name.startsWith("java.lang.invoke.");
    }
    return hasArray || hasObject || call.getOpcode() != Opcodes.INVOKESTATIC;
  }

  private static boolean isOfKintsugi(MethodInsnNode call) {
    if (NUMBERS.contains(call.owner)) {
      return call.name.matches("get|set|add");
    }
    if (call.owner.equals("org/kintsugi/checkpoint/Checkpoint")) {
      return call.name.matches("protect.*|save|saveAsync|restore|doubleRef|longRef");
    }
    if (call.owner.matches("org/kintsugi/mpi/Buf(Elements)?")) {
      return call.name.matches("(get|put|allocate|of)[A-Z].*|get|put|copyOf|slice|as");
    }
    return call.owner.startsWith("org/kintsugi/mpi/")
        && (call.desc.contains("Lorg/kintsugi/mpi/Buf;") || call.name.startsWith("start"));
  }
}
