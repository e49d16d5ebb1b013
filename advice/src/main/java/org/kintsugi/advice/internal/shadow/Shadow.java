// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.shadow;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.kintsugi.advice.internal.code.Allocation;
import org.kintsugi.advice.internal.code.Uses;
import org.kintsugi.advice.internal.code.Variable;

/**
 * What is known of the locations in an array, an object, a buffer or the local variables of a call. It does not keep the object.
 *
 * <p>Threads of the program may race: a location of which they lose an update is nearly always met again.
 */
public final class Shadow extends WeakReference<Object> {
  /** The loop has changed the value. */
  public static final byte VARIED = 1;
  /** An iteration has read the value of an earlier one. */
  public static final byte CARRIED = 2;
  /** The loop has changed the value more than once, or not when it first met it. */
  public static final byte NOT_ONCE = 4;
  /** Only the code after the loop has read the value. */
  public static final byte AFTER = 8;
  /** The loop has read a value of an earlier iteration, perhaps that of the start. */
  public static final byte READ = 16;

  private static final int MOST_NAMES = 6;

  /** A variable from which the program has taken an array, and how many indices followed. */
  public record Name(Variable variable, int indices) {}

  /** A part of an array or buffer that a protected item saves: the first element, and the one after the last. */
  private record Part(Object item, int first, int end) {}

  final int hash;
  volatile Shadow next;
  /** The turn in which it was first seen; 0: before the loop. */
  public final int born;

  private volatile int[] written;
  private volatile byte[] flags;
  private volatile long[] initial;
  private volatile Variable[] variables;
  private BitSet pending;
  private int pendingTurn;
  private volatile int usedTurn;
  private volatile boolean isFollowed;
  private volatile boolean isCovered;
  private volatile Allocation allocation;
  private volatile List<Name> names = List.of();
  private volatile Name lastName;
  private volatile List<Name> readNames = List.of();
  private volatile Object[] covers = new Object[0];
  private volatile List<Part> parts = List.of();
  /** Of all elements of an array. */
  public final Uses uses = new Uses();
  /** The class of the object; it outlives the object. */
  public final Class<?> type;
  private volatile int length;
  private volatile int elementBytes;

  Shadow(Object object, int hash, int length, int born, ReferenceQueue<Object> queue) {
    super(object, queue);
    this.hash = hash;
    this.length = length;
    this.born = born;
    type = object.getClass();
  }

  /** The turn of the last write to a location; 0 or less: the loop has not written it. */
  int written(int index) {
    int[] present = written;
    return present == null || index >= present.length ? 0 : present[index];
  }

  void written(int index, int turn) {
    room(index)[index] = turn;
  }

  private int[] room(int index) {
    int[] present = written;
    if (present == null || index >= present.length) {
      synchronized (this) {
        length = Math.max(length, index + 1);
        flags = flags == null ? new byte[length] : Arrays.copyOf(flags, length);
        initial = initial == null ? new long[length] : Arrays.copyOf(initial, length);
        written = written == null ? new int[length] : Arrays.copyOf(written, length);
        present = written;
      }
    }
    return present;
  }

  /** The bits that a location has when the loop begins; those of a new location are 0. */
  long initial(int index) {
    long[] present = initial;
    return present == null || index >= present.length ? 0 : present[index];
  }

  void initial(int index, long bits) {
    room(index);
    initial[index] = bits;
  }

  /** The flags of a location. */
  public byte flags(int index) {
    byte[] present = flags;
    return present == null || index >= present.length ? 0 : present[index];
  }

  void flag(int index, int flag) {
    room(index);
    flags[index] |= (byte) flag;
  }

  /** The number of locations. */
  public int length() {
    return length;
  }

  /** The bytes of an element of memory outside of the heap; 0: it is none. */
  public int elementBytes() {
    return elementBytes;
  }

  void elementBytes(int bytes) {
    elementBytes = bytes;
  }

  /** The variable at a location of an object; null: it is an element, or not known. */
  public Variable variable(int index) {
    Variable[] present = variables;
    return present == null || index >= present.length ? null : present[index];
  }

  void variable(int index, Variable variable) {
    if (variable(index) == variable) {
      return;
    }
    synchronized (this) {
      Variable[] more =
          variables == null ? new Variable[index + 1] : Arrays.copyOf(variables, Math.max(variables.length, index + 1));
      more[index] = variable;
      variables = more;
    }
  }

