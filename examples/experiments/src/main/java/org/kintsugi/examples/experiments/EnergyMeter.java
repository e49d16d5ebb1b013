// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The energy that the processors of this host take, read from the kernel's RAPL counters. Virtual machines have none, and on many
 * systems only root may read them.
 */
final class EnergyMeter {
  private final Map<Path, Long> beginMicrojoules = new LinkedHashMap<>();

  /** Begins to count. */
  EnergyMeter() {
    this(Path.of("/sys/class/powercap"));
  }

  /** @param folder of the counters, a folder for each processor, and for each of its parts */
  EnergyMeter(Path folder) {
    try (DirectoryStream<Path> domains = Files.newDirectoryStream(folder, "intel-rapl:?")) { // AMD's are called so, too
      for (Path domain : domains) {
        beginMicrojoules.put(domain, read(domain, "energy_uj"));
      }
    } catch (IOException unreadable) {
      beginMicrojoules.clear(); // a part of the processors would be less than the truth
    }
  }

  /** Since the beginning, of all of this host, in joules; null: the counters cannot be read. */
  Double joules() {
    long sum = 0;
    try {
      for (Map.Entry<Path, Long> domain : beginMicrojoules.entrySet()) {
        long difference = read(domain.getKey(), "energy_uj") - domain.getValue();
        // A counter begins again at 0 after its largest value.
        sum += difference < 0 ? difference + read(domain.getKey(), "max_energy_range_uj") : difference;
      }
    } catch (IOException unreadable) {
      return null;
    }
    return beginMicrojoules.isEmpty() ? null : sum / 1e6;
  }

  private static long read(Path domain, String counter) throws IOException {
    return Long.parseLong(Files.readString(domain.resolve(counter)).strip());
  }
}
