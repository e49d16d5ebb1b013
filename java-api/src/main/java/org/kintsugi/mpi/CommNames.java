// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.launcher.CallTrace;

/** The names of classes in reports of stalls. Called by any thread. */
final class CommNames implements CallTrace.Names {
  @Override
  public Class<?> shown(Class<?> declaring) {
    return declaring != Object.class && declaring.isAssignableFrom(Comm.class) ? Comm.class : declaring;
  }
}
