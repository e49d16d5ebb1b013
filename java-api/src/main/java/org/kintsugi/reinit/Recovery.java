// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.List;

/**
 * One recovery.
 *
 * @param epoch the epoch that the failure ended; the first is 0
 * @param failedRanks whose places had to be filled (or were given up): ranks of that epoch's world, ascending; empty if
 *     only spares died
 * @param detectionMillis from the last {@code run.iteration} or {@code run.poll} before the failure was known, to the
 *     moment when it was: the longest of all survivors
 * @param repairMillis from then, on this process (a spare: from when it was called), to the new world
 * @param totalMillis both together
 */
public record Recovery(
    int epoch, List<Integer> failedRanks, double detectionMillis, double repairMillis, double totalMillis) {}
