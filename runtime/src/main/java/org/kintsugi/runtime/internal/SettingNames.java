// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The names of all settings ({@link org.kintsugi.runtime.Setting}) and the values that they may have, for the launcher, which
 * does not know the classes of the layers above: a setting that is misspelt would change nothing, without a word, and a wrong
 * value would end every rank by an exception. Tests hold the list against those classes.
 */
public final class SettingNames {
  private static final String PREFIX = "kintsugi.";

  /** The only one whose values depend on the program, which may have engines of its own. */
  public static final String STORE = "kintsugi.checkpoint.store";

  private static final Map<String, SettingKind> ALL = new TreeMap<>();

  static {
    put(SettingKind.FREE, PropertyNames.MPI_HOME, PropertyNames.JOB_DIR, PropertyNames.JOB_NAME,
        PropertyNames.LAUNCHER_ADDRESS, PropertyNames.PROOF_DIR, PropertyNames.PROOF_UNTIL, PropertyNames.HOME,
        PropertyNames.LOCALE, "kintsugi.persist.domain",
        "kintsugi.persist.url");
    put(SettingKind.FOLDER, PropertyNames.LIBRARY_PATH, "kintsugi.checkpoint.dir", "kintsugi.checkpoint.local.dir",
        "kintsugi.persist.dir");
    put(SettingKind.TRUE_OR_FALSE, PropertyNames.REFILL, PropertyNames.CHECK, PropertyNames.RECORD,
        "kintsugi.memory.holder", "kintsugi.leaks",
        "kintsugi.spawned", "kintsugi.checkpoint.initial", "kintsugi.fti.keep", PropertyNames.FAULT_TOLERANCE);
    put(SettingKind.number(0), PropertyNames.RECORD_CALLS_MICROS, PropertyNames.SPARES, PropertyNames.RANKS,
        PropertyNames.RESTARTS, "kintsugi.init.timeout.seconds",
        "kintsugi.finalize.timeout.seconds", "kintsugi.recovery.timeout.seconds", "kintsugi.staging.bytes", "kintsugi.started",
        "kintsugi.spare.poll.micros", "kintsugi.scr.flush");
    // The launcher reads it itself, by KillSpec.
    put(SettingKind.FREE, PropertyNames.KILL);
    put(SettingKind.FLAVOURS, PropertyNames.FLAVOUR);
    put(SettingKind.anyCase("SPAWN", "SPAWN_TOGETHER", "SHRINK", "RESTART"), "kintsugi.reinit.policy");
    put(SettingKind.STORES, STORE);
    put(SettingKind.MESSAGE_STORES, "kintsugi.persist.store");
    put(SettingKind.number(2), "kintsugi.checkpoint.xor.group");
    put(SettingKind.number(1), "kintsugi.checkpoint.kept.runs");
    put(SettingKind.number(1), "kintsugi.checkpoint.mtbf.seconds");
    put(SettingKind.anyCase("SINGLE", "PARTNER", "XOR", "RS"), "kintsugi.scr.type");
    put(SettingKind.FTI_LEVELS.or("auto"), "kintsugi.fti.levels");
    put(SettingKind.number(1, Integer.MAX_VALUE), "kintsugi.fti.node.size");
    put(SettingKind.number(1, 31).or("auto"), "kintsugi.fti.group.size");
    put(SettingKind.FTI_NODES, "kintsugi.fti.nodes");
    put(SettingKind.number(1, 2048), "kintsugi.fti.block.kilobytes");
    put(SettingKind.number(1, 3), "kintsugi.fti.verbosity");
  }

  /** A name that begins like this is a setting's, and nobody else's. */
  private static final Set<String> GROUPS =
      Set.of("checkpoint", "scr", "fti", "persist", "reinit", "recovery", "init", "finalize", "spare", "spares");

  /** Letters to change: more, and it is another word. */
  private static final int MISSPELT = 3;

  private SettingNames() {}

  private static void put(SettingKind kind, String... names) {
    for (String name : names) {
      ALL.put(name, kind);
    }
  }

  /**
   * All of them, and of those by which the launcher finds its way.
   *
   * @return names of system properties
   */
  public static Set<String> all() {
    return Set.copyOf(ALL.keySet());
  }

  /**
   * The setting that was meant by a name that looks like one and is none.
   *
   * @param name of a system property
   * @return the setting with the nearest name; null: it is one, or is nothing of ours
   */
  public static String meantBy(String name) {
    if (!name.startsWith(PREFIX) || ALL.containsKey(name)) {
      return null;
    }
    String nearest = ALL.keySet().stream().min(Comparator.comparingInt(known -> distance(name, known))).orElseThrow();
    String group = name.substring(PREFIX.length()).replaceFirst("\\..*", "");
    return distance(name, nearest) <= MISSPELT || GROUPS.contains(group) ? nearest : null;
  }

  /**
   * The objection to a value that cannot be right, whatever the program is; with {@link #STORE}, if it has no engines of its own.
   *
   * @param name of a system property
   * @param value its text
   * @return naming both, and what is expected; null: there is none
   */
  public static String objection(String name, String value) {
    SettingKind kind = ALL.get(name);
    return kind == null || kind.accepts().test(value.trim()) ? null
        : "-D" + name + "=" + value + ": expected " + kind.expected();
  }

  /**
   * Whether the value of a setting names a folder of the user's, and is never empty.
   *
   * @param name of a system property
   * @return true or false
   */
  public static boolean isFolder(String name) {
    return ALL.get(name) == SettingKind.FOLDER;
  }

  /**
   * How far two words are from each other.
   *
   * @param a one of them
   * @param b the other one
   * @return how many letters have to be changed, put in or left out (Levenshtein)
   */
  public static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
