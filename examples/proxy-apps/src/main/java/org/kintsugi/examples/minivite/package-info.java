// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * miniVite: one phase of the Louvain method, which finds communities, on a random geometric graph. {@link
 * org.kintsugi.examples.minivite.MiniVite} is the program; an iteration is {@code Louvain.iterate}.
 */
package org.kintsugi.examples.minivite;
