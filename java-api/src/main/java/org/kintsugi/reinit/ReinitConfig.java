// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import org.kintsugi.runtime.Setting;

/** The system properties of Reinit runs. */
public enum ReinitConfig implements Setting {
  /**
   * How long a waiting spare sleeps between two looks, in microseconds. The launcher's notice of a failure wakes it at once; it
   * looks for the end of the job, and for failures where such notices are not available.
   */
  SPARE_POLL_MICROS("kintsugi.spare.poll.micros", "1000"),
  /** The reaction to more failures than there are spares, if no new process comes: the name of a {@link Policy}. */
  POLICY("kintsugi.reinit.policy", "RESTART");

  private final String property;
  private final String defaultValue;

  ReinitConfig(String property, String defaultValue) {
    this.property = property;
    this.defaultValue = defaultValue;
  }

  @Override
  public String property() {
    return property;
  }

  @Override
  public String defaultValue() {
    return defaultValue;
  }
}
