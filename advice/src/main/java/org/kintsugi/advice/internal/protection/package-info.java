// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** The items that the program protects, and the locations that each of them saves. */
package org.kintsugi.advice.internal.protection;
