// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.checkpoint.internal;

import org.kintsugi.ci.architecture.wrong.checkpoint.Outer;

/** Knows the package that it is a part of. */
public final class Inner {
  public int answer(Outer outer) {
    return outer.answer();
  }
}
