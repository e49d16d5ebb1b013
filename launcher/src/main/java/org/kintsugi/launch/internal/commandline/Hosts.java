// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kintsugi.launch.internal.batch.Allocation;
import org.kintsugi.launch.internal.batch.BatchSystem;
import org.kintsugi.launch.internal.host.HostName;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;

/**
 * On which hosts a job may run, as far as the command line and the environment tell before it starts.
 *
 * @param isKnown false: mpirun finds out (by a batch system whose variables say too little, or by picking hosts out of a file);
 *     the rest is empty then
 * @param slots for each host how many processes it is meant for; 0: as many as it has cores
 */
public record Hosts(boolean isKnown, Map<String, Integer> slots) {
  private static final Set<String> LISTS = Set.of("--host", "-host", "-H");
  /** Empty ones are passed over by mpirun. */
  private static final Set<String> DEFAULT_FILES = Set.of("--default-hostfile", "-default-hostfile");
  private static final Set<String> FILES =
      Set.of("--hostfile", "-hostfile", "--machinefile", "-machinefile", "--default-hostfile", "-default-hostfile");
  private static final Pattern SLOTS = Pattern.compile("(?<![-_\\w])(?:slots|cpu|count)\\s*=\\s*(\\d{1,9})");
  /** The most that a host takes; it says nothing about how many are meant for it. */
  private static final Pattern LIMIT = Pattern.compile("\\b(?:max[-_]slots|(?:slots|cpu|count)[-_]max)\\s*=\\s*\\d+");
  /** Lines of a host file that only mpirun can interpret: relative names, exclusions, rank files, long comments. */
  private static final Pattern NOT_FOR_US = Pattern.compile("^[+^]|^rank\\s+\\d+\\s*=|/\\*");
  private static final Hosts UNKNOWN = new Hosts(false, Map.of());

  /** The option that names hosts by a file and begins with this word, which is shorter; null: none. */
  public static String inFull(String word) {
    for (String option : FILES) {
      if (word.length() > "--host".length() && option.length() > word.length() && option.startsWith(word)) {
        return option;
      }
    }
    return null;
  }

  /** Whether options for mpirun name hosts. */
  public static boolean areGiven(List<String> options) {
    return options.stream().map(option -> option.split("=", 2)[0])
        .anyMatch(option -> LISTS.contains(option) || FILES.contains(option));
  }

  /**
   * The hosts of a job with these options for mpirun; without any, those that a batch system has given to it.
   *
   * @throws LaunchException if they name none
   */
  public static Hosts of(MpirunLine given, MpiHome mpi) {
    List<String> lists = given.values("host", LISTS);
    List<String> files = given.values("file", FILES);
    if (lists.isEmpty() && files.isEmpty()) {
      Allocation allocation = Allocation.of(given.environment());
      if (hasDefaultFile(given, mpi) || allocation == null && BatchSystem.of(given.environment()) != null) {
        return UNKNOWN;
      }
      return new Hosts(true, allocation == null ? Map.of("localhost", 0) : allocation.slots());
    }
    if (!lists.isEmpty() && !files.isEmpty()) {
      return UNKNOWN;
    }
    Map<String, Integer> slots = new LinkedHashMap<>();
    for (String list : lists) {
      for (String entry : list.split(",")) {
        if (!addFromList(entry.trim(), slots)) {
          return UNKNOWN;
        }
      }
    }
    for (String several : files) {
      // mpirun takes commas for separators.
      for (String file : Files.exists(Path.of(several)) ? List.of(several) : List.of(several.split(","))) {
        for (String line : lines(Path.of(file))) {
          if (!addFromFile(line, slots)) {
            return UNKNOWN;
          }
        }
      }
    }
    if (slots.isEmpty() && !given.values("file", DEFAULT_FILES).isEmpty()) {
      return UNKNOWN;
    }
    if (slots.isEmpty()) {
      throw new LaunchException(files.isEmpty()
          ? "--host " + String.join(",", lists) + " names no host: expected some, as in --host node1:4,node2:4"
          : "the host file " + String.join(",", files) + " names no host: expected a line for each, as in node1 slots=4");
    }
    return new Hosts(true, slots);
  }

