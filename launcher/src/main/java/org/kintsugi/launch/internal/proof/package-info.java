// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** {@code jmpirun --prove}: whether a program saves all that it needs, found by jobs with and without failures. */
package org.kintsugi.launch.internal.proof;
