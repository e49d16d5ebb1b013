// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.revoke;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.kintsugi.examples.app.OutputFile;
import org.kintsugi.examples.experiments.revoke.RevokeMeasurement.Latencies;
import org.kintsugi.mpi.Mpi;

/** Runs in the ranks: one {@link RevokeMeasurement}, whose figures rank 0 writes into a file. */
final class RevokeRanks {
  /** The property with the path of the library of C twins; empty: there is none. */
  static final String TWINS = "kintsugi.twins";

  private RevokeRanks() {}

  /** Arguments: doubles in an allreduce (0: a barrier), the initiator, repetitions, seconds, the file. */
  public static void main(String[] args) throws IOException {
    String twins = System.getProperty(TWINS, "");
    try (Mpi mpi = Mpi.init(args);
        RevokeMeasurement measurement = new RevokeMeasurement(mpi.world(), Integer.parseInt(args[0]), Integer.parseInt(args[1]),
            twins.isEmpty() ? null : Path.of(twins))) {
      Map<String, Latencies> latencies = measurement.measure(Integer.parseInt(args[2]), Double.parseDouble(args[3]));
      if (mpi.world().rank() == 0) {
        write(latencies, Path.of(args[4]));
      }
    }
  }

  private static void write(Map<String, Latencies> latencies, Path file) throws IOException {
    ObjectNode all = new ObjectMapper().createObjectNode();
    latencies.forEach((variant, of) -> {
      all.put("times", of.times());
      ObjectNode micros = all.withObject("/micros/" + variant);
      numbers(micros.putArray("mean"), of.means());
      numbers(micros.putArray("median"), of.medians());
    });
    OutputFile.write(file, all + "\n");
  }

  private static void numbers(ArrayNode array, double[] values) {
    for (double value : values) {
      array.add(value);
    }
  }
}
