// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import org.kintsugi.runtime.internal.protocol.FromLauncher;

/** What {@link PoolState} has decided. */
sealed interface Command {
  /** A line for a process. */
  record Say(PooledProcess to, FromLauncher line) implements Command {}

  /** A message for the user. */
  record Print(String message) implements Command {}
}
