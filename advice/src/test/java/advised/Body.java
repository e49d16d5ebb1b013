// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package advised;

import org.kintsugi.reinit.Run;

/** A program with a loop. */
public interface Body {
  /** Runs it. */
  void run(Run run);
}
