// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import java.net.URISyntaxException;
import java.nio.file.Path;
import org.kintsugi.runtime.Flavour;

/** Finds the native libraries that are preloaded in tests: in the build only, as users do not get them. */
public final class TestLibrary {
  private TestLibrary() {}

  /** The library of that name, without prefix and ending, built for a flavour. */
  public static Path of(Flavour flavour, String name) {
    return built(flavour).resolve("test/libkintsugi_" + name + ".so");
  }

  /** The program that is started in each rank's place, built for a flavour. */
  public static Path rankStarter(Flavour flavour) {
    return built(flavour).resolve("lib/kintsugi-rank");
  }

  private static Path built(Flavour flavour) {
    try {
      // From ci/target/classes: native/target.
      Path classes = Path.of(TestLibrary.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return classes.resolve("../../../native/target/cmake-" + flavour).normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
