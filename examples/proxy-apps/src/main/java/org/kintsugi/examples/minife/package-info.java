// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * miniFE: a steady heat problem on a unit cube, assembled from 8-node bricks and solved by conjugate gradients. {@link
 * org.kintsugi.examples.minife.MiniFe} is the program; {@code HeatMatrix} assembles, {@code ConjugateGradient} solves.
 */
package org.kintsugi.examples.minife;
