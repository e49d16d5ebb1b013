// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.List;
import org.kintsugi.checkpoint.Checkpoint;

/** A problem that is solved iteration by iteration. Collective: {@link #begin}, {@link #resume}, {@link #iterate}. */
interface Problem {
  /** Protects all that an iteration needs of the one before, and what is reported of those made. */
  void protect(Checkpoint checkpoint);

  /** Sets the state before the first iteration. */
  void begin();

  /** Makes anew what follows from the protected data. */
  void resume();

  boolean isDone();

  void iterate();

  double relativeResidual();

  /** The logs of the solves. */
  List<SolveLog> logs();

  /** The figures of the levels, hierarchy after hierarchy. */
  List<LevelFigures> levels();
}
