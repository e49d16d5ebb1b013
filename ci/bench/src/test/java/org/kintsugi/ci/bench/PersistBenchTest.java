// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.ci.bench.PersistBench.Curve;
import org.kintsugi.ci.bench.PersistBench.Point;
import org.kintsugi.test.RankJob;

/** The benchmark of persistent communicators works: short, for function and not for figures. */
class PersistBenchTest {
  @TempDir
  private Path target;

  @Test
  void theModelIsFitted() {
    Curve curve = Curve.fit("exact", List.of(new Point(1, 4, 0), new Point(3, 2, 0), new Point(30, 1.1, 0)));
    assertThat(curve.c()).isCloseTo(3, within(1e-12));
    assertThat(curve.error()).isCloseTo(0, within(1e-12));
    Curve noisy = Curve.fit("noisy", List.of(new Point(1, 4.1, 0), new Point(3, 1.9, 0)));
    assertThat(noisy.error()).isPositive();
    assertThat(PersistBench.point(2, new double[] {4, 6}, new double[] {2, 2}).ratio()).isCloseTo(2.5, within(1e-12));
    assertThat(PersistBench.point(2, new double[] {4, 6}, new double[] {2, 2}).error()).isCloseTo(0.5, within(1e-12));
  }

  @Test
  @SuppressWarnings("unchecked")
  void bothFiguresAreMade() throws IOException {
    var results = new PersistBench(RankJob.mpiOrSkip(), target, true, false).run();
    for (String figure : List.of("interval", "size")) {
      List<Curve> curves = (List<Curve>) results.get(figure);
      assertThat(curves).extracting(Curve::store).containsExactly("memory", "file");
      assertThat(curves).allSatisfy(curve -> assertThat(curve.points()).hasSize(2)
          .allSatisfy(point -> assertThat(point.ratio()).isPositive().isFinite()));
      assertThat(ImageIO.read(Files.newInputStream(target.resolve("persist-" + figure + ".png"))).getWidth()).isEqualTo(900);
    }
  }
}
