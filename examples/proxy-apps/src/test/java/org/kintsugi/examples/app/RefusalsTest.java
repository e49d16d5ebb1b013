// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.examples.amg.Amg;
import org.kintsugi.examples.comd.Comd;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.examples.lulesh.Lulesh;
import org.kintsugi.examples.minife.MiniFe;
import org.kintsugi.examples.minivite.MiniVite;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Arguments that do not fit the number of ranks: refused before the work, by name, with what would do; and that does. */
class RefusalsTest {
  private static ProxyApp of(String app) {
    return switch (app) {
      case "hpccg" -> new Hpccg();
      case "lulesh" -> new Lulesh();
      case "comd" -> new Comd();
      case "amg" -> new Amg();
      case "minife" -> new MiniFe();
      case "minivite" -> new MiniVite();
      default -> throw new IllegalArgumentException(app);
    };
  }

  private static void check(String line, int ranks) {
    String[] words = line.split(" ", 2);
    ProxyApp program = of(words[0]);
    new CommandLine(program).parseArgs(words[1].split(" "));
    program.check(ranks);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      // Ranks that are no cube.
      "lulesh -s 5 -i 20 | 2 | 2 ranks do not: 1 or 8 would do", "lulesh -s 5 | 26 | 8 or 27 would do",
      "lulesh -s 0 | 8 | -s 0", "lulesh -s 5 -r 0 | 8 | -r 0",
      // Boxes smaller than the cutoff.
      "comd -x 12 -y 12 -z 5 -i 1 -j 1 -k 2 | 2 | -z 5 with -k 2 leaves each rank",
      "comd -x 3 -y 12 -z 12 | 1 | -x 3 with -i 1 leaves each rank",
      // A grid that does not multiply to the ranks.
      "comd -x 12 -y 12 -z 12 -i 2 -j 2 -k 1 | 3 | -i 2 -j 2 -k 1 are 4 ranks, and there are 3",
      "comd -x 12 -y 12 -z 12 -i 65536 -j 65536 -k 1 | 4 | are 4294967296 ranks, and there are 4",
      "comd -x 12 -y 12 -z 12 -i 0 | 1 | -i 0", "comd -x 0 | 2 | -x 0 is not positive", "comd -n 0 | 2 | -n 0 is not positive",
      "amg -n 10 10 10 -P 2 2 2 | 4 | -P 2 2 2: the product is not 4, the number of ranks; -P 4 1 1 would do",
      "amg -n 10 10 10 -P -2 -2 1 | 4 | -P -2", "amg -problem 3 -n 4 4 4 | 1 | -problem 3: expected 1 or 2",
      "minife -nx 1 -ny 1 -nz 1 | 2 | some of 2 ranks would have no element",
      // Vertices that do not divide, and ranks that they cannot be spread over.
      "minivite -l -n 1000 | 16 | -n 1000: expected vertices that 16 ranks can share equally",
      "minivite -l -n 1024 | 3 | 3 ranks: expected a power of two, like 2", "minivite -n 1024 | 2 | -l is missing",
      "hpccg 0 4 4 | 2 | NX 0", "hpccg 1000 1000 1000 | 2 | NX NY NZ 1000 1000 1000",
      "hpccg 4 4 4 --iterations 2147483647 | 2 | --iterations 2147483647", "hpccg 4 4 -4 | 2 | NZ -4"})
  void refusesByNameAndSaysWhatWouldDo(String line, int ranks, String expected) {
    assertThatThrownBy(() -> check(line, ranks)).isInstanceOf(ParameterException.class).hasMessageContaining(expected);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"lulesh -s 5 -i 20 | 27", "comd -x 12 -y 12 -z 12 -i 2 -j 1 -k 1 | 2", "amg -n 4 4 4 | 5",
      "amg -n 10 10 10 -P 2 1 2 | 4", "minife -nx 16 -ny 12 -nz 10 | 7", "minivite -l -n 1024 -p 3 | 4", "hpccg 1 1 1 | 9"})
  void takesWhatFits(String line, int ranks) {
    assertThatCode(() -> check(line, ranks)).doesNotThrowAnyException();
  }
}
