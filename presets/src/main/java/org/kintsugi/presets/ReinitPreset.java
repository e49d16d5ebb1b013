// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/**
 * Maps the Reinit++ fork's extension of MPI and the project's C around it ({@code rollback.h}) as
 * {@code org.kintsugi.bindings.ReinitPlusPlus}; the raw {@code OMPI_Reinit} is for those who bring a restart point in C.
 *
 * <p>Hand-declared ({@code reinit_ext.h}), so that the Java class exists where the fork does not.
 */
@Properties(
    inherit = MpiPreset.class,
    value = @Platform(value = "linux", include = {"reinit_ext.h", "rollback.h"}, extension = "-reinit"),
    target = "org.kintsugi.bindings",
    global = "org.kintsugi.bindings.ReinitPlusPlus")
public class ReinitPreset implements InfoMapper {
  /** For JavaCPP. */
  public ReinitPreset() {}

  @Override
  public void map(InfoMap infoMap) {
    infoMap.put(new Info("kintsugi_guard", "kintsugi_guard_landed", "kintsugi_callback_begin", "kintsugi_callback_end").skip());
    infoMap.put(new Info("OMPI_Reinit").javaText(
        "public static native int OMPI_Reinit(int argc, @Cast(\"char**\") long argv, "
            + "@Cast(\"MPI_Restart_point\") long point);"));
    infoMap.put(new Info("MPI_Restart_point").skip());
  }
}
