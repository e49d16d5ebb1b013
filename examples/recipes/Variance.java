// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;

/** A reduction by a function of its own: mean and variance of all samples. */
public class Variance {
  static void combine(Buf in, Buf inOut, int count) {
    for (int i = 0; i < 3 * count; i += 3) {
      double n = in.getDouble(i) + inOut.getDouble(i);
      double apart = inOut.getDouble(i + 1) - in.getDouble(i + 1);
      double squares = in.getDouble(i + 2) + inOut.getDouble(i + 2)
          + apart * apart * in.getDouble(i) * inOut.getDouble(i) / n;
      inOut.putDouble(i + 1, in.getDouble(i + 1) + apart * inOut.getDouble(i) / n);
      inOut.putDouble(i, n);
      inOut.putDouble(i + 2, squares);
    }
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      try (Datatype moments = Datatype.contiguous(3, Datatype.DOUBLE); Op merge = Op.of(moments, true, Variance::combine)) {
        double[] mine = {1, mpi.world().rank(), 0}; // one sample on each rank: its number
        mpi.world().allReduce(Buf.wrap(mine).as(moments, 1), merge);
        if (mpi.world().rank() == 0) {
          System.out.println("mean " + mine[1] + ", variance " + mine[2] / mine[0]);
        }
      }
    });
  }
}
