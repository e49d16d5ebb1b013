// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/**
 * Maps the C API of SCR, Scalable Checkpoint/Restart, as {@code org.kintsugi.bindings.SCR}: every public function of
 * {@code scr.h}, and the project's C around it.
 *
 * <p>Hand-declared ({@code scr_api.h}), and SCR's library is opened by {@code kintsugi_scr_open} and not linked against, so the
 * class is there and loads where SCR is not, and a process can have it anew after a failure. A program that calls the functions
 * itself opens it first: {@code org.kintsugi.checkpoint.scr.ScrLibrary} does, and says what is missing.
 */
@Properties(
    inherit = MpiPreset.class,
    value = @Platform(value = "linux", include = "scr_api.h", link = "kintsugi_scr", extension = {"-ulfm", "-reinit"}),
    target = "org.kintsugi.bindings",
    global = "org.kintsugi.bindings.SCR")
public class ScrPreset implements InfoMapper {
  /** For JavaCPP. */
  public ScrPreset() {}

  @Override
  public void map(InfoMap infoMap) {
    infoMap.put(new Info("KINTSUGI_SCR_SYMBOL").cppTypes().annotations().cppText(""));
    infoMap.put(new Info("int64_t").cast().valueTypes("long").pointerTypes("long"));
  }
}
