// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.calls;

import org.kintsugi.advice.internal.code.CallSite;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.protection.Buffers;
import org.kintsugi.advice.internal.protection.Buffers.Range;
import org.kintsugi.advice.internal.protection.Items;
import org.kintsugi.advice.internal.shadow.Shadow;
import org.kintsugi.advice.internal.shadow.Shadows;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;

/** The methods of {@link Buf}. */
final class BufferModel implements Model {
  private static final int WITH_ARRAY = 5;

  @Override
  public Object before(CallSite call, Object[] arguments) {
    if (!call.hasReceiver()) {
      if (call.name().equals("copyOf")) {
        Ranges.read(Ranges.of(arguments[0]), call.place());
      }
      return null;
    }
    Buf buf = (Buf) arguments[0];
    if (Loop.now == 0 || buf == null || !call.name().startsWith("get") && !call.name().startsWith("put")) {
      return null;
    }
    Buf part = part(call, arguments);
    if (part == null) {
      return null; // the call itself complains
    }
    boolean isGet = call.name().startsWith("get");
    Range array = arguments.length == WITH_ARRAY ? Ranges.of(arguments[2], (Integer) arguments[3], (Integer) arguments[4]) : null;
    if (isGet) {
      Ranges.read(part, call.place());
      Ranges.used(buf, Buffers.of(part));
      return new Object[] {array, Ranges.copy(array)};
    }
    Ranges.read(array, call.place());
    return new Object[] {part, Ranges.copy(part)};
  }

  /** The elements that an accessor touches, as a buffer that has the names of the whole. */
  private static Buf part(CallSite call, Object[] arguments) {
    Buf buf = (Buf) arguments[0];
    boolean isOne = arguments.length < WITH_ARRAY;
    long size = isOne ? bytes(call.name().substring(3)) : Items.elementBytes(arguments[2].getClass());
    long first = (Long) arguments[1];
    long count = isOne ? 1 : (Integer) arguments[4];
    try {
      Buffers.of(buf); // the whole, before the part: it is one region
      Buf part = buf.as(Datatype.BYTE, buf.bytes()).slice(first * size, count * size);
      return part;
    } catch (RuntimeException outside) {
      return null;
    }
  }

  private static int bytes(String type) {
    return switch (type) {
      case "Byte" -> 1;
      case "Short", "Char" -> 2;
      case "Int", "Float" -> 4;
      default -> 8;
    };
  }

  @Override
  public void after(CallSite call, Object[] arguments, Object token, Object result) {
    if (token instanceof Object[] both) {
      if (both[0] instanceof Range range) {
        Ranges.written(range, both[1], call.place());
      } else if (both[0] instanceof Buf part) {
        Ranges.written(part, both[1], call.place());
      }
    }
    if (result instanceof Buf made) {
      if (!call.hasReceiver() && !made.isArray() && !call.name().equals("wrap")) {
        Shadows.allocated(made.address(), made.bytes(), (int) Math.max(1, made.datatype().extent()));
        if (call.name().equals("copyOf")) {
          Ranges.written(made, new byte[(int) made.bytes()], call.place());
        }
      } else if (call.hasReceiver()) {
        Shadow whole = Shadows.of(arguments[0]);
        Shadow part = Shadows.of(made);
        whole.names().forEach(name -> part.named(name.variable(), name.indices()));
        part.madeBy(whole.allocation());
      }
    }
  }
}
