// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** The agent of {@code jmpirun --advise}, and what the code that it changes calls. */
package org.kintsugi.advice;
