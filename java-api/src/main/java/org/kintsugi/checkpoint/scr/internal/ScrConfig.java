// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.scr.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.internal.RunOrdinal;
import org.kintsugi.checkpoint.internal.files.RunFolders;
import org.kintsugi.mpi.internal.collective.Partners;

/**
 * SCR's settings, made from Kintsugi's and from SCR's own variables in the environment, which win; settings with which SCR would
 * lose data, or end the job, are refused.
 */
final class ScrConfig {
  static final String SINGLE = "SINGLE";

  private static final String JOB_ID = "SCR_JOB_ID";
  private static final String USER_NAME = "SCR_USER_NAME";
  /** Between the job's name and a later run's ordinal; the rest is as {@link RunFolders} names folders. */
  private static final String RUN = ".run-";

  private static final List<String> TYPES = List.of(SINGLE, "PARTNER", "XOR", "RS");

  /** Settings with fixed values, and the reasons: a value in the environment must not differ. */
  private static final String[][] FIXED = {
      {"SCR_ENABLE", "1", "or SCR does nothing"},
      {"SCR_CACHE_BYPASS", "0", "or files go past the cache and its redundancy"},
      {"SCR_DISTRIBUTE", "1", "or a restart does not look into the cache"},
      {"SCR_FETCH", "1", "or a restart does not look into the folder that all nodes share"},
      {"SCR_GLOBAL_RESTART", "0", "or a restart throws the cache away"},
      {"SCR_PURGE", "0", "or a restart throws the cache away"},
      {"SCR_PREFIX_PURGE", "0", "or a restart throws away what was flushed"},
      {"SCR_COPY_METADATA", "1", "or what is flushed has not its own mode, which is its owner's only"},
      {"SCR_FLUSH_ASYNC", "0", "or SCR has threads of its own, and cannot be unloaded when a process has died"},
      {"SCR_HALT_EXIT", "0", "or SCR ends the process; ask SCR_Should_exit, or let the program do it"},
  };

  /** The longest path that SCR takes, and the length of the suffixes that it and we add to a folder. */
  private static final int MAX_PATH = 1024;
  private static final int ADDED = 200;

  private final UnaryOperator<String> environment;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final String prefixOption;
  private final int setSize;
  private final int setFailures;
  private final Path allRuns; // the prefix of the program's first run

  /** @param below folder in the shared one that is SCR's prefix; empty: the shared one itself */
  private ScrConfig(UnaryOperator<String> environment, String shared, String sharedOption, String below) {
    this.environment = environment;
    prefixOption = sharedOption;
    String local = CheckpointConfig.LOCAL_DIR.value();
    String localOption = "-D" + CheckpointConfig.LOCAL_DIR.property();
    Path prefix = folder(shared, sharedOption, "SCR_PREFIX", below);
    Path cache = folder(local, localOption, "SCR_CACHE_BASE", "scr/cache");
    Path control = folder(local, localOption, "SCR_CNTL_BASE", "scr/control");
    if (cache.startsWith(prefix) || prefix.startsWith(cache)) {
      throw new IllegalArgumentException("SCR keeps its cache in " + cache + " and what it flushes in " + prefix
          + ": one must not be inside the other; set " + localOption + " (or SCR_CACHE_BASE) to a folder of each node's own, and "
          + sharedOption + " to one that all nodes share");
    }
    allRuns = prefix;
    settings.put("SCR_PREFIX", prefix.toString());
    settings.put("SCR_CACHE_BASE", cache.toString());
    settings.put("SCR_CNTL_BASE", control.toString());
    word(USER_NAME, "the owner of the cache", System.getProperty("user.name"));
    // The same for a restarted job, different for two jobs: without it SCR would mix them. The path alone does not do: the
    // folder may be another one than before (ofFolder), and a copied folder has the same identity, with another path.
    word(JOB_ID, "the job that the cache belongs to",
        String.format("kintsugi-%016x", Partners.fingerprint(prefix.toString())));
    readType();
    setSize = number("SCR_SET_SIZE", 8, 2);
    setFailures = number("SCR_SET_FAILURES", 2, 1);
    if (setFailures >= setSize) {
      throw new IllegalArgumentException("SCR_SET_FAILURES=" + setFailures + " and SCR_SET_SIZE=" + setSize
          + ": a set of ranks has to be larger than the number of failures that it survives");
    }
    // With 1, SCR deletes the old version when a new one begins, and a failure meanwhile leaves none.
    number("SCR_CACHE_SIZE", 2, 2);
    settings.put("SCR_FLUSH", environment.apply("SCR_FLUSH") == null
        ? String.valueOf(CheckpointConfig.SCR_FLUSH.longValue()) : String.valueOf(number("SCR_FLUSH", 0, 0)));
    for (String[] fixed : FIXED) {
      String value = environment.apply(fixed[0]);
      if (value != null && !value.trim().equals(fixed[1])) {
        throw new IllegalArgumentException(
            fixed[0] + "=" + value + " in the environment: it has to be " + fixed[1] + ", " + fixed[2]);
      }
      settings.put(fixed[0], fixed[1]);
    }
  }

