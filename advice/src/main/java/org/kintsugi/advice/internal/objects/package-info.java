// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** Objects of the JDK, whose code is not instrumented: whether an iteration changes what is in them. */
package org.kintsugi.advice.internal.objects;
