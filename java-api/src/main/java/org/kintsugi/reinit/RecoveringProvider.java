// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.List;
import org.kintsugi.runtime.internal.InRecovery;

/** What the providers that recover have in common: the state of the new epoch and its recovery. */
@InRecovery
abstract class RecoveringProvider implements Provider {
  final RecoveryTimes times = new RecoveryTimes();
  int epoch;
  boolean replacement;
  List<Integer> failedRanks = List.of();

  @Override
  public final int epoch() {
    return epoch;
  }

  @Override
  public final boolean isReplacement() {
    return replacement;
  }

  @Override
  public final List<Integer> failedRanks() {
    return failedRanks;
  }

  @Override
  public final RecoveryTimes times() {
    return times;
  }
}