  /** The same settings for what SCR takes for another job: another folder, or another run of the program. */
  private ScrConfig(ScrConfig of, Path prefix, String jobId) {
    environment = of.environment;
    prefixOption = of.prefixOption;
    setSize = of.setSize;
    setFailures = of.setFailures;
    allRuns = of.allRuns;
    settings.putAll(of.settings);
    settings.put("SCR_PREFIX", prefix.toString());
    settings.put(JOB_ID, jobId);
  }

  /**
   * The settings for the folder with an identity ({@link SharedFolderId}), from those of the first run. A name of the job that
   * the user has set stays.
   */
  ScrConfig ofFolder(String identity) {
    return environment.apply(JOB_ID) == null ? new ScrConfig(this, allRuns, settings.get(JOB_ID) + "-" + identity) : this;
  }

  /** For a later run of the program, from the settings of its first. */
  ScrConfig ofRun(long ordinal) {
    return ordinal == RunOrdinal.FIRST ? this
        : new ScrConfig(this, RunFolders.of(allRuns, ordinal), settings.get(JOB_ID) + RUN + ordinal);
  }

  /**
   * Removes on this node the versions of runs up to an ordinal; to be called with the settings of the first run. By any number
   * of processes of the node.
   */
  void removeUpTo(long last) throws IOException {
    String first = jobFolder().substring(jobFolder().lastIndexOf('/') + 1);
    for (Path base : List.of(cache(), control())) {
      Path folder = base.resolve(settings.get(USER_NAME));
      for (String name : RunFolders.names(folder)) {
        boolean isLater = name.startsWith(first + RUN);
        if (name.equals(first) && last >= RunOrdinal.FIRST || isLater && isUpTo(last, name.substring(first.length() + 1))) {
          RunFolders.removeTree(folder.resolve(name));
        }
      }
    }
  }

  private static boolean isUpTo(long last, String run) {
    long ordinal = RunFolders.ordinalOf(run);
    return ordinal != 0 && ordinal <= last;
  }

  /**
   * The settings of this job.
   *
   * @throws IllegalArgumentException if one cannot be; the message names the setting, its value and the rule
   */
  static ScrConfig ofJob() {
    return of(System::getenv);
  }

  static ScrConfig of(UnaryOperator<String> environment) {
    // SCR makes files there that anybody may read until they are complete: so the folder must be closed to other users.
    return new ScrConfig(environment, CheckpointConfig.DIR.value(), "-D" + CheckpointConfig.DIR.property(), "scr");
  }

  /** As {@link #ofJob}, with another folder that all nodes share; the option is where the user has said it. */
  static ScrConfig in(String shared, String sharedOption) {
    return new ScrConfig(System::getenv, shared, sharedOption, "");
  }

  private Path folder(String value, String option, String variable, String below) {
    String said = environment.apply(variable);
    Path folder = said == null ? Path.of(value).toAbsolutePath().normalize().resolve(below) : Path.of(said);
    String from = said == null ? option + "=" + value : variable + "=" + said + " in the environment";
    if (!folder.isAbsolute()) {
      throw new IllegalArgumentException(from + ": SCR needs an absolute path");
    }
    String text = folder.toString();
    if (text.contains("$") || text.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException(from + ": SCR takes no path with white space or $");
    }
    if (text.length() > MAX_PATH - ADDED) {
      throw new IllegalArgumentException(from + ": SCR takes paths of at most " + MAX_PATH + " bytes, of which " + ADDED
          + " are for names inside this folder");
    }
    return folder;
  }

  private void word(String variable, String meaning, String otherwise) {
    String said = environment.apply(variable);
    String value = said == null ? otherwise : said;
    if (value == null || !value.matches("[A-Za-z0-9._-]+")) {
      throw new IllegalArgumentException(
          variable + "=" + value + ": it is " + meaning + " and a part of paths, so letters, digits "
              + "and . _ - only; set it in the environment");
    }
    settings.put(variable, value);
  }

