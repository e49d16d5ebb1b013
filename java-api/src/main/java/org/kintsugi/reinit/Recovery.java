// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.List;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * One recovery.
 *
 * @param epoch the epoch that the failure ended; the first is 0
 * @param failedRanks the ranks of that epoch's world whose processes failed, ascending: each was
 *     replaced, or the world continued without it; empty if only spares failed
 * @param detectionMillis from the last moment when all was well (the last {@code run.iteration} or {@code run.poll} before the
 *     failure) to the moment when the last survivor knew of it; the longest over all survivors
 * @param repairMillis from then to the body's next entry on this process
 * @param totalMillis both together
 */
@InRecovery
public record Recovery(
    int epoch, List<Integer> failedRanks, double detectionMillis, double repairMillis, double totalMillis) {}
