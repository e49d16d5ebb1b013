// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.test.RankJob;

/** A single-file program's objects, whose classes Java's launcher has made, are restored. */
class SingleFileProgramTest {
  private static final int LIMIT_SECONDS = 120;

  /** The same list twice, by the two ways to protect objects. */
  private static final String PROGRAM = """
      import java.io.Serializable;
      import java.util.ArrayList;
      import org.kintsugi.checkpoint.Protect;
      import org.kintsugi.mpi.Mpi;
      import org.kintsugi.reinit.Reinit;

      public class Main {
        record Particle(double a, int b) implements Serializable {}

        static class Model {
          @Protect
          ArrayList<Particle> list = new ArrayList<>();
          ArrayList<Particle> other = new ArrayList<>();
        }

        public static void main(String[] args) {
          Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
            Model model = new Model();
            run.checkpoint().protectFields("model", model);
            run.checkpoint().protectObject("other", ArrayList.class, () -> model.other, list -> model.other = list,
                Particle.class);
            long begin = run.checkpoint().restore().orElse(0);
            for (long i = begin; i < 40; i++) {
              run.iteration(i);
              run.world().barrier();
              model.list.add(new Particle(i, (int) i));
              model.other.add(new Particle(i, -1));
              if (i % 7 == 6) {
                run.checkpoint().save(i + 1);
              }
            }
            if (run.world().rank() == 1) {
              System.out.println("RESULT " + begin + " " + model.list.size() + " " + model.list.get(39) + model.other.get(39));
            }
          }));
        }
      }
      """;

  @Test
  void itsObjectsComeBack(@TempDir Path folder) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve("Main.java"), PROGRAM);
    Path output = folder.resolve("output");
    List<String> line = RankJob.jmpirun(RankJob.mpiOrSkip());
    line.addAll(List.of("-n", "2", "--spares", "1", "--timeout", "60", "--kill", "process:1@20"));
    line.addAll(RankJob.classes(RankJob.mpiOrSkip()));
    line.add(source.toString());
    Process process = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("ended in time").isTrue();
    } finally {
      process.destroy();
    }
    String printed = Files.readString(output);
    assertThat(process.exitValue()).as(printed).isZero();
    assertThat(printed).contains("RESULT 14 40 Particle[a=39.0, b=39]Particle[a=39.0, b=-1]");
  }
}
