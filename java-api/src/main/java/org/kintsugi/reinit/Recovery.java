// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.List;

/**
 * One recovery.
 *
 * @param epoch the epoch that the failure ended; the first is 0
 * @param failedRanks whose places had to be filled (or were given up): ranks of that epoch's world, ascending; empty if
 *     only spares died
 * @param detectionMillis from when all was well (the last {@code run.iteration} or {@code run.poll} before the failure) to
 *     the moment when the last survivor had learned of it; over all survivors the longest
 * @param repairMillis from then to the body's next entry on this process
 * @param totalMillis both together
 */
public record Recovery(
    int epoch, List<Integer> failedRanks, double detectionMillis, double repairMillis, double totalMillis) {}
