// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.batch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The hosts that a batch system has given to this job, read from its environment variables.
 *
 * @param system which one
 * @param slots for each host how many processes it is meant for, in the order of the batch system
 */
public record Allocation(BatchSystem system, Map<String, Integer> slots) {
  /** Slurm's tasks of a node, and of how many like it: {@code 4(x3),2}. */
  private static final Pattern TASKS = Pattern.compile("(\\d{1,9})(?:\\(x(\\d{1,6})\\))?");
  /** The variables with a file that has a line for each slot. */
  private static final Map<BatchSystem, String> FILES = Map.of(BatchSystem.PBS, "PBS_NODEFILE", BatchSystem.LSF,
      "LSB_DJOB_HOSTFILE");
  private static final String GRID_ENGINE_FILE = "PE_HOSTFILE";

  /**
   * Reads the variables of the batch system.
   *
   * @return null outside of a batch job, and where its hosts cannot be read
   */
  public static Allocation of(Map<String, String> environment) {
    BatchSystem system = BatchSystem.of(environment);
    if (system == null) {
      return null;
    }
    Map<String, Integer> slots = switch (system) {
      case SLURM -> slurm(environment);
      case GRID_ENGINE -> gridEngine(lines(environment.get(GRID_ENGINE_FILE)));
      default -> lineForEachSlot(lines(environment.get(FILES.get(system))));
    };
    return slots.isEmpty() ? null : new Allocation(system, slots);
  }

  /**
   * The file that mpirun must be given: the Open MPI that Kintsugi builds knows nothing of this batch system, or cannot start
   * daemons by it. Hosts are reached by ssh then.
   *
   * @return null if there is none
   */
  public static String hostFile(Map<String, String> environment) {
    BatchSystem system = BatchSystem.of(environment);
    return system == null || !FILES.containsKey(system) ? null : environment.get(FILES.get(system));
  }

  /** Whether each task has several processors, for the threads of a rank: mpirun would bind it to one. */
  public static boolean haveTasksSeveralCores(Map<String, String> environment) {
    return environment.getOrDefault("SLURM_CPUS_PER_TASK", "1").matches("[2-9]|\\d{2,}");
  }

  /** The number of all slots. */
  public int tasks() {
    return slots.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The same without some of its hosts. */
  public Allocation without(Set<String> lost) {
    Map<String, Integer> left = new LinkedHashMap<>(slots);
    left.keySet().removeAll(lost);
    return new Allocation(system, left);
  }

  /** The hosts for mpirun's option {@code --host}. */
  public String asHostOption() {
    return slots.entrySet().stream().map(host -> host.getKey() + ":" + host.getValue()).collect(Collectors.joining(","));
  }

  private static Map<String, Integer> slurm(Map<String, String> environment) {
    String nodes = environment.getOrDefault("SLURM_JOB_NODELIST", environment.getOrDefault("SLURM_NODELIST", ""));
    List<String> hosts = NodeList.expand(nodes);
    List<Integer> tasks = new ArrayList<>();
    for (String group : environment.getOrDefault("SLURM_TASKS_PER_NODE", "").split(",")) {
      Matcher parts = TASKS.matcher(group);
      if (!parts.matches()) {
        return Map.of();
      }
      int times = parts.group(2) == null ? 1 : Integer.parseInt(parts.group(2));
      for (int i = 0; i < times && tasks.size() < hosts.size(); i++) {
        tasks.add(Integer.parseInt(parts.group(1)));
      }
    }
    Map<String, Integer> slots = new LinkedHashMap<>();
    for (int i = 0; i < hosts.size() && tasks.size() == hosts.size(); i++) {
      slots.put(hosts.get(i), tasks.get(i));
    }
    return slots;
  }

  private static Map<String, Integer> lineForEachSlot(List<String> lines) {
    Map<String, Integer> slots = new LinkedHashMap<>();
    lines.forEach(host -> slots.merge(host, 1, Integer::sum));
    return slots;
  }

  /** {@code host slots queue processors}. */
  private static Map<String, Integer> gridEngine(List<String> lines) {
    Map<String, Integer> slots = new LinkedHashMap<>();
    for (String line : lines) {
      String[] words = line.split("\\s+");
      if (words.length < 2 || !words[1].matches("\\d{1,9}")) {
        return Map.of();
      }
      slots.merge(words[0], Integer.parseInt(words[1]), Integer::sum);
    }
    return slots;
  }

  private static List<String> lines(String file) {
    try {
      return file == null ? List.of()
          : Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1).stream().map(String::strip)
              .filter(line -> !line.isEmpty()).toList();
    } catch (IOException unreadable) {
      return List.of(); // mpirun says so
    }
  }
}
