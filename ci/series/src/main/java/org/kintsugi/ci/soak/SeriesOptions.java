// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.io.IOException;
import java.util.List;
import org.kintsugi.ci.cluster.NamespaceNodes;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The command line options that all series of jobs with deaths inside saves share. */
final class SeriesOptions {
  @Option(names = "--nodes", paramLabel = "NODES", defaultValue = "ONE",
      description = "where the processes are: $${COMPLETION-CANDIDATES} (ONE)")
  private Nodes nodes;

  @Parameters(arity = "1..*", paramLabel = "ENGINE", description = "engines, each with its JVM options, as one word")
  private List<String> engines;

  @Spec(Target.MIXEE)
  private CommandSpec command;

  List<String> engines() {
    return engines;
  }

  /** The name of the metric of a series: whose all its engines are, and whether each process has a node. */
  String metric(String series) {
    List<String> owners = engines.stream()
        .map(engine -> engine.startsWith("fti") ? "fti" : engine.startsWith("scr") ? "scr" : "kintsugi").distinct().toList();
    return series + "/" + String.join(" and ", owners) + (nodes == Nodes.OWN ? ", own nodes" : "");
  }

  /** The placement of the processes; an error if it is not possible here. */
  Nodes nodes() throws IOException {
    String refusal = nodes == Nodes.OWN ? NamespaceNodes.refusal() : null;
    if (refusal != null) {
      throw new ParameterException(command.commandLine(), "NODES=own: " + refusal);
    }
    return nodes;
  }
}
