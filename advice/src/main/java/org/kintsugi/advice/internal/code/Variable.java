// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.code;

import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;

/** A field, static or not, or a local variable of the program. */
public final class Variable {
  /** What it is a variable of. */
  public enum Kind {
    /** Each object has one. */
    FIELD,
    /** The class has it. */
    STATIC,
    /** Each call of the method has one. */
    LOCAL
  }

  /** What it is a variable of. */
  public final Kind kind;
  /** The class, with dots. */
  public final String owner;
  /** The method of a local variable, or empty. */
  public final String method;
  /** Its name in the source. */
  public final String name;
  /** Its type as class files have it. */
  public final String descriptor;
  /** Its number among the fields of an object or the tracked variables of a method. */
  public final int slot;
  /** Where its value of an earlier iteration is read, and where it is changed. */
  public final Uses uses = new Uses();

  private volatile String file = "";
  private volatile int line;
  private volatile boolean isPassed;
  private volatile boolean hasConstant;
  private volatile boolean isUnrestored;
  private volatile long offset;
  private volatile int comparisons;
  private volatile int modifiers;
  private volatile WeakReference<Object> holder;
  private volatile boolean isOfMany;

  /** What the bytecode says of it. */
  public Variable(Kind kind, String owner, String method, String name, String descriptor, int slot) {
    this.kind = kind;
    this.owner = owner;
    this.method = method;
    this.name = name;
    this.descriptor = descriptor;
    this.slot = slot;
  }

  /** Where it gets its first value. */
  public void definedAt(String sourceFile, int sourceLine) {
    file = sourceFile;
    line = sourceLine;
  }

  /** How the class declares the field. @param declared as {@link Modifier} has them */
  public void declared(int declared) {
    modifiers = declared;
  }

  /** Whether code of another class can name the field. @param type that class, with dots */
  public boolean isVisibleFrom(String type) {
    return outermost(type).equals(outermost(owner)) || Modifier.isPublic(modifiers)
        || !Modifier.isPrivate(modifiers) && packageOf(type).equals(packageOf(owner));
  }

  /** The class in a file of its own that a class is in. @param type with dots */
  public static String outermost(String type) {
    return type.replaceFirst("\\$.*", "");
  }

  /** The package of a class; empty: it has none. */
  public static String packageOf(String type) {
    return type.substring(0, Math.max(0, type.lastIndexOf('.')));
  }

  /** An object has the field, which an iteration reads. */
  public void heldBy(Object object) {
    WeakReference<Object> known = holder;
    if (known == null) {
      holder = new WeakReference<>(object);
    } else if (!isOfMany && !known.refersTo(object)) {
      isOfMany = true;
    }
  }

  /** An object with the field; null: there is none any more. */
  public Object holder() {
    return holder == null ? null : holder.get();
  }

  /** Whether iterations have read the field in several objects. */
  public boolean isOfMany() {
    return isOfMany;
  }

  /** The program passes it to {@code run.iteration}. */
  public void passed() {
    isPassed = true;
  }

  /** The program sets it to a constant somewhere. */
  public void constant() {
    hasConstant = true;
  }

  /** It got its first value before the program restored: what restore returns does not set it. */
  public void unrestored() {
    isUnrestored = true;
  }

  /** An iteration has read its value of an earlier one: is it the number of the iteration and a constant? */
  public void compare(long value, long iteration) {
    if (comparisons == 0) {
      offset = value - iteration;
      comparisons = 1;
    } else if (comparisons > 0) {
      comparisons = value - iteration == offset ? comparisons + 1 : -1;
    }
  }

  /**
   * Whether it counts the iterations: what restore returns sets it.
   *
   * @param isRestoreUsed whether the program calls restore
   */
  public boolean isCounter(boolean isRestoreUsed) {
    return !(isUnrestored && isRestoreUsed) && (isPassed || comparisons > 1 && !hasConstant);
  }

  /** Whether the program passes it to {@code run.iteration}. */
  public boolean isPassed() {
    return isPassed;
  }

  /** Whether it holds references. */
  public boolean isReference() {
    return descriptor.startsWith("L") || descriptor.startsWith("[");
  }

  /** Its class without the package, and its name; a local variable has the method between. */
  public String title() {
    String simple = owner.substring(owner.lastIndexOf('.') + 1);
    return kind == Kind.LOCAL ? simple + "." + method + ": " + name : simple + "." + name;
  }

  /** The file and line of its definition. */
  public String definition() {
    return line > 0 ? file + ":" + line : file;
  }

  @Override
  public String toString() {
    return owner + "." + (kind == Kind.LOCAL ? method + ":" : "") + name;
  }
}
