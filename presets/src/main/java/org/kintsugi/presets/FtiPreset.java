// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/**
 * Maps the C API of FTI (Fault Tolerance Interface) to {@code org.kintsugi.bindings.FTI}: every public function of
 * {@code fti.h}, and the project's own C functions around them ({@code fti_guard.h}).
 *
 * <p>The functions are declared by hand ({@code fti_api.h}), so that the Java class can be generated on a machine without FTI.
 * Without FTI the initialisation of that class fails; the message names what is missing and the folders that were searched.
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
    // Only the macros of fti_calls.h need these functions, no Java code does.
    infoMap.put(new Info("kintsugi_fti_symbol", "kintsugi_fti_run", "kintsugi_fti_size").skip());
  }
}
