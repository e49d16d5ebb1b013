// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.kintsugi.advice.internal.code.CallSite;
import org.kintsugi.advice.internal.objects.Kind;
import org.kintsugi.advice.internal.objects.Opaque;
import org.kintsugi.advice.internal.protection.Buffers.Range;
import org.kintsugi.advice.internal.shadow.Shadow;
import org.kintsugi.advice.internal.shadow.Shadows;

/** All other methods: they read all elements of the arrays that they take, and write those that differ afterwards. */
final class OpaqueModel implements Model {
  /** An array before the call. */
  private record Before(Range range, Object copy, boolean isWritten) {}

  @Override
  public Object before(CallSite call, Object[] arguments) {
    if (call.hasReceiver() && arguments[0] != null) {
      Kind kind = Kind.of(arguments[0]);
      if (kind == Kind.PROGRAM || kind == Kind.VALUE && arguments[0].getClass().isHidden()) {
        return null; // the program's own method, whose code is instrumented
      }
      if (kind == Kind.OPAQUE) {
        Opaque.of(arguments[0]).use(call.name(), arguments, call.place());
      }
    }
    if (call.owner().equals("java/lang/Math")) { // random numbers without a seed
      Opaque.of(ThreadLocalRandom.current()).use(call.name(), arguments, call.place());
    }
    List<Before> all = null;
    boolean isFilled = isFilled(call);
    for (int i = call.hasReceiver() ? 1 : 0; i < arguments.length; i++) {
      Object argument = arguments[i];
      if (argument == null) {
        continue;
      }
      Kind kind = Kind.of(argument);
      if (kind == Kind.ARRAY && isDeclaredAsArray(call, i)) {
        Range range = Ranges.of(argument);
        if (!isFilled) {
          Ranges.read(range, call.place());
        }
        all = all == null ? new ArrayList<>() : all;
        all.add(new Before(range, Ranges.copy(range), isFilled));
      } else if (kind == Kind.OPAQUE && !isKept(call)) {
        Opaque.of(argument).use("argument", arguments, call.place());
      }
    }
    return all;
  }

  /** Whether the method only fills the arrays that it takes. */
  private static boolean isFilled(CallSite call) {
    boolean isOfStreams =
        call.owner().startsWith("java/io/") || call.owner().startsWith("java/nio/") || call.owner().startsWith("java/util/");
    return isOfStreams && (call.name().startsWith("read") || call.name().startsWith("get") || call.name().equals("nextBytes")
        || call.name().equals("toArray"));
  }

  /** A collection keeps references, and reads nothing of what they refer to. */
  private static boolean isKept(CallSite call) {
    return call.owner().startsWith("java/util/") && !call.name().endsWith("All") || call.owner().startsWith("java/lang/ref/");
  }

  private static boolean isDeclaredAsArray(CallSite call, int argument) {
    int index = argument - (call.hasReceiver() ? 1 : 0);
    int at = 1;
    String types = call.descriptor();
    for (int i = 0; i < index; i++) {
      while (types.charAt(at) == '[') {
        at++;
      }
      at = types.charAt(at) == 'L' ? types.indexOf(';', at) + 1 : at + 1;
    }
    return types.charAt(at) == '[';
  }

  @Override
  @SuppressWarnings("unchecked")
  public void after(CallSite call, Object[] arguments, Object token, Object result) {
    if (token != null) {
      for (Before before : (List<Before>) token) {
        if (before.isWritten) {
          Ranges.written(before.range, before.copy, call.place());
        } else {
          Ranges.differ(before.range, before.copy, call.place());
        }
      }
    }
    if (call.hasReceiver() && arguments[0] != null && Kind.of(arguments[0]) == Kind.OPAQUE) {
      Opaque.of(arguments[0]).returned(call.name(), result);
      if (result != null && result.getClass().getName().startsWith(arguments[0].getClass().getName() + "$")) {
        // A view of a collection, or a position in it, has the collection's names.
        Shadow view = Shadows.of(result);
        Shadow whole = Shadows.of(arguments[0]);
        whole.names().forEach(name -> view.named(name.variable(), name.indices()));
        view.madeBy(whole.allocation());
      }
    }
    if (result != null && result.getClass().isArray() && Shadows.known(result) == null) {
      Ranges.made(result, call.place());
    }
  }
}
