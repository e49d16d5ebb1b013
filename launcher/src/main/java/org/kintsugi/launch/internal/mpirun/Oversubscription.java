// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.mpirun;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.kintsugi.launch.internal.commandline.MpirunLine;

/** Whether the user has said if there may be more processes than slots: there are several ways to do so. */
enum Oversubscription {
  ALLOWED, FORBIDDEN, NOT_SAID;

  private static final Set<String> MAP_BY = Set.of("--map-by", "-map-by");

  /** The setting on a command line, and by parameters. */
  static Oversubscription of(MpirunLine given) {
    // --map-by slot:NOOVERSUBSCRIBE, in capitals or not.
    List<String> mappings = Stream.concat(given.values("mapping", MAP_BY).stream(),
        given.value("rmaps_default_mapping_policy").stream()).map(mapping -> mapping.toUpperCase(Locale.ROOT)).toList();
    if (given.has("--nooversubscribe", "-nooversubscribe") || given.isSet("rmaps_base_no_oversubscribe")
        || mappings.stream().anyMatch(mapping -> mapping.contains("NOOVERSUBSCRIBE"))) {
      return FORBIDDEN;
    }
    return given.has("--oversubscribe", "-oversubscribe") || given.isSet("rmaps_base_oversubscribe")
        || mappings.stream().anyMatch(mapping -> mapping.contains("OVERSUBSCRIBE")) ? ALLOWED : NOT_SAID;
  }
}
