// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.calls;

import java.util.Set;
import org.kintsugi.advice.internal.code.CallSite;
import org.kintsugi.advice.internal.protection.Buffers.Range;

/** The methods of the JDK that copy, fill and sort arrays, with the elements that they touch. */
final class ArrayModel implements Model {
  private static final Set<String> WRITING = Set.of("fill", "setAll", "parallelSetAll");
  private static final Set<String> CHANGING = Set.of("sort", "parallelSort", "parallelPrefix");

  @Override
  public Object before(CallSite call, Object[] arguments) {
    if (call.name().equals("arraycopy")) {
      int count = (Integer) arguments[4];
      Range source = Ranges.of(arguments[0], (Integer) arguments[1], count);
      Range target = Ranges.of(arguments[2], (Integer) arguments[3], count);
      Ranges.read(source, call.place());
      return new Object[] {target, Ranges.copy(target)};
    }
    Range range = range(call, arguments);
    if (WRITING.contains(call.name())) {
      return new Object[] {range, Ranges.copy(range)};
    }
    Ranges.read(range, call.place());
    if (call.descriptor().indexOf('[', 2) > 0) { // equals, compare, mismatch
      for (int i = 1; i < arguments.length; i++) {
        if (arguments[i] != null && arguments[i].getClass().isArray()) {
          Ranges.read(Ranges.of(arguments[i]), call.place());
        }
      }
    }
    return CHANGING.contains(call.name()) ? new Object[] {range, Ranges.copy(range)} : null;
  }

  /** The part of the first argument: all, or that between two indices, or the first elements. */
  private static Range range(CallSite call, Object[] arguments) {
    Object array = arguments.length > 0 && arguments[0] != null && arguments[0].getClass().isArray() ? arguments[0] : null;
    boolean hasBounds = arguments.length > 2 && arguments[1] instanceof Integer && arguments[2] instanceof Integer;
    if (hasBounds && !call.name().equals("fill") || hasBounds && arguments.length == 4) {
      int first = (Integer) arguments[1];
      return Ranges.of(array, first, (Integer) arguments[2] - first);
    }
    return call.name().equals("copyOf") ? Ranges.of(array, 0, (Integer) arguments[1]) : Ranges.of(array);
  }

  @Override
  public void after(CallSite call, Object[] arguments, Object token, Object result) {
    if (token != null) {
      Object[] both = (Object[]) token;
      Ranges.written((Range) both[0], both[1], call.place());
    }
    if (result != null && result.getClass().isArray()) {
      Ranges.made(result, call.place());
    }
  }
}
