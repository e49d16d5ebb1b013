// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * Small programs with data that are easily forgotten. They test tools that find out which data a program must save.
 *
 * <p>The last argument of each is {@code complete}, or {@code incomplete}: then the data that its comment names are not
 * protected.
 */
package org.kintsugi.ci.checkpoint.traps;
