// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.objects;

import java.io.Closeable;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Lock;
import java.util.stream.BaseStream;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.shadow.Live;
import org.kintsugi.advice.internal.shadow.Shadow;
import org.kintsugi.advice.internal.shadow.Shadows;

/**
 * An object whose code is not instrumented.
 *
 * <p>It is looked into at the end of each turn of the loop. If it changes, and an iteration uses it that has not first
 * overwritten it as a whole, this iteration may read what an earlier one has left in it.
 */
public final class Opaque {
  /** Methods that leave nothing of what was in the object. */
  private static final Set<String> OVERWRITING =
      Set.of("clear", "reset", "removeAll", "set", "lazySet", "setPlain", "setRelease", "setSeed", "setLength");
  /** Methods that look something up, or add it. */
  private static final Set<String> LOOKUPS =
      Set.of("get", "containsKey", "contains", "computeIfAbsent", "putIfAbsent", "getOrDefault",
          "put", "add");

  private static final Map<Shadow, Opaque> ALL = new ConcurrentHashMap<>();

  /** Its shadow, which has its names. */
  public final Shadow shadow;
  private final boolean isPosition;
  private final boolean isUnprinted;
  private long print;
  private boolean hasPrint;
  private volatile int variedTurn = Integer.MAX_VALUE;
  private volatile int freshTurn;
  private volatile int usedTurn;
  private volatile int missedTurn;
  private volatile boolean isCarried;
  private volatile boolean isNoCache;
  private int afterTurn;
  private volatile int liveTurn;

  private Opaque(Shadow shadow, Object object) {
    this.shadow = shadow;
    isPosition =
        object instanceof Iterator || object instanceof Spliterator || object instanceof BaseStream || object instanceof Scanner
            || object instanceof Closeable && !(object instanceof Collection)
            || object instanceof SecureRandom || object instanceof ThreadLocalRandom;
    isUnprinted = object instanceof Lock || object instanceof Future || object instanceof Thread || isOfThreads(object);
  }

  /** Whether it is an open file or stream. */
  public boolean isFile() {
    return isPosition && Closeable.class.isAssignableFrom(shadow.type) && !Scanner.class.isAssignableFrom(shadow.type);
  }

  private static boolean isOfThreads(Object object) {
    String name = object.getClass().getName();
    return name.startsWith("java.util.concurrent.")
        && (name.contains("Pool") || name.contains("Executor") || name.contains("Latch")
            || name.contains("Barrier") || name.contains("locks") || name.contains("Phaser") || name.contains("Semaphore"));
  }

  /** The record of an object. */
  public static Opaque of(Object object) {
    Shadow shadow = Shadows.of(object);
    Opaque known = ALL.get(shadow);
    if (known != null) {
      return known;
    }
    Opaque made = ALL.computeIfAbsent(shadow, key -> new Opaque(shadow, object));
    if (Loop.now > 0) {
      made.look(object, Loop.now);
    }
    return made;
  }

  /** The program has made it. */
  public void made() {
    if (Loop.now > 0) {
      variedTurn = Loop.now;
      freshTurn = Loop.now;
    }
  }

  /** The program calls a method of it, or passes it to one. */
  public void use(String method, Object[] arguments, int place) {
    int turn = Loop.now;
    if (turn == 0) {
      return;
    }
    if (isPosition && variedTurn > turn) {
      variedTurn = turn;
    }
    if (usedTurn != turn) {
      usedTurn = turn;
      boolean isEmptied = OVERWRITING.contains(method) && (!method.equals("set") || arguments.length <= 2 && isCell())
          && (!method.equals("setLength") || arguments[1].equals(0));
      if (isEmptied) {
        freshTurn = turn;
      }
    }
    if (freshTurn == turn) {
      return;
    }
    if (Live.isWanted() && liveTurn != turn) {
      liveTurn = turn;
      Object object = shadow.get();
      Live.use(shadow, object == null || isPosition || isUnprinted ? 1 : Contents.print(object, false), variedTurn < turn);
    }
    shadow.used(turn);
    if (variedTurn < turn) {
      shadow.uses.read(place);
      if (Loop.isIterated() || turn - variedTurn > 1) {
        isCarried = true;
      } else if (afterTurn == 0) {
        afterTurn = turn;
      }
    }
    shadow.uses.write(place);
    if (!LOOKUPS.contains(method)) {
      isNoCache = true;
    }
  }

  private boolean isCell() {
    return shadow.type.getName().startsWith("java.util.concurrent.atomic.") && !shadow.type.getName().endsWith("Array")
        || shadow.type.getName().startsWith("java.lang.ThreadLocal");
  }

  /** A method of it has returned. */
  public void returned(String method, Object result) {
    boolean isMiss = result == null || Boolean.FALSE.equals(result);
    if ((method.equals("get") || method.startsWith("contains")) && isMiss) {
      missedTurn = Loop.now;
    } else if (method.equals("put") && (result != null || missedTurn != Loop.now)
        || method.equals("add") && missedTurn != Loop.now) {
      isNoCache = true;
    }
  }

  private void look(Object object, int turn) {
    if (isUnprinted || isPosition) {
      return;
    }
    long now = Contents.print(object, true);
    if (hasPrint && now != print && variedTurn >= turn) {
      variedTurn = turn - 1;
    }
    print = now;
    hasPrint = true;
  }

  /** A turn ends, and the next one begins: what has changed? */
  public static void endTurn() {
    int turn = Loop.now;
    for (Opaque one : ALL.values()) {
      Object object = one.shadow.get();
      if (object == null) {
        if (!one.isCarried) {
          ALL.remove(one.shadow);
        }
      } else if (one.variedTurn >= turn - 1 && (one.usedTurn >= turn - 1 || !one.hasPrint)) {
        one.look(object, turn);
      }
    }
  }

  /** All that are known. */
  public static List<Opaque> all() {
    return List.copyOf(ALL.values());
  }

  /** Whether an iteration has used what an earlier one had left. @param isUsedAfter whether the code after the loop counts */
  public boolean isCarried(boolean isUsedAfter) {
    boolean isLoopOver = !Loop.isIterated() && afterTurn == Loop.now;
    return isCarried || afterTurn > 0 && (isUsedAfter || !isLoopOver);
  }

  /** Whether all uses look something up, and add what is not there. */
  public boolean isCache() {
    return !isNoCache && (Map.class.isAssignableFrom(shadow.type) || Collection.class.isAssignableFrom(shadow.type));
  }

  /** Whether it is a place in something: an iterator, an open file. */
  public boolean isPosition() {
    return isPosition;
  }

  /** Whether it belongs to the work of threads. */
  public boolean isOfThreads() {
    return isUnprinted;
  }

  /** Another program begins: for tests. */
  public static void reset() {
    ALL.clear();
  }
}
