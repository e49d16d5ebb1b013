// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** Objects in bytes: in messages and in checkpoints. Not for programs: this package may change with every version. */
package org.kintsugi.mpi.internal.objects;
