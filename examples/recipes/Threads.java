// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.ThreadLevel;

/** Several threads of a rank exchange messages. */
public class Threads {
  public static void main(String[] args) throws Exception {
    try (Mpi mpi = Mpi.init(ThreadLevel.MULTIPLE, args)) {
      int other = mpi.world().size() - 1 - mpi.world().rank();
      long[] got = new long[4];
      List<Thread> threads = new ArrayList<>();
      for (int tag = 0; tag < got.length; tag++) {
        int mine = tag;
        threads.add(new Thread(() -> mpi.world().sendRecv(
            Buf.copyOf(10L * mpi.world().rank() + mine), other, mine, Buf.wrap(got, mine, 1), other, mine)));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      if (mpi.world().rank() == 0) {
        System.out.println(Arrays.toString(got));
      }
    }
  }
}
