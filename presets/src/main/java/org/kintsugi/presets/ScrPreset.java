// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/**
 * Maps the C API of SCR (Scalable Checkpoint/Restart) to {@code org.kintsugi.bindings.SCR}: every public function of
 * {@code scr.h}, and the project's own C functions around them.
 *
 * <p>The functions are declared by hand ({@code scr_api.h}). The bindings are not linked against SCR's library:
 * {@code kintsugi_scr_open} opens it. So the Java class can be generated and loaded on a machine without SCR, and after a failure
 * a process can load the library again. A program that calls these functions itself must open the library first:
 * {@code org.kintsugi.checkpoint.scr.ScrLibrary} does so, and its exception names what is missing.
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
