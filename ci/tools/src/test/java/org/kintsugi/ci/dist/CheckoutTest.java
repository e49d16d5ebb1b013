// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/** bin/jmpirun and bin/kintsugi of the checkout, for a program that has its own classes only. */
@Tag("flavours")
@Tag("once")
class CheckoutTest {
  private static final long LIMIT_SECONDS = 60;

  @TempDir
  Path folder;

  private String run(String... line) throws IOException, InterruptedException {
    return Commands.run(folder, LIMIT_SECONDS + 30, Map.of(), List.of(line));
  }

  @Test
  void aProgramFindsKintsugisClasses() throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip();
    Path source = Files.writeString(folder.resolve("Sum.java"), """
        import org.kintsugi.mpi.*;
        public class Sum {
          public static void main(String[] args) {
            Mpi.run(args, mpi -> {
              int sum = mpi.world().allReduce(mpi.world().rank() + 1, Op.SUM);
              if (mpi.world().rank() == 0) {
                System.out.println("sum " + sum);
              }
            });
          }
        }
        """);
    String own = run(Checkout.FOLDER + "/bin/kintsugi", "classpath");
    assertThat(own).startsWith("0 ");
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp", own.substring(2).strip(), "-d",
        folder.toString(), source.toString())).isZero();
    List<String> line = List.of(Checkout.FOLDER + "/bin/jmpirun", "--mpi", mpi.prefix().toString(), "--timeout",
        String.valueOf(LIMIT_SECONDS), "-n", "2", "-cp", folder.toString(), "Sum");
    assertThat(run(line.toArray(new String[0]))).startsWith("0 ").contains("sum 3");
  }
}
