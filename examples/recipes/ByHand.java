// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.Op;

/** Recovers by revoke and shrink, without Reinit.run. */
public class ByHand {
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Comm work = mpi.world().dup();
      for (long step = 0; step < 100;) {
        try {
          if (step == 40 && work.size() == 4 && work.rank() == 1) {
            Runtime.getRuntime().halt(1); // a process failure
          }
          work.barrier();
          step++;
        } catch (MpiFaultException fault) {
          work.revoke(); // ends the waits of ranks that have not detected the failure
          Comm alive = work.shrink();
          work.close();
          work = alive;
          step = alive.allReduce(step, Op.MIN); // some ranks may lack the last step
        }
      }
      if (work.rank() == 0) {
        System.out.println(work.size() + " ranks have come to the end");
      }
      work.close();
    });
  }
}
