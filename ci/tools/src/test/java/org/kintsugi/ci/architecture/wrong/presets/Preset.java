// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture.wrong.presets;

/** Stands for a preset. */
public final class Preset {
  public static final int ANSWER = Integer.parseInt("1");
}
