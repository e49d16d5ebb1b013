// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** Checks of how the project is written. */
package org.kintsugi.ci.style;
