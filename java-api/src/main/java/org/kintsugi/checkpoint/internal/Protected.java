// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.Comms;
import org.kintsugi.mpi.internal.Memory;

/** One thing that is protected: how long it is, and how it gets into an image and back. */
public interface Protected {
  /** What it is, for comparison between save and restore: kind and length. One line of text. */
  String shape();

  /** Where its bytes are, for the image that is composed next. */
  void pieces(Pieces to);

  /** Gets it back from the so many bytes at an address; what is there has the {@link #shape} of now. */
  void readFrom(long address, long bytes);

  /** The array or buffer that holds it just now; null: a getter and a setter do, and nobody knows for what. */
  default Object holder() {
    return null;
  }

  /** Takes what something protected is made of, in its order. */
  interface Pieces {
    /** Bytes of an array, or off-heap ones if {@code base} is null, in the sense of {@link Memory#copyAny}. */
    void add(Object base, long offset, long bytes);
  }

  /** @param of gives the buffer whenever it is asked: a field may have been given another */
  static Protected buf(Supplier<Buf> of) {
    return new Protected() {
      @Override
      public String shape() {
        Buf buf = of.get();
        // A view has all the bytes of what it is a view of, and they are all saved.
        String bytes = buf.bytes() == buf.count() * buf.datatype().extent() ? "" : " in " + buf.bytes() + " bytes";
        return buf.count() + " x " + buf.datatype() + bytes;
      }

      @Override
      public void pieces(Pieces to) {
        Buf buf = of.get();
        to.add(Comms.get().base(buf), Comms.get().offset(buf), buf.bytes());
      }

      @Override
      public void readFrom(long address, long bytes) {
        Comms.get().copyFrom(of.get(), address);
      }

      @Override
      public Object holder() {
        return of.get();
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
      public void pieces(Pieces to) {
        to.add(new long[] {get.getAsLong()}, Memory.arrayBase(long[].class), Long.BYTES);
      }

      @Override
      public void readFrom(long address, long bytes) {
        set.accept(Memory.getLong(address));
      }
    };
  }
}
