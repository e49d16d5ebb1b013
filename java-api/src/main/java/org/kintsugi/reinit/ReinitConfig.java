// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import org.kintsugi.runtime.Setting;

/** The system properties of Reinit runs. */
public enum ReinitConfig implements Setting {
  /**
   * How long a waiting spare sleeps between two looks, in microseconds. The launcher's notice of a death wakes it at once;
   * the end of the job, and deaths where such notices cannot be had, it learns by looking.
   */
  SPARE_POLL_MICROS("kintsugi.spare.poll.micros", "1000"),
  /** What a run does where there are not enough spares and none come: the name of a {@link Policy}. */
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
