// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.kintsugi.runtime.internal.InRecovery;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The code marked with {@link InRecovery}, and the instructions in it that a recovery must not run.
 *
 * <p>A mark on a class counts for its nested classes. A mark on a method counts for the methods that override it, and for the
 * methods of its own class that it calls.
 */
final class RecoveryCode {
  private static final int API = Opcodes.ASM9;
  private static final String MARK = Type.getDescriptor(InRecovery.class);
  private static final String OWN = "org/kintsugi/";

  /** The bootstrap of the methods that javac makes for a record. They are compiled into the class, but linked when called. */
  private static final String OF_RECORDS = "java/lang/runtime/ObjectMethods";

  private static final Map<String, String> BOOTSTRAPS = Map.of(
      "java/lang/invoke/LambdaMetafactory", "a lambda or a method reference",
      "java/lang/invoke/StringConcatFactory", "a concatenation of strings",
      "java/lang/runtime/SwitchBootstraps", "a switch on patterns");

  /** A method of a class file, with what it calls. */
  private static final class Code {
    private final ClassCode owner;
    private final String name;
    private final String signature;
    private final int access;
    private boolean isMarked;
    private boolean isOfRecord;
    private final List<String> calledHere = new ArrayList<>();
    private final List<String> calledRecords = new ArrayList<>();
    private final List<String> found = new ArrayList<>();

    Code(ClassCode owner, String name, String descriptor, int access) {
      this.owner = owner;
      this.name = name;
      this.signature = name + descriptor;
      this.access = access;
    }

    boolean canOverride() {
      return (access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0 && !name.startsWith("<");
    }

    @Override
    public String toString() {
      return owner.name.replace('/', '.') + "." + name;
    }
  }

  /** A class file. */
  private static final class ClassCode {
    private String name;
    private final List<String> supers = new ArrayList<>();
    private boolean isMarked;
    private final Map<String, Code> methods = new LinkedHashMap<>();
  }

  /** All files of a class: newer Javas take some from a jar's {@code META-INF/versions}. */
  private final Map<String, List<ClassCode>> classes = new HashMap<>();

  /** The code in these folders of classes. */
  RecoveryCode(Collection<Path> folders) throws IOException {
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(one -> one.toString().endsWith(".class")).toList()) {
          read(file);
        }
      }
    }
    spread();
  }

  /** The names of the marked methods. */
  Set<String> marked() {
    Set<String> names = new TreeSet<>();
    for (Code code : all()) {
      if (code.isMarked) {
        names.add(code.toString());
      }
    }
    return names;
  }

  /** A sentence for each instruction of marked code that a recovery must not run. */
  List<String> findings() {
    List<String> sentences = new ArrayList<>();
    for (Code code : all()) {
      if (code.isMarked) {
        code.found.forEach(what -> sentences.add(code + " has " + what));
        for (String called : code.calledRecords) {
          sentences.addAll(callsOfRecords(code, called));
        }
      }
    }
    return sentences;
  }

  private List<String> callsOfRecords(Code code, String ownerAndMethod) {
    int blank = ownerAndMethod.indexOf(' ');
    return classes.getOrDefault(ownerAndMethod.substring(0, blank), List.of()).stream()
        .map(one -> one.methods.get(ownerAndMethod.substring(blank + 1))).filter(method -> method != null && method.isOfRecord)
        .map(method -> code + " has a call of a method that javac makes for a record: " + method).toList();
  }

  private List<Code> all() {
    return classes.values().stream().flatMap(List::stream).flatMap(one -> one.methods.values().stream()).toList();
  }

  private void spread() {
    Deque<Code> todo = new ArrayDeque<>();
    for (Code code : all()) {
      code.isMarked =
          !code.isOfRecord && (code.isMarked || isMarked(code.owner.name) || code.canOverride() && overridesMarked(code));
      if (code.isMarked) {
        todo.add(code);
      }
    }
    while (!todo.isEmpty()) {
      Code code = todo.pop();
      for (String called : code.calledHere) {
        Code here = code.owner.methods.get(called);
        if (here != null && !here.isMarked && !here.isOfRecord) {
          here.isMarked = true;
          todo.add(here);
        }
      }
    }
  }

  /** Whether a class, or one around it, is marked. */
  private boolean isMarked(String name) {
    int nested = name.lastIndexOf('$');
    return classes.getOrDefault(name, List.of()).stream().anyMatch(one -> one.isMarked)
        || nested > 0 && isMarked(name.substring(0, nested));
  }

  private boolean overridesMarked(Code code) {
    Set<String> seen = new HashSet<>();
    Deque<String> todo = new ArrayDeque<>(code.owner.supers);
    while (!todo.isEmpty()) {
      String above = todo.pop();
      for (ClassCode one : classes.getOrDefault(above, List.of())) {
        Code overridden = one.methods.get(code.signature);
        if (overridden != null && overridden.canOverride() && (overridden.isMarked || isMarked(above))) {
          return true;
        }
        one.supers.stream().filter(seen::add).forEach(todo::add);
      }
    }
    return false;
  }

  private void read(Path file) throws IOException {
    try (InputStream bytes = Files.newInputStream(file)) {
      ClassCode read = new ClassCode();
      new ClassReader(bytes).accept(new ClassIn(read), ClassReader.SKIP_FRAMES);
      classes.computeIfAbsent(read.name, name -> new ArrayList<>()).add(read);
    }
  }

  private static final class ClassIn extends ClassVisitor {
    private final ClassCode into;

    ClassIn(ClassCode into) {
      super(API);
      this.into = into;
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
      into.name = name;
      if (superName != null) {
        into.supers.add(superName);
      }
      into.supers.addAll(List.of(interfaces));
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      into.isMarked |= descriptor.equals(MARK);
      return null;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
      Code code = new Code(into, name, descriptor, access);
      into.methods.put(code.signature, code);
      return new MethodIn(code);
    }
  }

  private static final class MethodIn extends MethodVisitor {
    private final Code into;
    private int line;

    MethodIn(Code into) {
      super(API);
      this.into = into;
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      into.isMarked |= descriptor.equals(MARK);
      return null;
    }

    @Override
    public void visitLineNumber(int number, Label start) {
      line = number;
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
      into.isOfRecord |= bootstrap.getOwner().equals(OF_RECORDS);
      found(BOOTSTRAPS.getOrDefault(bootstrap.getOwner(), "an invokedynamic of " + bootstrap.getOwner()));
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (owner.startsWith("java/util/stream/") || name.equals("stream") && descriptor.endsWith("Ljava/util/stream/Stream;")) {
        found("a stream");
      } else if (owner.equals("java/util/Formatter") || owner.equals("java/lang/String") && name.startsWith("format")) {
        found("a format");
      } else if (owner.equals(into.owner.name)) {
        into.calledHere.add(name + descriptor);
      }
      if (owner.startsWith(OWN)) {
        into.calledRecords.add(owner + " " + name + descriptor);
      }
    }

    private void found(String what) {
      into.found.add(what + " (line " + line + ")");
    }
  }
}
