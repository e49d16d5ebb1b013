// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.test;

import org.kintsugi.ci.architecture.wrong.mpi.internal.Hidden;

/** Uses a class that is not for users. */
public final class Support {
  public int answer(Hidden hidden) {
    return hidden.answer();
  }
}
