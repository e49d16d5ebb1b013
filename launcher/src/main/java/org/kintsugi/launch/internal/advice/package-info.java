// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** {@code jmpirun --advise}: which data of a program must be protected, found by an agent in its processes. */
package org.kintsugi.launch.internal.advice;
