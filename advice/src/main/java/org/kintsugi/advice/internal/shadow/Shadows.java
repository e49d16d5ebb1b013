// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.shadow;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.code.Variable;

/** The shadows of all objects, by identity; those of static fields; and those of memory outside of the heap, by address. */
public final class Shadows {
  private static final int FIRST_SIZE = 1 << 16;
  private static final int RECENT = 1 << 12;

  private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
  private static volatile Shadow[] table = new Shadow[FIRST_SIZE];
  private static int size;
  private static final Shadow[] RECENTLY = new Shadow[RECENT];
  private static final Map<Variable, Shadow> STATICS = new ConcurrentHashMap<>();
  private static final NavigableMap<Long, Region> REGIONS = new ConcurrentSkipListMap<>();
  private static final Set<Shadow> FOUND = ConcurrentHashMap.newKeySet();

  private Shadows() {}

  /**
   * Memory outside of the heap, divided into elements.
   *
   * @param anchor keeps the shadow
   */
  public record Region(long address, long bytes, int elementBytes, Shadow shadow, Object anchor) {
    /** Whether an address is in it. */
    public boolean has(long place) {
      return place >= address && place < address + bytes;
    }
  }

  /** That of an object or array. */
  public static Shadow of(Object object) {
    int hash = System.identityHashCode(object);
    Shadow recent = RECENTLY[hash & RECENT - 1];
    if (recent != null && recent.refersTo(object)) {
      return recent;
    }
    Shadow found = find(object, hash);
    if (found == null) {
      found = insert(object, hash);
    }
    RECENTLY[hash & RECENT - 1] = found;
    return found;
  }

  /** That of an object, if it has one. */
  public static Shadow known(Object object) {
    return object == null ? null : find(object, System.identityHashCode(object));
  }

  private static Shadow find(Object object, int hash) {
    Shadow[] present = table;
    Shadow one = present[hash & present.length - 1];
    while (one != null) {
      if (one.hash == hash && one.refersTo(object)) {
        return one;
      }
      one = one.next;
    }
    return null;
  }

  private static synchronized Shadow insert(Object object, int hash) {
    Shadow found = find(object, hash);
    if (found != null) {
      return found;
    }
    for (Reference<?> gone = QUEUE.poll(); gone != null; gone = QUEUE.poll()) {
      remove((Shadow) gone);
    }
    if (size > table.length) {
      grow();
    }
    Shadow made = new Shadow(object, hash, object.getClass().isArray() ? Array.getLength(object) : 0, Loop.now, QUEUE);
    int bucket = hash & table.length - 1;
    made.next = table[bucket];
    table[bucket] = made;
    size++;
    return made;
  }

  private static void remove(Shadow gone) {
    int bucket = gone.hash & table.length - 1;
    Shadow before = null;
    for (Shadow one = table[bucket]; one != null; one = one.next) {
      if (one == gone) {
        if (before == null) {
          table[bucket] = one.next;
        } else {
          before.next = one.next;
        }
        size--;
        return;
      }
      before = one;
    }
  }

  /** Another thread that searches meanwhile may miss an object; it then looks again, in the lock of insert. */
  private static void grow() {
    Shadow[] old = table;
    Shadow[] larger = new Shadow[4 * old.length];
    for (Shadow first : old) {
      Shadow one = first;
      while (one != null) {
        Shadow following = one.next;
        int bucket = one.hash & larger.length - 1;
        one.next = larger[bucket];
        larger[bucket] = one;
        one = following;
      }
    }
    table = larger;
  }

  /** A shadow that is in no table: that of the local variables of a call. */
  static Shadow apart(Object anchor, int length) {
    return new Shadow(anchor, 0, length, Loop.now, null);
  }

  /** That of a static field. */
  public static Shadow of(Variable variable) {
    Shadow known = STATICS.get(variable);
    return known != null ? known : STATICS.computeIfAbsent(variable, key -> new Shadow(key, 0, 1, 0, null));
  }

  /** That of memory outside of the heap; made where there is none. */
  public static Region at(long address, long bytes, int elementBytes) {
    Map.Entry<Long, Region> below = REGIONS.floorEntry(address);
    if (below != null && below.getValue().has(address) && below.getValue().has(address + Math.max(1, bytes) - 1)) {
      return below.getValue();
    }
    return allocated(address, bytes, elementBytes);
  }

  /** The program has new memory, perhaps where other memory was. */
  public static Region allocated(long address, long bytes, int elementBytes) {
    Object anchor = new Object();
    Region region = new Region(address, bytes, elementBytes, apart(anchor, (int) (bytes / elementBytes)), anchor);
    region.shadow.elementBytes(elementBytes);
    REGIONS.put(address, region);
    return region;
  }

  /** An iteration has read a value of an earlier one here: the shadow is needed until the end. */
  static void found(Shadow shadow) {
    FOUND.add(shadow);
  }

  /** All shadows with a value that an earlier iteration wrote. */
  public static Set<Shadow> allFound() {
    return FOUND;
  }

  /** Another program begins: for tests. */
  public static synchronized void reset() {
    table = new Shadow[FIRST_SIZE];
    size = 0;
    Arrays.fill(RECENTLY, null);
    STATICS.clear();
    REGIONS.clear();
    FOUND.clear();
  }
}