  /** {@code name}, {@code name:slots}, {@code name:*}; a name said again adds a slot. False: something for mpirun only. */
  private static boolean addFromList(String entry, Map<String, Integer> slots) {
    String[] parts = entry.split(":", 2);
    if (entry.isEmpty() || entry.startsWith("+")) {
      return false;
    }
    if (parts.length == 1) {
      slots.merge(parts[0], 1, Integer::sum);
      return true;
    }
    if (parts[1].equals("*") || parts[1].equals("auto")) {
      slots.put(parts[0], 0);
      return true;
    }
    if (!parts[1].matches("\\d{1,9}")) {
      return false;
    }
    slots.merge(parts[0], Integer.parseInt(parts[1]), Integer::sum);
    return true;
  }

  /** Whether mpirun takes hosts from a file that no option names. */
  private static boolean hasDefaultFile(MpirunLine given, MpiHome mpi) {
    boolean isUlfm = mpi.flavour() == Flavour.ULFM;
    Optional<String> named = given.value(isUlfm ? "prte_default_hostfile" : "orte_default_hostfile");
    Path installed = mpi.prefix().resolve("etc").resolve(isUlfm ? "prte-default-hostfile" : "openmpi-default-hostfile");
    return named.isPresent()
        ? !named.get().equals("none")
        : Files.isReadable(installed) && lines(installed).stream().anyMatch(line -> !withoutComment(line).isEmpty());
  }

  private static String withoutComment(String line) {
    return line.replaceFirst("(#|//).*", "").trim();
  }

  private static List<String> lines(Path file) {
    try {
      // Comments may be in any encoding; this one has a character for every byte.
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new LaunchException("the host file " + file + " cannot be read: " + e, e);
    }
  }

  /** {@code name slots=4}; a name said again without slots adds one. False: something for mpirun only. */
  private static boolean addFromFile(String line, Map<String, Integer> slots) {
    String text = LIMIT.matcher(withoutComment(line)).replaceAll(" ");
    if (text.isEmpty()) {
      return true;
    }
    if (NOT_FOR_US.matcher(text).find()) {
      return false;
    }
    String name = text.split("\\s+", 2)[0];
    name = name.substring(name.indexOf('@') + 1);
    Matcher given = SLOTS.matcher(text);
    if (given.find()) {
      slots.put(name, Integer.parseInt(given.group(1)));
    } else {
      // Once without slots: its cores. Again: one slot each time.
      slots.merge(name, 0, (before, none) -> Math.max(before, 1) + 1);
    }
    return true;
  }

  /** Whether a process may be placed on another host than this one. */
  public boolean areOthersToo() {
    return !isKnown || slots.keySet().stream().anyMatch(name -> !isThis(name));
  }

  /** The hosts that are known by name, without this one. */
  public List<String> others() {
    return slots.keySet().stream().filter(name -> !isThis(name)).toList();
  }

  private static boolean isThis(String name) {
    if (name.equals("localhost") || name.equals("127.0.0.1")) {
      return true;
    }
    try {
      String own = HostName.ofThis();
      return name.equals(own) || name.equals(HostName.shortOf(own));
    } catch (IOException e) {
      return false;
    }
  }

  public int count() {
    return slots.size();
  }

  /** Whether the host on which mpirun runs is one of them. */
  public boolean includeThis() {
    return slots.keySet().stream().anyMatch(Hosts::isThis);
  }

  /**
   * The first {@code count} hosts, in the order in which the fork's mpirun fills them.
   *
   * <p>This host comes first, the others as the user gave them.
   */
  public Hosts first(int count) {
    Map<String, Integer> chosen = new LinkedHashMap<>();
    slots.entrySet().stream().sorted(Comparator.comparing(host -> !isThis(host.getKey()))).limit(count)
        .forEach(host -> chosen.put(host.getKey(), host.getValue()));
    return new Hosts(isKnown, chosen);
  }

  /** The sum of all slots. A host without a number of slots counts with this one's cores. */
  public int slots(int cores) {
    return slots.values().stream().mapToInt(one -> one == 0 ? cores : one).sum();
  }

  /** The largest number of processes on one host: slots are filled host by host, and further processes are spread evenly. */
  public int mostOnOne(int processes, int cores) {
    int most = slots.values().stream().mapToInt(one -> one == 0 ? cores : one).max().orElse(0);
    int more = Math.max(processes - slots(cores), 0);
    return Math.min(processes, most + (more + count() - 1) / count());
  }
}
