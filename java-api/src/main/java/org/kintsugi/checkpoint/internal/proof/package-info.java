// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** What each process writes down for {@code jmpirun --prove}: its iterations, and the checksums of what it saves. */
package org.kintsugi.checkpoint.internal.proof;
