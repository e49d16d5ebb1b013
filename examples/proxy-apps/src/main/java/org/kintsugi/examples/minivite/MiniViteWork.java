// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.Locale;
import java.util.Map;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.app.Picture;
import org.kintsugi.examples.app.Work;
import org.kintsugi.examples.sparse.MpiRanks;
import org.kintsugi.mpi.Comm;

/** The method on the ranks of a world, as the frame of applications sees it. */
final class MiniViteWork implements Work {
  private final Generated generated;
  private final Comm world;
  private final MpiRanks ranks;
  private final Louvain louvain;

  /** Takes the ranks over, and closes them. */
  MiniViteWork(Generated generated, Comm world, MpiRanks ranks, double threshold) {
    this.generated = generated;
    this.world = world;
    this.ranks = ranks;
    louvain = new Louvain(generated.graph(), ranks, threshold);
  }

  @Override
  public void protect(Checkpoint checkpoint) {
    louvain.protect(checkpoint);
  }

  @Override
  public void begin() {
    louvain.begin();
  }

  @Override
  public boolean goesOn(int iteration) {
    return !louvain.isDone();
  }

  @Override
  public void iterate(int iteration) {
    louvain.iterate();
  }

  @Override
  public String progress() {
    return String.format(Locale.ROOT, "modularity %.6f", louvain.modularity());
  }

  @Override
  public Map<String, Object> figures() {
    return new MiniViteFigures(world, generated, louvain).collect();
  }

  @Override
  public Map<String, Object> details() {
    return Map.of("generationSeconds", generated.seconds());
  }

  @Override
  public Picture picture() {
    return MiniVitePicture.of(generated, louvain, world);
  }

  @Override
  public String summary() {
    return String.format(Locale.ROOT,
        "miniVite, %d vertices on each of %d ranks: modularity %s after %d iterations; graph made in %.3f s",
        generated.graph().vertices, world.size(), louvain.modularity(), louvain.history().iterations(), generated.seconds());
  }

  @Override
  public void close() {
    ranks.close();
  }
}
