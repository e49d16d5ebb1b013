// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** Changes the program's classes when they are loaded. Only here is ASM used; a class loader of the agent's own has both. */
package org.kintsugi.advice.internal.rewrite;
