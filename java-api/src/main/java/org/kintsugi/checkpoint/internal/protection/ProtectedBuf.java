// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.protection;

import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.memory.Memory;

/**
 * A buffer. One that is not fixed may have another length at every save if its datatype is predefined: a restore makes it anew,
 * off-heap, where the present one does not fit.
 */
public final class ProtectedBuf implements Protected {
  private static final Map<Datatype, LongFunction<Buf>> NEW =
      Map.of(Datatype.BYTE, Buf::allocateBytes, Datatype.SHORT, Buf::allocateShorts,
          Datatype.CHAR, Buf::allocateChars, Datatype.INT, Buf::allocateInts, Datatype.LONG, Buf::allocateLongs, Datatype.FLOAT,
          Buf::allocateFloats,
          Datatype.DOUBLE, Buf::allocateDoubles);

  private final Variable variable;

  public ProtectedBuf(Variable variable) {
    this.variable = variable;
  }

  private Buf buf() {
    return (Buf) variable.present(Buf.class);
  }

  @Override
  public String shape() {
    Buf buf = buf();
    boolean isDense = buf.bytes() == buf.count() * buf.datatype().extent();
    if (!variable.isFixed() && isDense && NEW.containsKey(buf.datatype())) {
      return "a Buf of any length, of " + buf.datatype();
    }
    // All bytes under a view are saved.
    return buf.count() + " x " + buf.datatype() + (isDense ? "" : " in " + buf.bytes() + " bytes");
  }

  @Override
  public void pieces(Pieces to) {
    Buf buf = buf();
    to.add(Access.bufs().base(buf), Access.bufs().offset(buf), buf.bytes(), buf);
  }

  @Override
  public void claim(Set<Object> given) {
    if (variable.isFixed()) {
      given.add(buf());
    }
  }

  @Override
  public void readFrom(long address, long bytes, Set<Object> given) {
    Buf buf = buf();
    LongFunction<Buf> anew = NEW.get(buf.datatype());
    if (!variable.isFixed() && anew != null && (buf.bytes() != bytes || !given.add(buf))) {
      buf = anew.apply(bytes / buf.datatype().extent());
      given.add(buf);
    }
    Memory.copyAny(null, address, Access.bufs().base(buf), Access.bufs().offset(buf), buf.bytes());
    if (!variable.isFixed()) {
      variable.set().accept(buf);
    }
  }

  @Override
  public Object holder() {
    return variable.holder();
  }
}
