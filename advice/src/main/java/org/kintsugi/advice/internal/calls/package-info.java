// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** Calls of methods whose code is not instrumented: what they read and write of the program's data. */
package org.kintsugi.advice.internal.calls;
