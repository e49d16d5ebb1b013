// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * miniVite: one phase of the Louvain method, which finds communities, on a random geometric graph. Specification: the project's
 * specs/minivite.md.
 */
package org.kintsugi.examples.minivite;
