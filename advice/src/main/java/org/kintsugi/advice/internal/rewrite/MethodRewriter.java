// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.rewrite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.kintsugi.advice.internal.code.Allocation;
import org.kintsugi.advice.internal.code.CallSite;
import org.kintsugi.advice.internal.code.Place;
import org.kintsugi.advice.internal.code.Program;
import org.kintsugi.advice.internal.objects.Kind;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Adds calls of hooks to the instructions of a method that read and write data. */
final class MethodRewriter {
  private static final Type OBJECT = Type.getObjectType("java/lang/Object");
  private static final String FRAME = "org/kintsugi/advice/internal/shadow/LocalFrame";
  private static final String NUMBERS = "II)V";

  private final ClassLoader loader;
  private final ClassNode type;
  private final MethodNode method;
  private final Shapes shapes;
  private final InsnList code;
  private final Locals locals;
  private final Set<LabelNode> heads;
  private final Deque<TypeInsnNode> news = new ArrayDeque<>();
  /** The first local variable that the program does not use. */
  private final int free;
  private int line;
  private boolean isBegun;

  MethodRewriter(ClassLoader loader, ClassNode type, MethodNode method, Shapes shapes, Loops loops) {
    this.loader = loader;
    this.type = type;
    this.method = method;
    this.shapes = shapes;
    code = method.instructions;
    free = method.maxLocals;
    heads = loops.heads(method);
    locals = new Locals(type, method);
    isBegun = !method.name.equals("<init>");
  }

  void rewrite() {
    // The places in the table of names are those of the program's own instructions: find all numbers first.
    AbstractInsnNode[] all = code.toArray();
    List<Runnable> changes = new ArrayList<>();
    for (AbstractInsnNode one : all) {
      if (one instanceof LineNumberNode number) {
        line = number.line;
      } else {
        Runnable change = change(one);
        if (change != null) {
          changes.add(change);
        }
      }
    }
    changes.forEach(Runnable::run);
    if (method.name.equals("<clinit>")) {
      initialise();
    }
    if (!heads.isEmpty()) {
      heads.forEach(this::addHead);
      trackFrames();
      reportExceptions();
    }
  }

