// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/** Maps the project's own C functions ({@code kintsugi.h}) to {@code org.kintsugi.bindings.Kintsugi}. */
@Properties(
    value = @Platform(value = "linux", include = "kintsugi.h", link = "kintsugi", extension = {"-ulfm", "-reinit"}),
    target = "org.kintsugi.bindings",
    global = "org.kintsugi.bindings.Kintsugi")
public class KintsugiPreset implements InfoMapper {
  /** For JavaCPP. */
  public KintsugiPreset() {}

  @Override
  public void map(InfoMap infoMap) {
    infoMap.put(new Info("char").cast().valueTypes("byte").pointerTypes("long"));
  }
}
