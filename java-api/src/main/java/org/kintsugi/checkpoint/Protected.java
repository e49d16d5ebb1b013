// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.Comms;
import org.kintsugi.mpi.internal.Memory;

/** One thing that is protected: how long it is, and how it gets into an image and back. */
interface Protected {
  /** What it is, for comparison between save and restore: kind and length. One line of text. */
  String shape();

  /** How many bytes it takes in the image that is composed next. Called once before {@link #writeTo}. */
  long bytes();

  void writeTo(long address);

  /** Gets it back from the so many bytes at an address; what is there has the {@link #shape} of now. */
  void readFrom(long address, long bytes);

  static Protected of(Buf buf) {
    return new Protected() {
      @Override
      public String shape() {
        return buf.count() + " x " + buf.datatype();
      }

      @Override
      public long bytes() {
        return buf.bytes();
      }

      @Override
      public void writeTo(long address) {
        Comms.get().copyTo(buf, address);
      }

      @Override
      public void readFrom(long address, long bytes) {
        Comms.get().copyFrom(buf, address);
      }
    };
  }

  /** Any scalar, by its bits. */
  static Protected scalar(String type, LongSupplier get, LongConsumer set) {
    return new Protected() {
      @Override
      public String shape() {
        return "a " + type;
      }

      @Override
      public long bytes() {
        return Long.BYTES;
      }

      @Override
      public void writeTo(long address) {
        Memory.putLong(address, get.getAsLong());
      }

      @Override
      public void readFrom(long address, long bytes) {
        set.accept(Memory.getLong(address));
      }
    };
  }
}
