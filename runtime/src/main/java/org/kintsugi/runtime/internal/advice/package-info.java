// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** What the agent of {@code jmpirun --advise} writes down in each process, and the launcher reads. */
package org.kintsugi.runtime.internal.advice;
