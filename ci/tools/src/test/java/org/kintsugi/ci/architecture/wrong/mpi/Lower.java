// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.mpi;

import org.kintsugi.ci.architecture.wrong.mpi.internal.Hidden;
import org.kintsugi.ci.architecture.wrong.persist.Upper;
import org.kintsugi.ci.architecture.wrong.presets.Preset;

/** Knows classes of upper layers and the presets, and shows users hidden classes. */
public final class Lower {
  public int answer(Hidden hidden) {
    return hidden.answer() + new Upper().answer() + Preset.ANSWER;
  }
}
