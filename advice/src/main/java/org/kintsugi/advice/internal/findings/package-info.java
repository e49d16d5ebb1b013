// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** What is missing, and what is superfluous: the locations with values of earlier iterations, by their definitions. */
package org.kintsugi.advice.internal.findings;