  /** A value was read in front of this turn's iteration: it counts if there is one. */
  synchronized void pend(int index, int turn) {
    settle(turn);
    if (pending == null) {
      pending = new BitSet();
    }
    pending.set(index);
    pendingTurn = turn;
  }

  /** In a later turn there was an iteration, so that what is pending counts. */
  synchronized void settle(int turn) {
    if (pending != null && turn > pendingTurn) {
      pending.stream().forEach(index -> flag(index, CARRIED));
      pending = null;
    }
  }

  /** The program has ended: what is pending was read after the loop. */
  public synchronized void end(int turn, boolean isIterated) {
    settle(isIterated ? Integer.MAX_VALUE : turn);
    if (pending != null) {
      pending.stream().forEach(index -> flag(index, AFTER));
      pending = null;
    }
  }

  /** The last turn that has read a value of before that turn here. */
  public int usedTurn() {
    return usedTurn;
  }

  /** A turn reads a value of before that turn. */
  public void used(int turn) {
    if (usedTurn != turn) {
      usedTurn = turn;
    }
  }

  /** Whether a location that the loop has written refers to it. */
  boolean isFollowed() {
    return isFollowed;
  }

  void follow() {
    if (!isFollowed) {
      isFollowed = true;
    }
  }

  /** Notes the place that has made it. */
  public void madeBy(Allocation place) {
    allocation = place;
  }

  /** The place that has made it; null: not seen. */
  public Allocation allocation() {
    return allocation;
  }

  /** The variables from which the program has taken it. */
  public List<Name> names() {
    return names;
  }

  /** The program takes it from a variable. */
  public void named(Variable variable, int indices) {
    List<Name> present = names;
    for (Name name : present) {
      if (name.variable == variable) {
        lastName = name;
        return;
      }
    }
    if (present.size() < MOST_NAMES) {
      List<Name> more = new ArrayList<>(present);
      lastName = new Name(variable, indices);
      more.add(lastName);
      names = more;
    }
  }

  /** The variables from which the program took it to read a value of an earlier iteration. */
  public List<Name> readNames() {
    return readNames;
  }

  /** The program reads a value of an earlier iteration. */
  void readByName() {
    Name name = lastName;
    if (name != null && !readNames.contains(name)) {
      List<Name> more = new ArrayList<>(readNames);
      more.add(name);
      readNames = more;
    }
  }

  /** It is an element of another array, and has its names. */
  public void namedAsRowOf(Shadow rows) {
    if (names.isEmpty()) {
      rows.names.forEach(name -> named(name.variable, name.indices + 1));
      if (allocation == null || allocation.name().isEmpty()) {
        Allocation outer = rows.allocation;
        allocation = outer == null ? allocation : new Allocation(outer.place(), outer.type(), outer.name());
      }
    }
  }

  /** A protected item saves a location; the elements of an array have the index 0. */
  @SuppressWarnings("unchecked")
  public synchronized void cover(int index, Object item) {
    if (index >= covers.length) {
      covers = Arrays.copyOf(covers, index + 1);
    }
    if (covers[index] == null) {
      covers[index] = Collections.newSetFromMap(new IdentityHashMap<>());
    }
    ((Set<Object>) covers[index]).add(item);
    isCovered = true;
  }

  /** A protected item saves a part of an array or buffer. */
  public synchronized void cover(int first, int count, Object item) {
    if (first <= 0 && first + count >= length) {
      cover(0, item);
      return;
    }
    Part part = new Part(item, first, first + count);
    if (!parts.contains(part)) {
      List<Part> more = new ArrayList<>(parts);
      more.add(part);
      parts = more;
    }
  }

  /** The protected items that save an element of an array or buffer. */
  public Set<Object> coversOfElement(int index) {
    Set<Object> whole = covers(0);
    if (parts.isEmpty()) {
      return whole;
    }
    Set<Object> all = Collections.newSetFromMap(new IdentityHashMap<>());
    all.addAll(whole);
    parts.stream().filter(part -> index >= part.first && index < part.end).forEach(part -> all.add(part.item));
    return all;
  }

  /** Whether the loop has changed any of its locations. */
  public boolean isVaried() {
    byte[] present = flags;
    for (int i = 0; present != null && i < present.length; i++) {
      if ((present[i] & VARIED) != 0) {
        return true;
      }
    }
    return false;
  }

  /** The protected items that save a location. */
  @SuppressWarnings("unchecked")
  public synchronized Set<Object> covers(int index) {
    return !isCovered || index >= covers.length || covers[index] == null ? Set.of() : (Set<Object>) covers[index];
  }
}
