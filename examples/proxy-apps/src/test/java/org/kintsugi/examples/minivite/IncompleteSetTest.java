// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.kintsugi.examples.app.Restored;
import org.kintsugi.examples.sparse.OneRank;

/** MATCH leaves the modularity of the iteration before out: after a restart the first test for the end cannot succeed. */
class IncompleteSetTest {
  private static final double THRESHOLD = 1e-6;

  private final Graph graph = new GraphGenerator(256, 3, true, new OneRank()).generate().graph();

  private Louvain begun() {
    Louvain louvain = new Louvain(graph, new OneRank(), THRESHOLD);
    louvain.begin();
    return louvain;
  }

  private static int iterationsToTheEnd(Louvain louvain) {
    int iterations = 0;
    while (!louvain.isDone()) {
      louvain.iterate();
      iterations++;
    }
    return iterations;
  }

  private Louvain before(int iterations) {
    Louvain louvain = begun();
    for (int i = 0; i < iterations; i++) {
      louvain.iterate();
    }
    return louvain;
  }

  @Test
  void withoutTheModularityItGoesOnForLonger() throws ReflectiveOperationException {
    Louvain undisturbed = begun();
    int all = iterationsToTheEnd(undisturbed);
    // "communities": their sizes and degrees.
    Louvain complete = Restored.from(before(all - 1), begun(), "community", "communities", "modularity", "done");
    Louvain incomplete = Restored.from(before(all - 1), begun(), "community", "communities", "done");

    assertThat(iterationsToTheEnd(complete)).isEqualTo(1);
    assertThat(complete.modularity()).isEqualTo(undisturbed.modularity());
    assertThat(iterationsToTheEnd(incomplete)).isGreaterThan(1);
  }
}
