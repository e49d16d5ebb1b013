// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.protection;

import java.lang.invoke.MethodType;
import java.util.Set;
import org.kintsugi.mpi.internal.memory.Memory;

/** A number, a {@code boolean} or a {@code char}, by its bits. */
final class ProtectedScalar implements Protected {
  private final Class<?> primitive;
  private final Class<?> boxed;
  private final Variable variable;

  ProtectedScalar(Class<?> primitive, Variable variable) {
    this.primitive = primitive;
    this.boxed = MethodType.methodType(primitive).wrap().returnType();
    this.variable = variable;
  }

  @Override
  public String shape() {
    return "a " + primitive.getName();
  }

  @Override
  public void pieces(Pieces to) {
    to.add(bits(variable.present(boxed)));
  }

  @Override
  public void readFrom(long address, long bytes, Set<Object> given) {
    variable.set().accept(value(Memory.getLong(address)));
  }

  @Override
  public Object holder() {
    return variable.holder();
  }

  private static long bits(Object value) {
    if (value instanceof Double) {
      return Double.doubleToRawLongBits((Double) value);
    }
    if (value instanceof Float) {
      return Float.floatToRawIntBits((Float) value);
    }
    if (value instanceof Boolean) {
      return (Boolean) value ? 1 : 0;
    }
    return value instanceof Character ? (Character) value : ((Number) value).longValue();
  }

  private Object value(long bits) {
    switch (primitive.getName()) {
      case "double":
        return Double.longBitsToDouble(bits);
      case "float":
        return Float.intBitsToFloat((int) bits);
      case "boolean":
        return bits != 0;
      case "char":
        return (char) bits;
      case "byte":
        return (byte) bits;
      case "short":
        return (short) bits;
      case "int":
        return (int) bits;
      default:
        return bits;
    }
  }
}
