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

/** What all series of jobs with deaths inside saves have in common on their command lines. */
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

  /** Where the processes are to be; an error if that cannot be here. */
  Nodes nodes() throws IOException {
    String refusal = nodes == Nodes.OWN ? NamespaceNodes.refusal() : null;
    if (refusal != null) {
      throw new ParameterException(command.commandLine(), "NODES=own: " + refusal);
    }
    return nodes;
  }
}