  private void readType() {
    String property = System.getProperty(CheckpointConfig.SCR_TYPE.property());
    String said = environment.apply("SCR_COPY_TYPE");
    if (property != null && said != null && !property.trim().equalsIgnoreCase(said.trim())) {
      throw new IllegalArgumentException(
          "-D" + CheckpointConfig.SCR_TYPE.property() + "=" + property + " and SCR_COPY_TYPE=" + said
              + " in the environment: say one thing");
    }
    String value = (said == null ? CheckpointConfig.SCR_TYPE.value() : said.trim()).toUpperCase(Locale.ROOT);
    if (!TYPES.contains(value)) {
      throw new IllegalArgumentException(
          (said == null ? "-D" + CheckpointConfig.SCR_TYPE.property() : "SCR_COPY_TYPE") + "=" + value
              + ": expected one of " + String.join(", ", TYPES));
    }
    settings.put("SCR_COPY_TYPE", value);
  }

  private int number(String variable, int otherwise, int least) {
    String said = environment.apply(variable);
    int value = otherwise;
    try {
      value = said == null ? otherwise : Integer.parseInt(said.trim());
    } catch (NumberFormatException e) {
      value = least - 1;
    }
    if (value < least) {
      throw new IllegalArgumentException(
          variable + "=" + said + " in the environment: expected a whole number, " + least + " or greater");
    }
    settings.put(variable, String.valueOf(value));
    return value;
  }

  /** The variables that SCR reads from the environment. */
  Map<String, String> settings() {
    return Map.copyOf(settings);
  }

  /** The same variables for an epoch without possible redundancy. */
  Map<String, String> settingsForSingle() {
    Map<String, String> single = new LinkedHashMap<>(settings);
    single.put("SCR_COPY_TYPE", SINGLE);
    return single;
  }

  Path prefix() {
    return Path.of(settings.get("SCR_PREFIX"));
  }

  /** The option by which the user has set {@link #prefix}. */
  String prefixOption() {
    return prefixOption;
  }

  Path cache() {
    return Path.of(settings.get("SCR_CACHE_BASE"));
  }

  Path control() {
    return Path.of(settings.get("SCR_CNTL_BASE"));
  }

  String jobFolder() {
    return settings.get(USER_NAME) + "/scr." + settings.get(JOB_ID);
  }

  String type() {
    return settings.get("SCR_COPY_TYPE");
  }

  private static int count(int... nodes) {
    int count = 0;
    for (int node : nodes) {
      count = Math.max(count, node + 1);
    }
    return count;
  }

  /**
   * The losses that redundancy on these nodes does not cover.
   *
   * @param nodes for each rank the number of its node, from 0
   * @return a message for the user; null if there are none
   */
  String limits(int... nodes) {
    if (type().equals(SINGLE)) {
      return "SCR with SINGLE keeps one copy: a version is lost with the node that wrote a part of it, or if a dead process is "
          + "replaced on another node";
    }
    if (count(nodes) == 1) {
      return "SCR sees one node (" + nodes.length + " ranks under one host name), and keeps one copy whatever is asked for ("
          + type() + "): a version outlives processes and the job, and is lost with the node";
    }
    return null;
  }

  /**
   * Why the ranks' nodes do not allow the requested redundancy, in which case SCR would end the job. Each rank's set has one
   * rank from each of several nodes: the first ranks of the nodes, the second ranks, and so on.
   *
   * @param nodes as in {@link #limits}
   * @return the rule, and what to do; null if they allow it
   */
  String refusal(int... nodes) {
    int count = count(nodes);
    if (type().equals(SINGLE) || count == 1) {
      return null;
    }
    int[] ranks = new int[count];
    for (int node : nodes) {
      ranks[node]++;
    }
    int needed = type().equals("RS") ? setFailures + 1 : 2;
    for (int node = 0; node < count; node++) {
      int across = 0;
      for (int other : ranks) {
        across += other >= ranks[node] ? 1 : 0;
      }
      int smallest = across / ((across + setSize - 1) / setSize);
      if (smallest < needed) {
        return "SCR with " + type() + " needs sets of " + needed + " ranks or more, each on another node"
            + (type().equals("RS") ? " (SCR_SET_FAILURES + 1)" : "") + ", and the last rank of a node with " + ranks[node]
            + " ranks has a set of " + smallest + ": start as many ranks on each of at least " + needed + " nodes, or choose -D"
            + CheckpointConfig.SCR_TYPE.property() + "=SINGLE" + (type().equals("RS") ? " or XOR" : "");
      }
    }
    return null;
  }
}
