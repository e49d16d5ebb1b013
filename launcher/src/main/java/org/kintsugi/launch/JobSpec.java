// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What is to be started: how many ranks, which program, which faults. Every setter returns this object. */
public final class JobSpec {
  private static final Pattern KILL = Pattern.compile("(process|node):(\\d{1,9})@\\d{1,18}|random:-?\\d{1,18}(@\\d{1,9})?");

  private int ranks;
  private int spares;
  private int spareNodes;
  private int restarts;
  private int maxRespawns = 100;
  private final List<String> kills = new ArrayList<>();
  private final List<String> mpirunOptions = new ArrayList<>();
  private final List<String> javaArguments = new ArrayList<>();
  private Path java = Path.of(System.getProperty("java.home"), "bin", "java");

  /** Ranks of the program's world, spares not counted. */
  public JobSpec ranks(int ranks) {
    if (ranks <= 0) {
      throw new LaunchException("-n " + ranks + ": a job needs at least one rank");
    }
    this.ranks = ranks;
    return this;
  }

  /** Processes that wait to take the place of dead ones. */
  public JobSpec spares(int spares) {
    if (spares < 0) {
      throw new LaunchException("--spares " + spares + ": expected zero or more");
    }
    this.spares = spares;
    return this;
  }

  /** Hosts of the given ones that stay empty until a node is lost. */
  public JobSpec spareNodes(int nodes) {
    if (nodes < 0) {
      throw new LaunchException("--spare-nodes " + nodes + ": expected zero or more");
    }
    spareNodes = nodes;
    return this;
  }

  /** After more processes that were started anew (Reinit++ fork) the job is ended: the runtime itself knows no limit. */
  public JobSpec maxRespawns(int respawns) {
    if (respawns < 0) {
      throw new LaunchException("--max-respawns " + respawns + ": expected zero or more");
    }
    maxRespawns = respawns;
    return this;
  }

  /** A fault to inject; see org.kintsugi.fault.FaultPlan. */
  public JobSpec kill(String specification) {
    var matcher = KILL.matcher(specification);
    if (!matcher.matches()) {
      throw new LaunchException("--kill " + specification
          + ": expected process:RANK@ITERATION, node:RANK@ITERATION, random:SEED or random:SEED@ITERATIONS");
    }
    if (matcher.group(2) != null && ranks > 0 && Integer.parseInt(matcher.group(2)) >= ranks) {
      throw new LaunchException("--kill " + specification + ": rank " + matcher.group(2) + " is not in 0 to " + (ranks - 1));
    }
    kills.add(specification);
    return this;
  }

  /** How often the job has been started before. */
  public JobSpec restarts(int restarts) {
    this.restarts = restarts;
    return this;
  }

  /** Options handed to mpirun as they are. */
  public JobSpec mpirunOptions(List<String> options) {
    mpirunOptions.addAll(options);
    return this;
  }

  /** What follows {@code java}: JVM options, the class path, the main class, its arguments. */
  public JobSpec javaArguments(List<String> arguments) {
    javaArguments.addAll(arguments);
    return this;
  }

  /** The java to start; by default the one that runs the launcher. */
  public JobSpec java(Path java) {
    this.java = java;
    return this;
  }

  int ranks() {
    return ranks;
  }

  int spares() {
    return spares;
  }

  int spareNodes() {
    return spareNodes;
  }

  /** The faults that take a node. */
  List<String> nodeKills() {
    return kills.stream().filter(kill -> kill.startsWith("node:")).collect(Collectors.toList());
  }

  int restarts() {
    return restarts;
  }

  int maxRespawns() {
    return maxRespawns;
  }

  List<String> kills() {
    return kills;
  }

  List<String> mpirunOptions() {
    return mpirunOptions;
  }

  List<String> javaArguments() {
    return javaArguments;
  }

  Path java() {
    return java;
  }
}
