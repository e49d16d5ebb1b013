// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** Shared by solvers on compressed rows: products, vector kernels, ghosts of vectors and their exchange, sums over ranks. */
package org.kintsugi.examples.sparse;
