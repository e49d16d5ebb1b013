// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** What is known of each location in memory: when it was written, and whether an iteration reads an earlier one's value. */
package org.kintsugi.advice.internal.shadow;
