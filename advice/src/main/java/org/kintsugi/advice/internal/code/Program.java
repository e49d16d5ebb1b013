// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.code;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Numbers for the places, variables, allocations and calls of the program: instrumented code passes numbers only. */
public final class Program {
  private static final Table<Place> PLACES = new Table<>();
  private static final Table<Variable> VARIABLES = new Table<>();
  private static final Table<Allocation> ALLOCATIONS = new Table<>();
  private static final Table<CallSite> CALLS = new Table<>();
  private static final Map<String, Integer> FIELDS = new ConcurrentHashMap<>();
  private static final List<String> WARNINGS = new CopyOnWriteArrayList<>();

  private Program() {}

  /** Grows; reads need no lock. */
  private static final class Table<T> {
    private volatile Object[] items = new Object[1024];
    private int size;

    synchronized int add(T item) {
      if (size == items.length) {
        Object[] larger = new Object[2 * size];
        System.arraycopy(items, 0, larger, 0, size);
        items = larger;
      }
      Object[] present = items;
      present[size] = item;
      items = present;
      return size++;
    }

    @SuppressWarnings("unchecked")
    T get(int index) {
      return (T) items[index];
    }
  }

  /** Adds a place. @return its number */
  public static int add(Place place) {
    return PLACES.add(place);
  }

  /** Adds a local variable. @return its number */
  public static int add(Variable variable) {
    return VARIABLES.add(variable);
  }

  /** Adds an allocation. @return its number */
  public static int add(Allocation allocation) {
    return ALLOCATIONS.add(allocation);
  }

  /** Adds a call. @return its number */
  public static int add(CallSite call) {
    return CALLS.add(call);
  }

  /** The number of a field, which is added at the first call. */
  public static int field(boolean isStatic, String owner, String name, String descriptor, int slot) {
    return FIELDS.computeIfAbsent(owner + "." + name, key -> VARIABLES.add(
        new Variable(isStatic ? Variable.Kind.STATIC : Variable.Kind.FIELD, owner, "", name, descriptor, slot)));
  }

  /** The field of a class; null: no instrumented code uses it. */
  public static Variable field(String owner, String name) {
    Integer number = FIELDS.get(owner + "." + name);
    return number == null ? null : VARIABLES.get(number);
  }

  /** All fields that instrumented code uses. */
  public static Collection<Integer> fields() {
    return FIELDS.values();
  }

  /** A place by its number. */
  public static Place place(int number) {
    return PLACES.get(number);
  }

  /** A variable by its number. */
  public static Variable variable(int number) {
    return VARIABLES.get(number);
  }

  /** An allocation by its number. */
  public static Allocation allocation(int number) {
    return ALLOCATIONS.get(number);
  }

  /** A call by its number. */
  public static CallSite call(int number) {
    return CALLS.get(number);
  }

  /** Forgets the fields: another program begins, for tests. */
  public static void reset() {
    FIELDS.clear();
  }

  /** Keeps a sentence for the user. */
  public static void warn(String warning) {
    WARNINGS.add(warning);
  }

  /** The sentences for the user. */
  public static List<String> warnings() {
    return WARNINGS;
  }
}
