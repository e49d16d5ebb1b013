// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.objects;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Looks into objects whose code is not instrumented. */
public final class Contents {
  private static final int MOST_OBJECTS = 200_000;
  /** Fields with which the JDK keeps what it can compute again, or counts changes. */
  private static final Set<String> CACHES = Set.of("modCount", "keySet", "values", "entrySet", "hash", "hashIsZero");

  private static final ClassValue<Field[]> FIELDS = new ClassValue<>() {
    @Override
    protected Field[] computeValue(Class<?> type) {
      List<Field> all = new ArrayList<>();
      for (Class<?> one = type; one != null && one != Object.class; one = one.getSuperclass()) {
        for (Field field : one.getDeclaredFields()) {
          if (!Modifier.isStatic(field.getModifiers()) && !CACHES.contains(field.getName())) {
            try {
              field.setAccessible(true);
              all.add(field);
            } catch (RuntimeException notOpen) {
              // its module does not allow it: what it holds is not seen
            }
          }
        }
      }
      return all.toArray(new Field[0]);
    }
  };

  private Contents() {}

  /** The fields of an object that are not static. */
  public static Field[] fields(Class<?> type) {
    return FIELDS.get(type);
  }

  /**
   * A number that is another one if something in the object is.
   *
   * @param isByIdentity whether objects of the program count by their identity, and not by their class
   */
  public static long print(Object root, boolean isByIdentity) {
    long sum = 17;
    Map<Object, Integer> seen = new IdentityHashMap<>();
    Deque<Object> left = new ArrayDeque<>();
    left.push(root);
    try {
      while (!left.isEmpty() && seen.size() < MOST_OBJECTS) {
        Object one = left.pop();
        Integer known = seen.putIfAbsent(one, seen.size());
        sum = 31 * sum + (known == null ? own(one, left, one == root, isByIdentity) : known);
      }
    } catch (RuntimeException | IllegalAccessException changing) {
      return 0; // another thread changes it
    }
    return sum;
  }

  /** The part of one object; others that it refers to are added. */
  private static long own(Object one, Deque<Object> left, boolean isRoot, boolean isByIdentity) throws IllegalAccessException {
    Class<?> type = one.getClass();
    if (type.isArray()) {
      return ofArray(one, left, isByIdentity);
    }
    String name = type.getName();
    if (one instanceof Number && Kind.of(type) == Kind.VALUE || one instanceof String || one instanceof Boolean
        || one instanceof Character) {
      return one.hashCode();
    }
    if (!isRoot && Kind.of(type) != Kind.OPAQUE) {
      return identity(one, isByIdentity);
    }
    if (one instanceof Collection<?> collection && name.startsWith("java.util.")) {
      return ofAll(collection.toArray(), left, isByIdentity);
    }
    if (one instanceof Map<?, ?> map && name.startsWith("java.util.")) {
      List<Object> all = new ArrayList<>();
      map.forEach((key, value) -> {
        all.add(key);
        all.add(value);
      });
      return ofAll(all.toArray(), left, isByIdentity);
    }
    if (one instanceof StringBuilder || one instanceof StringBuffer) {
      return one.toString().hashCode();
    }
    if (one instanceof BitSet bits) {
      return bits.hashCode();
    }
    if (one instanceof Buffer buffer) {
      return ofBuffer(buffer);
    }
    long sum = name.hashCode();
    for (Field field : fields(type)) {
      Object value = field.get(one);
      if (field.getType().isPrimitive()) {
        sum = 31 * sum + value.hashCode();
      } else if (value != null) {
        left.push(value);
      } else {
        sum = 31 * sum;
      }
    }
    return sum;
  }

  private static int identity(Object one, boolean isByIdentity) {
    return one == null ? 0 : isByIdentity ? System.identityHashCode(one) : one.getClass().getName().hashCode();
  }

  private static long ofAll(Object[] all, Deque<Object> left, boolean isByIdentity) {
    long sum = all.length;
    for (Object one : all) {
      if (one != null && (Kind.of(one) == Kind.OPAQUE || Kind.of(one) == Kind.ARRAY)) {
        left.push(one);
        sum = 31 * sum + 1;
      } else {
        boolean isByValue = one instanceof String || one instanceof Number || one instanceof Boolean || one instanceof Character;
        sum = 31 * sum + (isByValue ? one.hashCode() : identity(one, isByIdentity));
      }
    }
    return sum;
  }

  private static long ofArray(Object array, Deque<Object> left, boolean isByIdentity) {
    if (array instanceof Object[] objects) {
      return ofAll(objects, left, isByIdentity);
    }
    return array instanceof double[] doubles ? Arrays.hashCode(doubles)
        : array instanceof int[] ints ? Arrays.hashCode(ints)
            : array instanceof long[] longs ? Arrays.hashCode(longs)
                : array instanceof byte[] bytes ? Arrays.hashCode(bytes)
                    : array instanceof float[] floats ? Arrays.hashCode(floats)
                        : array instanceof char[] chars ? Arrays.hashCode(chars)
                            : array instanceof short[] shorts ? Arrays.hashCode(shorts) : Arrays.hashCode((boolean[]) array);
  }

  /** All elements, whatever the position is; the position is a part of the state, too. */
  private static long ofBuffer(Buffer buffer) {
    long place = 31L * buffer.position() + buffer.limit();
    Buffer whole = buffer.duplicate().clear();
    return 31 * place + (whole instanceof ByteBuffer || whole instanceof DoubleBuffer || whole instanceof IntBuffer
        || whole instanceof LongBuffer || whole instanceof FloatBuffer ? whole.hashCode() : 0);
  }

  /** All objects that can be reached, without those of transient fields of the program's objects. */
  public static Set<Object> reachable(Object root) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> left = new ArrayDeque<>();
    left.push(root);
    while (!left.isEmpty() && seen.size() < MOST_OBJECTS) {
      Object one = left.pop();
      if (Kind.of(one) != Kind.VALUE && Kind.of(one) != Kind.KINTSUGI && seen.add(one)) {
        children(one).forEach(left::push);
      }
    }
    return seen;
  }

  private static List<Object> children(Object one) {
    List<Object> all = new ArrayList<>();
    try {
      if (one instanceof Object[] objects) {
        all.addAll(Arrays.asList(objects));
      } else if (one instanceof Collection<?> collection && Kind.of(one) == Kind.OPAQUE) {
        all.addAll(Arrays.asList(collection.toArray()));
      } else if (one instanceof Map<?, ?> map && Kind.of(one) == Kind.OPAQUE) {
        all.addAll(map.keySet());
        all.addAll(map.values());
      } else if (Kind.of(one) == Kind.PROGRAM || Kind.of(one) == Kind.OPAQUE) {
        for (Field field : fields(one.getClass())) {
          boolean isLeftOut = Kind.of(one) == Kind.PROGRAM && Modifier.isTransient(field.getModifiers());
          if (!field.getType().isPrimitive() && !isLeftOut) {
            all.add(field.get(one));
          }
        }
      }
    } catch (RuntimeException | IllegalAccessException changing) {
      // another thread changes it
    }
    all.removeIf(child -> child == null);
    return all;
  }
}
