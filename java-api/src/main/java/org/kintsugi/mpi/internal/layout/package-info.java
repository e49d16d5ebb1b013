// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * The layout of datatypes: which bytes an element has, and of which basic types they are. It is computed in Java, and copies of
 * elements without their gaps follow it.
 */
package org.kintsugi.mpi.internal.layout;
