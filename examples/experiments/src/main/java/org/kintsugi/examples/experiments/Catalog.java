// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What experiments are made of: {@code catalog.json}.
 *
 * @param designs ways to go on after a failure
 * @param engines where checkpoints go
 * @param applications what is run
 */
record Catalog(Map<String, Design> designs, Map<String, Engine> engines, Map<String, Application> applications) {
  private static final String FILE = "catalog.json";

  /**
   * A way to go on after a failure.
   *
   * @param label its name in reports
   * @param what it does, in a line
   * @param flavour of Open MPI
   * @param options of jmpirun; {@code {faults}} is the number of failures that are injected
   * @param nodeOptions the same where a node fails; {@code {ranksPerNode}} is what its name says
   * @param properties of the JVMs
   * @param endsJob whether a failure ends the job, so that checkpoints must outlive it
   */
  record Design(String label, String what, String flavour, List<String> options, List<String> nodeOptions,
      Map<String, String> properties, boolean endsJob) {
    Design {
      options = options == null ? List.of() : List.copyOf(options);
      nodeOptions = nodeOptions == null ? options : List.copyOf(nodeOptions);
      properties = properties == null ? Map.of() : Map.copyOf(properties);
    }

    /** The options of jmpirun for a run with these failures. A process that waits is there without a failure, too. */
    List<String> options(Faults faults, int ranksPerNode) {
      return (faults.isOfNode() ? nodeOptions : options).stream()
          .map(option -> option.replace("{faults}", String.valueOf(Math.max(1, faults.count())))
              .replace("{ranksPerNode}", String.valueOf(ranksPerNode)))
          .toList();
    }
  }

  /**
   * Where checkpoints go.
   *
   * @param label its name in reports
   * @param properties of the JVMs
   * @param saves false: there are no checkpoints
   * @param library that must be installed, as {@code kintsugi info} calls it; null: none
   * @param outlivesJob whether a job that is started again finds its versions
   */
  record Engine(String label, Map<String, String> properties, Boolean saves, String library, boolean outlivesJob) {
    boolean hasCheckpoints() {
      return saves == null || saves;
    }
  }

  /**
   * What is run.
   *
   * @param label its name in reports
   * @param main its main class
   * @param cubes whether the number of ranks must be a cube
   * @param inputs its problems, by name
   */
  record Application(String label, String main, boolean cubes, Map<String, Input> inputs) {
    boolean canHave(int ranks) {
      return !cubes || Math.pow(Math.round(Math.cbrt(ranks)), 3) == ranks;
    }
  }

  /**
   * A problem of an application.
   *
   * @param arguments separated by spaces; <code>{N*ranks}</code> is a number that grows with the ranks
   * @param iterations that every run makes at least; failures are injected before the last of these
   */
  record Input(String arguments, int iterations) {
    private static final Pattern PRODUCT = Pattern.compile("\\{(\\d+)\\*ranks}");

    List<String> arguments(int ranks) {
      List<String> words = new ArrayList<>();
      for (String word : arguments.split(" ")) {
        Matcher product = PRODUCT.matcher(word);
        words.add(product.matches() ? String.valueOf(Integer.parseInt(product.group(1)) * ranks) : word);
      }
      return words;
    }
  }

  static Catalog read() throws IOException {
    try (InputStream file = Catalog.class.getResourceAsStream(FILE)) {
      return Json.read(file, FILE, Catalog.class);
    }
  }

  Design design(String name) {
    return get(designs, "design", name);
  }

  Engine engine(String name) {
    return get(engines, "engine", name);
  }

  Application application(String name) {
    return get(applications, "application", name);
  }

  Input input(String application, String name) {
    return get(application(application).inputs, "input of " + application, name);
  }

  private static <T> T get(Map<String, T> all, String kind, String name) {
    T one = all.get(name);
    if (one == null) {
      throw new ExperimentException(kind + " " + name + ": there is none; there are: " + String.join(", ", all.keySet()));
    }
    return one;
  }
}