  private Runnable change(AbstractInsnNode one) {
    int opcode = one.getOpcode();
    if (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD) {
      return before(one,
          new Code().op(Opcodes.DUP2).number(place()).elementHook("load", "(" + arrayType(opcode - Opcodes.IALOAD) + NUMBERS));
    }
    if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
      String array = arrayType(opcode - Opcodes.IASTORE);
      String value = opcode == Opcodes.AASTORE ? OBJECT.getDescriptor()
          : opcode == Opcodes.LASTORE ? "J" : opcode == Opcodes.DASTORE ? "D" : opcode == Opcodes.FASTORE ? "F" : "I";
      return instead(one, new Code().number(place()).elementHook("store", "(" + array + "I" + value + "I)V"));
    }
    if (one instanceof FieldInsnNode field) {
      return ofField(field);
    }
    if (one instanceof VarInsnNode variable && opcode != Opcodes.RET) {
      return heads.isEmpty() || isThis(variable) ? null : ofLocal(variable);
    }
    if (one instanceof IincInsnNode increment) {
      return heads.isEmpty() ? null : ofIncrement(increment);
    }
    if (opcode == Opcodes.NEWARRAY || opcode == Opcodes.ANEWARRAY || opcode == Opcodes.MULTIANEWARRAY) {
      return made(one, arrayName(one));
    }
    if (opcode == Opcodes.NEW) {
      news.push((TypeInsnNode) one);
    }
    if (one instanceof InvokeDynamicInsnNode reference) {
      return ofReference(reference);
    }
    if (opcode == Opcodes.RETURN && method.name.equals("<clinit>")) {
      return before(one, new Code().load(OBJECT, free).hook("initialised", "(Ljava/lang/Object;)V"));
    }
    return one instanceof MethodInsnNode call ? ofCall(call) : null;
  }

  /** A reference to a method of an object of the JDK: the call itself is in a class that is not instrumented. */
  private Runnable ofReference(InvokeDynamicInsnNode reference) {
    Type[] captured = Type.getArgumentTypes(reference.desc);
    boolean isOfObject = captured.length == 1 && captured[0].getSort() == Type.OBJECT && reference.bsmArgs.length > 1
        && reference.bsmArgs[1] instanceof Handle handle && Kind.isLibrary(handle.getOwner().replace('/', '.'));
    return isOfObject ? before(reference, new Code().op(Opcodes.DUP).number(place()).hook("captured", "(Ljava/lang/Object;I)V"))
        : null;
  }

  private boolean isThis(VarInsnNode variable) {
    return variable.var == 0 && (method.access & Opcodes.ACC_STATIC) == 0;
  }

  private int place() {
    return Program.add(new Place(type.name.replace('/', '.'), Place.readable(method.name),
        type.sourceFile == null ? "" : type.sourceFile, line));
  }

  /** In the order of the opcodes. */
  private static String arrayType(int kind) {
    return switch (kind) {
      case 0 -> "[I";
      case 1 -> "[J";
      case 2 -> "[F";
      case 3 -> "[D";
      case 4 -> "[Ljava/lang/Object;";
      case 5 -> OBJECT.getDescriptor();
      case 6 -> "[C";
      default -> "[S";
    };
  }

  private Runnable before(AbstractInsnNode one, Code added) {
    return () -> code.insertBefore(one, added.list);
  }

  private Runnable after(AbstractInsnNode one, Code added) {
    return () -> code.insert(one, added.list);
  }

  private Runnable instead(AbstractInsnNode one, Code added) {
    return () -> {
      code.insertBefore(one, added.list);
      code.remove(one);
    };
  }

  /** The type that hooks have for a field or a variable. */
  private static Type hookType(Type value) {
    return switch (value.getSort()) {
      case Type.ARRAY, Type.OBJECT -> OBJECT;
      case Type.BYTE, Type.SHORT, Type.CHAR -> Type.INT_TYPE;
      default -> value;
    };
  }

  private Runnable ofField(FieldInsnNode field) {
    boolean isStatic = field.getOpcode() == Opcodes.GETSTATIC || field.getOpcode() == Opcodes.PUTSTATIC;
    boolean isPut = field.getOpcode() == Opcodes.PUTFIELD || field.getOpcode() == Opcodes.PUTSTATIC;
    Shapes.Field found = shapes.find(loader, field.owner, field.name);
    if (found == null || found.isStatic() != isStatic || !isBegun && !isStatic) {
      return null;
    }
    Type value = hookType(Type.getType(field.desc));
    if (isStatic && found.isFinal() && value != OBJECT) {
      return null;
    }
    int number = found.number(field);
    String types = "(" + OBJECT.getDescriptor() + value.getDescriptor();
    Code added = new Code();
    if (isPut) {
      added.store(value, free + 1);
      FieldInsnNode get = new FieldInsnNode(isStatic ? Opcodes.GETSTATIC : Opcodes.GETFIELD, field.owner, field.name, field.desc);
      if (isStatic) {
        added.op(Opcodes.ACONST_NULL);
      } else {
        added.op(Opcodes.DUP).op(Opcodes.DUP);
      }
      added.list.add(get);
      added.load(value, free + 1).number(number).number(place());
      added.hook("put", types + value.getDescriptor() + NUMBERS).load(value, free + 1);
      return before(field, added);
    }
    if (isStatic) {
      added.dup(value).store(value, free + 1).op(Opcodes.ACONST_NULL).load(value, free + 1);
    } else {
      added.op(value.getSize() == 2 ? Opcodes.DUP2_X1 : Opcodes.DUP_X1);
    }
    added.number(number).number(place()).hook("get", types + NUMBERS);
    return () -> {
      if (!isStatic) {
        code.insertBefore(field, new InsnNode(Opcodes.DUP));
      }
      code.insert(field, added.list);
    };
  }

  private Runnable ofLocal(VarInsnNode variable) {
    Type value = Locals.type(variable.getOpcode());
    boolean isStore = variable.getOpcode() >= Opcodes.ISTORE;
    int number = locals.number(variable.var, variable, isStore, value.getDescriptor(), line);
    if (isStore && isConstant(variable.getPrevious())) {
      Program.variable(number).constant();
    }
    Code added = new Code().dup(value).load(OBJECT, free).number(number).number(place())
        .hook(isStore ? "store" : "load", "(" + value.getDescriptor() + "L" + FRAME + ";" + NUMBERS);
    return isStore ? before(variable, added) : after(variable, added);
  }

  private static boolean isConstant(AbstractInsnNode value) {
    return value != null && (value.getOpcode() >= Opcodes.ICONST_M1 && value.getOpcode() <= Opcodes.LDC);
  }

  private Runnable ofIncrement(IincInsnNode increment) {
    int number = locals.number(increment.var, increment, false, "I", line);
    String types = "(IL" + FRAME + ";" + NUMBERS;
    int place = place();
    Code read = new Code().load(Type.INT_TYPE, increment.var).load(OBJECT, free).number(number).number(place).hook("load", types);
    Code written =
        new Code().load(Type.INT_TYPE, increment.var).load(OBJECT, free).number(number).number(place).hook("store", types);
    return () -> {
      code.insertBefore(increment, read.list);
      code.insert(increment, written.list);
    };
  }

  private Runnable made(AbstractInsnNode one, String of) {
    Place place = Program.place(place());
    int number = Program.add(new Allocation(place, of, variableAfter(one)));
    return after(one, new Code().op(Opcodes.DUP).number(number).hook("made", "(" + OBJECT.getDescriptor() + "I)V"));
  }

  private static String arrayName(AbstractInsnNode one) {
    if (one instanceof IntInsnNode primitive) {
      return Type.getType(List.of("[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J").get(primitive.operand - Opcodes.T_BOOLEAN))
          .getClassName();
    }
    return one instanceof MultiANewArrayInsnNode rows ? Type.getType(rows.desc).getClassName()
        : Type.getObjectType(((TypeInsnNode) one).desc).getClassName() + "[]";
  }

  /** The variable that gets a new object: where the values of its elements, if any, are stored before. */
  private String variableAfter(AbstractInsnNode made) {
    for (AbstractInsnNode one = made.getNext(); one != null; one = one.getNext()) {
      int opcode = one.getOpcode();
      if (opcode == Opcodes.ASTORE) {
        return locals.name(((VarInsnNode) one).var, one);
      }
      if (opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC) {
        FieldInsnNode field = (FieldInsnNode) one;
        return field.owner.substring(Math.max(field.owner.lastIndexOf('/'), field.owner.lastIndexOf('$')) + 1) + "." + field.name;
      }
      boolean isElement =
          opcode == Opcodes.DUP || isConstant(one) || opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE || opcode < 0
              || opcode == Opcodes.CHECKCAST || opcode == Opcodes.I2D || opcode == Opcodes.I2L;
      if (!isElement) {
        return "";
      }
    }
    return "";
  }

  private Runnable ofCall(MethodInsnNode call) {
    boolean isMade = false;
    if (call.name.equals("<init>")) {
      if (news.isEmpty()) {
        isBegun = true;
        return null;
      }
      TypeInsnNode made = news.pop();
      isMade = made.getNext() != null && made.getNext().getOpcode() == Opcodes.DUP;
    }
    if (Loops.isIteration(call)) {
      passed(call.getPrevious());
      return before(call, new Code().op(Opcodes.DUP2).number(place()).hook("iteration", "(JI)V"));
    }
    if (call.owner.equals("org/kintsugi/reinit/Reinit") && (call.name.equals("run") || call.name.equals("call"))) {
      return before(call, new Code().hook("runs", "()V"));
    }
    Runnable hooked = Outside.isHooked(call) ? hook(call) : null;
    String owner = call.owner.replace('/', '.');
    boolean isOpaque =
        isMade && Kind.isLibrary(owner) && !Kind.isValue(owner) && !owner.endsWith("Exception") && !owner.endsWith("Error");
    if (!isOpaque) {
      return hooked;
    }
    Runnable noted = made(call, owner);
    return () -> {
      noted.run();
      if (hooked != null) {
        hooked.run();
      }
    };
  }

  /** The variables from which the argument of the iteration is computed. */
  private void passed(AbstractInsnNode last) {
    for (AbstractInsnNode one = last; one != null; one = one.getPrevious()) {
      int opcode = one.getOpcode();
      if (opcode == Opcodes.ILOAD || opcode == Opcodes.LLOAD) {
        VarInsnNode variable = (VarInsnNode) one;
        if (!heads.isEmpty()) {
          Program.variable(locals.number(variable.var, variable, false, Locals.type(opcode).getDescriptor(), line)).passed();
        }
      } else if (one instanceof FieldInsnNode field && (opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC)) {
        Shapes.Field found = shapes.find(loader, field.owner, field.name);
        if (found != null) {
          boolean isNumber = field.desc.equals("I") || field.desc.equals("J");
          if (!isNumber) {
            return;
          }
          Program.variable(found.number(field)).passed();
        }
      } else if (!(isConstant(one) || opcode == Opcodes.I2L || opcode == Opcodes.IINC || opcode == Opcodes.DUP2
          || opcode == Opcodes.LSTORE || opcode == Opcodes.DUP || opcode == Opcodes.ISTORE || opcode == Opcodes.LADD
          || opcode == Opcodes.LSUB
          || opcode == Opcodes.IADD
          || opcode == Opcodes.ISUB || opcode < 0)) {
        return;
      }
    }
  }

  /** Keeps the arguments in local variables, so that the hooks see them. */
  private Runnable hook(MethodInsnNode call) {
    Type[] arguments = Type.getArgumentTypes(call.desc);
    boolean hasReceiver = call.getOpcode() != Opcodes.INVOKESTATIC && !call.name.equals("<init>");
    int count = arguments.length + (hasReceiver ? 1 : 0);
    Type[] types = new Type[count];
    int[] places = new int[count];
    int next = free + 4;
    for (int i = 0; i < count; i++) {
      types[i] = hasReceiver && i == 0 ? OBJECT : arguments[i - (hasReceiver ? 1 : 0)];
      places[i] = next;
      next += types[i].getSize();
    }
    int token = free + 3;
    int number = Program.add(new CallSite(call.owner, call.name, call.desc, hasReceiver, place()));
    Code begin = new Code();
    for (int i = count - 1; i >= 0; i--) {
      begin.store(types[i], places[i]);
    }
    begin.number(number).array(types, places).hook("before", "(I[Ljava/lang/Object;)Ljava/lang/Object;").store(OBJECT, token);
    for (int i = 0; i < count; i++) {
      begin.load(types[i], places[i]);
    }
    Type result = Type.getReturnType(call.desc);
    boolean isObject = result.getSort() == Type.OBJECT || result.getSort() == Type.ARRAY;
    Code end = new Code();
    if (isObject || result.getSort() == Type.BOOLEAN) {
      end.op(Opcodes.DUP).load(OBJECT, token).op(Opcodes.SWAP)
          .hook("after", isObject ? "(Ljava/lang/Object;Ljava/lang/Object;)V" : "(Ljava/lang/Object;Z)V");
    } else {
      end.load(OBJECT, token).hook("after", "(Ljava/lang/Object;)V");
    }
    return () -> {
      code.insertBefore(call, begin.list);
      code.insert(call, end.list);
    };
  }

  private void addHead(LabelNode label) {
    AbstractInsnNode first = label;
    while (first.getOpcode() < 0) {
      first = first.getNext();
    }
    code.insertBefore(first, new Code().hook("head", "()V").list);
  }

  /** The frame of local variables is in a local variable of its own, which the table for the JVM's verifier has to have. */
  private void trackFrames() {
    addToFrames(FRAME);
    code.insert(new Code().number(locals.count()).hook("enter", "(I)L" + FRAME + ";").store(OBJECT, free).list);
  }

  private void addToFrames(String added) {
    for (AbstractInsnNode one : code) {
      if (one instanceof FrameNode frame) {
        List<Object> stack = new ArrayList<>(frame.local);
        int used = 0;
        for (Object local : stack) {
          used += local == Opcodes.LONG || local == Opcodes.DOUBLE ? 2 : 1;
        }
        for (; used < free; used++) {
          stack.add(Opcodes.TOP);
        }
        stack.add(added);
        frame.local = stack;
      }
    }
  }

  /** The thread's earlier state is in a local variable, which frames have to have. */
  private void initialise() {
    addToFrames("java/lang/Object");
    code.insert(new Code().hook("initialises", "()Ljava/lang/Object;").store(OBJECT, free).list);
  }

  private void reportExceptions() {
    if (method.name.equals("<init>")) {
      return;
    }
    LabelNode begin = new LabelNode();
    LabelNode end = new LabelNode();
    code.insert(begin);
    code.add(end);
    code.add(new FrameNode(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
    code.add(new Code().op(Opcodes.DUP).hook("thrown", "(Ljava/lang/Throwable;)V").op(Opcodes.ATHROW).list);
    method.tryCatchBlocks.add(new TryCatchBlockNode(begin, end, end, null));
  }
}
