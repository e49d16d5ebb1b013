// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** How a recovery grows with the number of processes: measured, fitted, and simulated up to a million. */
package org.kintsugi.ci.growth;
