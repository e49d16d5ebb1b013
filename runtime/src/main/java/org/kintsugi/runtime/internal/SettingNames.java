// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names of all settings ({@link org.kintsugi.runtime.Setting}), for the launcher, which does not know the classes of the
 * layers above: a setting that is misspelt would change nothing, without a word. A test holds the list against those classes.
 */
public final class SettingNames {
  private static final String PREFIX = "kintsugi.";

  private static final Set<String> ALL = new TreeSet<>(List.of(
      PropertyNames.SPARES, PropertyNames.REFILL, PropertyNames.KILL, PropertyNames.RESTARTS, PropertyNames.FLAVOUR,
      PropertyNames.MPI_HOME, PropertyNames.JOB_DIR, PropertyNames.LAUNCHER_KEY, PropertyNames.LAUNCHER_ADDRESS,
      PropertyNames.CHECK, PropertyNames.LIBRARY_PATH, PropertyNames.HOME,
      "kintsugi.init.timeout.seconds", "kintsugi.finalize.timeout.seconds", "kintsugi.recovery.timeout.seconds",
      "kintsugi.undertaker", "kintsugi.leaks", "kintsugi.staging.bytes", "kintsugi.spawned", "kintsugi.started",
      "kintsugi.reinit.policy", "kintsugi.spare.poll.micros",
      "kintsugi.checkpoint.store", "kintsugi.checkpoint.dir", "kintsugi.checkpoint.local.dir", "kintsugi.checkpoint.xor.group",
      "kintsugi.checkpoint.mtbf.seconds", "kintsugi.checkpoint.initial", "kintsugi.scr.type", "kintsugi.scr.flush",
      "kintsugi.fti.levels", "kintsugi.fti.node.size", "kintsugi.fti.group.size", "kintsugi.fti.nodes",
      "kintsugi.fti.block.kilobytes", "kintsugi.fti.verbosity", "kintsugi.fti.keep",
      "kintsugi.persist.store", "kintsugi.persist.dir", "kintsugi.persist.domain", "kintsugi.persist.url"));

  /** A name that begins like this is a setting's, and nobody else's. */
  private static final Set<String> GROUPS =
      Set.of("checkpoint", "scr", "fti", "persist", "reinit", "recovery", "init", "finalize", "spare", "spares");

  /** Letters to change: more, and it is another word. */
  private static final int MISSPELT = 3;

  private SettingNames() {}

  /**
   * All of them, and of those by which the launcher finds its way.
   *
   * @return names of system properties
   */
  public static Set<String> all() {
    return Set.copyOf(ALL);
  }

  /**
   * The setting that was meant by a name that looks like one and is none.
   *
   * @param name of a system property
   * @return the setting with the nearest name; null: it is one, or is nothing of ours
   */
  public static String meantBy(String name) {
    if (!name.startsWith(PREFIX) || ALL.contains(name)) {
      return null;
    }
    String nearest = ALL.stream().min(Comparator.comparingInt(known -> distance(name, known))).orElseThrow();
    String group = name.substring(PREFIX.length()).replaceFirst("\\..*", "");
    return distance(name, nearest) <= MISSPELT || GROUPS.contains(group) ? nearest : null;
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
