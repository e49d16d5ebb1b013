// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.mpirun;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.launch.internal.commandline.MpirunLine;

/**
 * Binding of ranks to cores.
 *
 * <p>mpirun binds each rank to its own core if there are enough slots. It ends the job with code
 * 213 if there are more slots than cores.
 */
final class Binding {
  /** No rank is bound. */
  static final List<String> NONE = List.of("--bind-to", "none");

  /** The default of mpirun, except that several ranks may get the same core. */
  static final List<String> SHARED_CORES = List.of("--bind-to", "core:overload-allowed");

  private static final String[] OPTIONS = {"--bind-to", "-bind-to", "--bind-to-core", "-bind-to-core", "--bind-to-socket",
      "-bind-to-socket", "--cpu-set", "-cpu-set", "--cpu-list", "-cpu-list", "--cpus-per-proc", "-cpus-per-proc",
      "--cpus-per-rank", "-cpus-per-rank", "--rankfile", "-rankfile", "--rf", "-rf"};
  private static final List<String> PARAMETERS =
      List.of("hwloc_default_binding_policy", "hwloc_base_binding_policy", "hwloc_default_cpu_list", "hwloc_base_cpu_list");
  private static final Set<String> MAP_BY = Set.of("--map-by", "-map-by");
  private static final Pattern WITH_CORES = Pattern.compile(".*(:PE=|:PE-LIST=|PE-LIST|:HWTCPUS|^RANKFILE|^SEQ).*");

  private Binding() {}

  /** Whether the user has said how ranks are bound. */
  static boolean isChosen(MpirunLine line) {
    return line.has(OPTIONS) || PARAMETERS.stream().anyMatch(line::isSet)
        || Stream.concat(line.values("mapping", MAP_BY).stream(), line.value("rmaps_default_mapping_policy").stream())
            .anyMatch(mapping -> WITH_CORES.matcher(mapping.toUpperCase(Locale.ROOT)).matches());
  }
}
