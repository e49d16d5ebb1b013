// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** What others get: what was published is looked at. */
package org.kintsugi.ci.dist;
