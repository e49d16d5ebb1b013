// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * miniFE: a steady heat problem on a unit cube, assembled from 8-node bricks and solved by conjugate gradients. Specification:
 * the project's specs/minife.md.
 */
package org.kintsugi.examples.minife;
