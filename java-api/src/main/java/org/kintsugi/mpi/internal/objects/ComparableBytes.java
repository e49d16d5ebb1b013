// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.objects;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An object in bytes that are the same for equal contents. They are for comparison, and cannot be read.
 *
 * <p>A serialized object also has what no program sees: whether two equal texts or numbers are one object, and the size of a
 * map's table. Both may change when an object is read back. Maps and sets are therefore written as lists, and equal texts and
 * numbers as one object. Maps and sets without an order are written in the order of their keys, if these have one.
 */
public final class ComparableBytes {
  private static final Set<Class<?>> WITHOUT_ORDER =
      Set.of(HashMap.class, HashSet.class, Hashtable.class, IdentityHashMap.class, ConcurrentHashMap.class);

  private ComparableBytes() {}

  /**
   * Writes an object, which may be null.
   *
   * @throws IOException if it cannot be serialized
   */
  public static byte[] of(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Contents objects = new Contents(bytes)) {
      objects.writeObject(value);
    }
    return bytes.toByteArray();
  }

  /** Replaces what has a form besides its contents. */
  private static final class Contents extends ObjectOutputStream {
    /** Texts and numbers, each by the first that is equal to it. */
    private final Map<Object, Object> values = new HashMap<>();

    Contents(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object written) {
      Class<?> type = written.getClass();
      if (type.getPackageName().equals("java.lang") && written instanceof Comparable && !(written instanceof Enum)) {
        Object first = values.putIfAbsent(written, written);
        return first == null ? written : first;
      }
      if (!type.getPackageName().startsWith("java.util")) {
        return written;
      }
      if (written instanceof Map) {
        List<Object[]> entries = new ArrayList<>();
        ((Map<?, ?>) written).forEach((key, value) -> entries.add(new Object[] {key, value}));
        return listed(type, entries);
      }
      if (written instanceof Set) {
        List<Object[]> elements = new ArrayList<>();
        ((Set<?>) written).forEach(element -> elements.add(new Object[] {element}));
        return listed(type, elements);
      }
      return written;
    }

    private static List<Object> listed(Class<?> type, List<Object[]> entries) {
      if (WITHOUT_ORDER.contains(type)) {
        try {
          entries.sort((one, other) -> compare(one[0], other[0]));
        } catch (ClassCastException | NullPointerException keysHaveNoOrder) {
          // they stay as they are
        }
      }
      List<Object> list = new ArrayList<>(List.of(type.getName()));
      list.addAll(entries);
      return list;
    }

    @SuppressWarnings("unchecked") // the caller catches what a wrong class throws
    private static int compare(Object one, Object other) {
      return ((Comparable<Object>) one).compareTo(other);
    }
  }
}
