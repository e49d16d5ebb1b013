// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.calls;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.kintsugi.advice.internal.code.CallSite;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.objects.Kind;
import org.kintsugi.advice.internal.shadow.Cells;
import org.kintsugi.advice.internal.shadow.Shadow;
import org.kintsugi.advice.internal.shadow.Shadows;
import org.kintsugi.checkpoint.DoubleRef;
import org.kintsugi.checkpoint.LongRef;

/** Objects with one value: numbers that a checkpoint has made, and variables of a thread. */
final class CellModel implements Model {
  private static final Map<Shadow, Object> VALUES = new ConcurrentHashMap<>();
  private static final Object NOTHING = new Object();

  @Override
  public Object before(CallSite call, Object[] arguments) {
    Shadow shadow = Shadows.of(arguments[0]);
    Object now = arguments[0] instanceof DoubleRef number ? (Object) number.get()
        : arguments[0] instanceof LongRef number ? (Object) number.get() : VALUES.getOrDefault(shadow, NOTHING);
    boolean isSet = call.name().equals("set") || call.name().equals("add") || call.name().equals("remove");
    if (!call.name().equals("set") && Loop.now > 0 && !(arguments[0] instanceof ThreadLocal)) {
      Cells.read(shadow, 0, now.hashCode() + 1L, false, null, call.place());
    }
    if (isSet && arguments[0] instanceof ThreadLocal) {
      Object value = arguments.length > 1 && arguments[1] != null ? arguments[1] : NOTHING;
      VALUES.put(shadow, value);
      if (Loop.now > 0) {
        Cells.write(shadow, 0, 0, !Objects.equals(value, now), false, null, call.place());
      }
    }
    return isSet ? now : null;
  }

  @Override
  public void after(CallSite call, Object[] arguments, Object token, Object result) {
    if (Loop.now == 0) {
      return;
    }
    Shadow shadow = Shadows.of(arguments[0]);
    if (arguments[0] instanceof ThreadLocal) {
      if (call.name().equals("get") && result != null && Kind.of(result) == Kind.VALUE) {
        Cells.read(shadow, 0, result.hashCode() + 1L, false, null, call.place());
      } else if (call.name().equals("get") && result != null) {
        Shadow target = Shadows.of(result);
        shadow.names().forEach(name -> target.named(name.variable(), name.indices()));
        Cells.follow(shadow, 0, target, null, call.place());
      }
    } else if (token != null) {
      Object now = arguments[0] instanceof DoubleRef number ? (Object) number.get() : (Object) ((LongRef) arguments[0]).get();
      Cells.write(shadow, 0, token.hashCode() + 1L, !now.equals(token), false, null, call.place());
    }
  }
}
