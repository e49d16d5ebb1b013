// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/**
 * Maps the MPI extension of the Reinit++ fork, and the project's own C functions around it ({@code rollback.h}), to
 * {@code org.kintsugi.bindings.ReinitPlusPlus}. {@code OMPI_Reinit} itself takes the address of a C function as its restart
 * point: it is for programs that have one.
 *
 * <p>The extension is declared by hand ({@code reinit_ext.h}), so that the Java class can be generated on a machine without the
 * fork.
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
