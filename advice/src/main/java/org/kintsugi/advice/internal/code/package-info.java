// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** The program as its bytecode has it: places, variables, allocations and calls, by number; and its loop. */
package org.kintsugi.advice.internal.code;
