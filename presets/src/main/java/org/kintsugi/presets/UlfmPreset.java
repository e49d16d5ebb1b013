// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/** Maps the ULFM extension of {@code mpi-ext.h} (revoke, shrink, agree, ...) as {@code org.kintsugi.bindings.ULFM}. */
@Properties(
    inherit = MpiPreset.class,
    value = @Platform(
        value = "linux",
        // mpi-ext.h first: it declares the same functions as extern "C", which the inner header does not say.
        include = {"mpi-ext.h", "openmpi/mpiext/mpiext_ftmpi_c.h"},
        extension = "-ulfm"),
    target = "org.kintsugi.bindings",
    global = "org.kintsugi.bindings.ULFM")
public class UlfmPreset implements InfoMapper {
  /** For JavaCPP. */
  public UlfmPreset() {}

  @Override
  public void map(InfoMap infoMap) {
    // Second names of what org.kintsugi.bindings.MPI has as MPI_ERR_PROC_FAILED, ...; types are mapped by MpiPreset.
    infoMap.put(new Info("MPIX_ERR_PROC_FAILED", "MPIX_ERR_PROC_FAILED_PENDING", "MPIX_ERR_REVOKED", "MPIX_FT").skip());
    infoMap.put(new Info("bool").cast().valueTypes("boolean"));
  }
}
