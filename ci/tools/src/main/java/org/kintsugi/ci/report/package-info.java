// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** The summary at the end of the tests. */
package org.kintsugi.ci.report;
