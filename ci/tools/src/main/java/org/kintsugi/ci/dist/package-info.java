// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** Checks the published artifacts as others get them. */
package org.kintsugi.ci.dist;
