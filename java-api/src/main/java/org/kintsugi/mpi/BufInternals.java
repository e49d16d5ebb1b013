// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.BufAccess;

/** See {@link BufAccess}. */
final class BufInternals implements BufAccess {
  @Override
  public Buf uncleared(long bytes) {
    return Buf.uncleared(bytes);
  }

  @Override
  public void copyTo(Buf buf, long address) {
    buf.copyTo(address);
  }

  @Override
  public void copyFrom(Buf buf, long address, long bytes) {
    buf.copyFrom(address, 0, buf.count(), bytes);
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
  public boolean isOfPredefinedType(Buf buf) {
    return !buf.datatype().isDerived();
  }
}
