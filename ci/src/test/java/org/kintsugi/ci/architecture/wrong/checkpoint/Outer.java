// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.checkpoint;

import org.kintsugi.ci.architecture.wrong.checkpoint.internal.Inner;

/** Makes up a circle with its internal part. */
public final class Outer {
  public int answer() {
    return new Inner().answer(this);
  }
}
