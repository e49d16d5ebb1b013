// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.launch.internal.host;

import org.kintsugi.ci.architecture.wrong.launch.Starter;

/** Depends on the package of the commands, which is above. */
public final class Folder {
  private Folder() {}

  public static int answer() {
    return new Starter().answer(null);
  }
}
