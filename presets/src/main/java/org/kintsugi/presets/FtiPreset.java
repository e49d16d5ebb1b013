// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/**
 * Maps the C API of FTI, the fault-tolerance interface, as {@code org.kintsugi.bindings.FTI}: every public function of
 * {@code fti.h}, and the project's C around it ({@code fti_guard.h}).
 *
 * <p>Hand-declared ({@code fti_api.h}), so that the Java class exists where FTI does not. Where it does not, the class's
 * initialisation fails, with what is missing and where it was looked for.
 */
@Properties(
    inherit = MpiPreset.class,
    value = @Platform(
        value = "linux",
        include = {"fti_api.h", "fti_guard.h"},
        link = "kintsugi",
        extension = {"-ulfm", "-reinit"}),
    target = "org.kintsugi.bindings",
    global = "org.kintsugi.bindings.FTI")
public class FtiPreset implements InfoMapper {
  /** For JavaCPP. */
  public FtiPreset() {}

  @Override
  public void map(InfoMap infoMap) {
    // Of no use in Java: what the macros of fti_calls.h need.
    infoMap.put(new Info("kintsugi_fti_symbol", "kintsugi_fti_run", "kintsugi_fti_size").skip());
  }
}
