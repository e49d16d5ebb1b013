// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.BufAccess;

/** Gives Kintsugi's own packages the operations on a {@link Buf} that programs do not see. */
final class BufInternals implements BufAccess {
  @Override
  public Buf uncleared(long bytes) {
    return Buf.uncleared(bytes);
  }

  @Override
  public void pack(Buf buf, long block) {
    buf.checkOpen();
    buf.pack(block);
  }

  @Override
  public void unpack(Buf buf, long block, long bytes) {
    buf.checkOpen();
    buf.unpack(block, 0, buf.count(), bytes);
  }

  @Override
  public Object base(Buf buf) {
    return buf.base();
  }

  @Override
  public long offset(Buf buf) {
    return buf.offset();
  }

  @Override
  public boolean areSame(Buf one, Buf other) {
    return Buf.areSame(one, other);
  }

  @Override
  public String signature(Datatype elements, long count) {
    return elements.signature(count);
  }

  @Override
  public String signatures(TypedParts parts) {
    return parts.signatures();
  }

  @Override
  public long countFor(Datatype elements, long others, Datatype other) {
    return elements.countFor(others, other);
  }
}
