// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.Comms;
import org.kintsugi.mpi.internal.Memory;

/** One thing that is protected: how long it is, and how it gets into an image and back. */
abstract class Protected {
  /** What it is, for comparison between save and restore: kind and length. */
  abstract String shape();

  abstract long bytes();

  abstract void writeTo(long address);

  abstract void readFrom(long address);

  static Protected of(Buf buf) {
    return new Protected() {
      @Override
      String shape() {
        return buf.count() + " x " + buf.datatype();
      }

      @Override
      long bytes() {
        return buf.bytes();
      }

      @Override
      void writeTo(long address) {
        Comms.get().copyTo(buf, address);
      }

      @Override
      void readFrom(long address) {
        Comms.get().copyFrom(buf, address);
      }
    };
  }

  static Protected of(LongSupplier get, LongConsumer set) {
    return new Protected() {
      @Override
      String shape() {
        return "a long";
      }

      @Override
      long bytes() {
        return 8;
      }

      @Override
      void writeTo(long address) {
        Memory.putLong(address, get.getAsLong());
      }

      @Override
      void readFrom(long address) {
        set.accept(Memory.getLong(address));
      }
    };
  }

  static Protected of(DoubleSupplier get, DoubleConsumer set) {
    LongSupplier bits = () -> Double.doubleToRawLongBits(get.getAsDouble());
    LongConsumer fromBits = value -> set.accept(Double.longBitsToDouble(value));
    return of(bits, fromBits);
  }
}
