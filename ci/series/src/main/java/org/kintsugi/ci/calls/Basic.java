// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.nio.ByteBuffer;
import org.kintsugi.mpi.Datatype;

/** The predefined datatypes of one number. */
enum Basic {
  BYTE(1, Datatype.BYTE),
  SHORT(2, Datatype.SHORT),
  CHAR(2, Datatype.CHAR),
  INT(4, Datatype.INT),
  LONG(8, Datatype.LONG),
  FLOAT(4, Datatype.FLOAT),
  DOUBLE(8, Datatype.DOUBLE);

  final int bytes;
  final Datatype type;

  Basic(int bytes, Datatype type) {
    this.bytes = bytes;
    this.type = type;
  }

  boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /** The whole number at an offset; CHAR is unsigned. */
  long whole(ByteBuffer memory, int at) {
    return switch (this) {
      case BYTE -> memory.get(at);
      case SHORT -> memory.getShort(at);
      case CHAR -> memory.getChar(at);
      case INT -> memory.getInt(at);
      case LONG -> memory.getLong(at);
      case FLOAT -> (long) memory.getFloat(at);
      case DOUBLE -> (long) memory.getDouble(at);
    };
  }

  /** Writes a whole number; its upper bits are cut. */
  void putWhole(ByteBuffer memory, int at, long value) {
    switch (this) {
      case BYTE -> memory.put(at, (byte) value);
      case SHORT -> memory.putShort(at, (short) value);
      case CHAR -> memory.putChar(at, (char) value);
      case INT -> memory.putInt(at, (int) value);
      case LONG -> memory.putLong(at, value);
      case FLOAT -> memory.putFloat(at, value);
      case DOUBLE -> memory.putDouble(at, value);
      default -> throw new AssertionError(this);
    }
  }

  double real(ByteBuffer memory, int at) {
    return this == FLOAT ? memory.getFloat(at) : memory.getDouble(at);
  }

  void putReal(ByteBuffer memory, int at, double value) {
    if (this == FLOAT) {
      memory.putFloat(at, (float) value);
    } else {
      memory.putDouble(at, value);
    }
  }
}
