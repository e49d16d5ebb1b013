// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.mpi.internal;

/** Stands for what is not for users. */
public final class Hidden {
  public int answer() {
    return 1;
  }
}
