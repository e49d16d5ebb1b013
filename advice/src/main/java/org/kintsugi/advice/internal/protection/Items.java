// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.protection;

import java.lang.annotation.Annotation;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.code.Program;
import org.kintsugi.advice.internal.code.Variable;
import org.kintsugi.advice.internal.objects.Contents;
import org.kintsugi.advice.internal.objects.Kind;
import org.kintsugi.advice.internal.shadow.Shadow;
import org.kintsugi.advice.internal.shadow.Shadows;
import org.kintsugi.checkpoint.DoubleRef;
import org.kintsugi.checkpoint.LongRef;
import org.kintsugi.mpi.Buf;

/**
 * All protected items. In each turn of the loop their getters are called: the locations that a getter reads, and those of the
 * value that it returns, are saved by the item.
 */
public final class Items {
  private static final String PROTECT = "org.kintsugi.checkpoint.Protect";
  private static final int SCALAR_BYTES = 8;

  private static final Map<String, Item> ALL = Collections.synchronizedMap(new LinkedHashMap<>());

  /** The thread that saves or restores, whose accesses are none of the loop; null: none. */
  public static volatile Thread saving;
  private static volatile Item covering;
  private static volatile boolean hasRestored;
  private static volatile boolean isRestoreUsed;
  private static volatile int lastSave = -1;
  private static volatile Set<String> left = Set.of();

  private static final Packed PACKED = new Packed();

  /** Objects that two items save by themselves. */
  private static final Map<Shadow, Twice> TWICE = Collections.synchronizedMap(new LinkedHashMap<>());

  private Items() {}

  /** An object that two items save, each with all that it refers to. */
  public record Twice(Item first, Item second, Shadow shadow) {}

  /** Adds an item. */
  public static void protect(String name, int place, Object value) {
    WeakReference<Object> reference = new WeakReference<>(value);
    protect(name, place, reference::get, false);
  }

  /** Adds an item whose value a getter gives. */
  public static void protect(String name, int place, Supplier<?> getter, boolean isWhole) {
    ALL.put(name, new Item(name, place, getter, isWhole, left.contains(name)));
  }

  /** The objects that two items save. */
  public static List<Twice> twice() {
    synchronized (TWICE) {
      return new ArrayList<>(TWICE.values());
    }
  }

  /** Items of these names count as not protected. */
  public static void leaveOut(Set<String> names) {
    left = names;
  }

