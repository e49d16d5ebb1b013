// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.List;
import java.util.Objects;

/**
 * The result of {@link Reinit#call} on this process.
 *
 * @param <T> the type of the value
 * @param value what the body returned in the last epoch; null if it returned null, and on a process that stayed a spare
 * @param recoveries those that this process took part in, the oldest first, as {@link Run#recoveries}
 * @param stayedSpare whether this process waited to the end and never entered the body: it has no rank, and nothing to report
 */
public record RunResult<T>(T value, List<Recovery> recoveries, boolean stayedSpare) {
  /**
   * Makes a result.
   *
   * @param value what the body returned
   * @param recoveries the recoveries; the list is copied
   * @param stayedSpare whether the body was never entered
   */
  public RunResult {
    recoveries = List.copyOf(Objects.requireNonNull(recoveries, "recoveries is null"));
  }
}
