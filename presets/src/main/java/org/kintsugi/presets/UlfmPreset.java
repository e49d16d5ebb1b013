// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/** Maps the ULFM extension in {@code mpi-ext.h} (revoke, shrink, agree, ...) to {@code org.kintsugi.bindings.ULFM}. */
@Properties(
    inherit = MpiPreset.class,
    value = @Platform(
        value = "linux",
        // mpi-ext.h must come first: it declares the functions as extern "C", and the inner header alone does not.
        include = {"mpi-ext.h", "openmpi/mpiext/mpiext_ftmpi_c.h"},
        extension = "-ulfm"),
    target = "org.kintsugi.bindings",
    global = "org.kintsugi.bindings.ULFM")
public class UlfmPreset implements InfoMapper {
  /** For JavaCPP. */
  public UlfmPreset() {}

  @Override
  public void map(InfoMap infoMap) {
    // Second names of constants that org.kintsugi.bindings.MPI has already (MPI_ERR_PROC_FAILED, ...). MpiPreset maps the types.
    infoMap.put(new Info("MPIX_ERR_PROC_FAILED", "MPIX_ERR_PROC_FAILED_PENDING", "MPIX_ERR_REVOKED", "MPIX_FT").skip());
    infoMap.put(new Info("bool").cast().valueTypes("boolean"));
  }
}