  /** Adds the fields of an object that carry {@code @Protect}. */
  public static void protectFields(String name, int place, Object holder) {
    WeakReference<Object> reference = new WeakReference<>(holder);
    for (Class<?> type = holder.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        for (Annotation annotation : field.getAnnotations()) {
          if (annotation.annotationType().getName().equals(PROTECT)) {
            field.setAccessible(true);
            protectField(name + "." + field.getName(), place, reference, field);
          }
        }
      }
    }
  }

  private static void protectField(String name, int place, WeakReference<Object> holder, Field field) {
    protect(name, place, () -> {
      Object object = Modifier.isStatic(field.getModifiers()) ? null : holder.get();
      Variable variable = Program.field(field.getDeclaringClass().getName(), field.getName());
      if (variable != null) {
        read(object, variable);
      }
      try {
        return field.get(object);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }, true);
  }

  /** All items, in the order of their first calls. */
  public static List<Item> all() {
    synchronized (ALL) {
      return new ArrayList<>(ALL.values());
    }
  }

  /** A save begins. */
  public static void saves() {
    lastSave = Loop.now;
    cover();
    begins();
  }

  /** A restore begins. */
  public static void restores() {
    isRestoreUsed = true;
    begins();
  }

  /** Kintsugi calls getters and setters of the program from now on. */
  private static void begins() {
    saving = Thread.currentThread();
  }

  /** A save or restore has ended. */
  public static void ends() {
    if (saving == Thread.currentThread()) {
      saving = null;
    }
  }

  /** A restore has returned. */
  public static void restored() {
    hasRestored = true;
    ends();
  }

  /** Whether the program has called restore so far. */
  public static boolean hasRestored() {
    return hasRestored;
  }

  /** Whether the program calls restore at all. */
  public static boolean isRestoreUsed() {
    return isRestoreUsed;
  }

  /** The turn of the last save; -1: none. */
  public static int lastSave() {
    return lastSave;
  }

  /** Calls all getters. What they throw is left to the program's own saves. */
  public static void cover() {
    begins();
    Map<Object, Item> owners = new IdentityHashMap<>();
    try {
      for (Item item : all()) {
        covering = item;
        try {
          Object value = item.value();
          PACKED.returned(value);
          if (value != null) {
            item.size(cover(item, value, owners));
          }
        } catch (RuntimeException | Error notNow) {
          PACKED.returned(null); // its data are not there yet
        }
      }
    } finally {
      covering = null;
      ends();
    }
  }

  /** The bytes of a value, whose locations an item saves. */
  private static long cover(Item item, Object value, Map<Object, Item> owners) {
    if (!item.isWhole()) {
      return coverOne(item, value);
    }
    long bytes = 0;
    for (Object one : Contents.reachable(value)) {
      bytes += coverOne(item, one);
      if (Kind.of(one) == Kind.PROGRAM) {
        Item owner = owners.putIfAbsent(one, item);
        if (owner != null && owner != item) {
          TWICE.putIfAbsent(Shadows.of(one), new Twice(owner, item, Shadows.of(one)));
        }
        for (Field field : Contents.fields(one.getClass())) {
          Variable variable = Program.field(field.getDeclaringClass().getName(), field.getName());
          bytes += bytes(field.getType().descriptorString());
          if (variable != null && !Modifier.isTransient(field.getModifiers())) {
            Shadows.of(one).cover(variable.slot, item);
          }
        }
      }
    }
    return Math.max(bytes, SCALAR_BYTES);
  }

  private static long coverOne(Item item, Object value) {
    if (value.getClass().isArray()) {
      Shadows.of(value).cover(0, item);
      long bytes = (long) Array.getLength(value) * elementBytes(value.getClass());
      if (value instanceof Object[] rows) {
        bytes = 0;
        for (Object row : rows) {
          bytes += row != null && row.getClass().isArray() ? coverOne(item, row) : 0;
        }
      }
      return bytes;
    }
    if (value instanceof Buf buf) {
      Buffers.Range range = Buffers.of(buf);
      range.shadow().cover(range.first(), range.count(), item);
      Shadows.of(buf).cover(0, item);
      return buf.bytes();
    }
    if (value instanceof LongRef || value instanceof DoubleRef || Kind.of(value) == Kind.OPAQUE) {
      Shadows.of(value).cover(0, item);
    }
    return SCALAR_BYTES;
  }

  /** The bytes of an element of an array; 8 for a reference. */
  public static int elementBytes(Class<?> array) {
    return bytes(array.getComponentType().descriptorString());
  }

  /** The bytes of a variable of a type, as class files have it; 8 for a reference. */
  public static int bytes(String descriptor) {
    return switch (descriptor) {
      case "B", "Z" -> 1;
      case "S", "C" -> 2;
      case "I", "F" -> 4;
      default -> SCALAR_BYTES;
    };
  }

  /** Code of the program reads a field while Kintsugi calls it. */
  public static void read(Object holder, Variable variable) {
    Item item = covering;
    if (item != null) {
      Shadow shadow = variable.kind == Variable.Kind.STATIC ? Shadows.of(variable) : holder == null ? null : Shadows.of(holder);
      if (shadow != null) {
        shadow.cover(variable.kind == Variable.Kind.STATIC ? 0 : variable.slot, item);
      }
    }
  }

  /** Code of the program reads a number in a field while Kintsugi calls it. */
  public static void read(Object holder, Variable variable, long bits) {
    Item item = covering;
    if (item != null && (variable.kind == Variable.Kind.STATIC || holder != null)) {
      PACKED.read(item, variable.kind == Variable.Kind.STATIC ? Shadows.of(variable) : Shadows.of(holder), variable, bits);
    }
  }

  /** The program has ended: what getters have packed into arrays is saved, too. */
  public static void end() {
    PACKED.cover();
  }

  /** Code of the program reads elements, or calls an object of the JDK, while Kintsugi calls it. */
  public static void read(Object object) {
    Item item = covering;
    if (item != null && object != null) {
      Shadows.of(object).cover(0, item);
      if (object instanceof Buf buf) {
        Buffers.of(buf).shadow().cover(0, item);
      }
    }
  }

  /** Another program begins: for tests. */
  public static void reset() {
    ALL.clear();
    TWICE.clear();
    PACKED.reset();
    saving = null;
    hasRestored = false;
    isRestoreUsed = false;
    lastSave = -1;
  }
}
