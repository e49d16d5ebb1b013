// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkout;

import java.nio.file.Path;

/** The checkout whose tests run. */
public final class Checkout {
  /** Its folder. Maven gives tests that of their module. */
  public static final Path FOLDER = Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();

  private Checkout() {}
}
