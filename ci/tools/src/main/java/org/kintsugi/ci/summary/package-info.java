// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** What {@code make test} prints at its end, from the reports of the tests. */
package org.kintsugi.ci.summary;
