// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.kintsugi.runtime.internal.SettingNames;

/** Guesses the word that was meant by one that nobody would understand, or that would change nothing, without a message. */
final class Misspelt {
  private static final int LONG = 8;

  private Misspelt() {}

  /**
   * The objection to an argument of the JVM.
   *
   * @param word for instance {@code -Dkintsugi.checkpoint.stor=file}
   * @return the reason and the remedy; null: it sets a setting, or is nothing of ours
   */
  static String setting(String word) {
    if (!word.startsWith("-D")) {
      return null;
    }
    String name = word.substring(2).replaceFirst("=.*", "");
    String meant = SettingNames.meantBy(name);
    return meant == null ? null : word + ": there is no setting of that name; the nearest one is " + meant;
  }

  /**
   * The objection to options that jmpirun does not know and would hand to mpirun. A word of mpirun's own is never so near. (An
   * abbreviation of --hostfile, which mpirun understands, would be taken for a job on this host.)
   *
   * @param words in front of the JVM's
   * @param ours the names of jmpirun's options
   * @return the reason and the remedy; null: none is like one of ours
   */
  static String option(List<String> words, Set<String> ours) {
    for (String word : words) {
      String name = word.replaceFirst("=.*", "");
      if (!name.startsWith("--")) {
        continue;
      }
      String hosts = Hosts.inFull(name);
      if (hosts != null) {
        return name + ": write " + hosts + " in full: mpirun takes abbreviations, and jmpirun has to know the hosts, too";
      }
      String nearest = ours.stream().filter(one -> one.startsWith("--"))
          .min(Comparator.comparingInt(one -> SettingNames.distance(name, one))).orElseThrow();
      int distance = SettingNames.distance(name, nearest);
      if (distance > 0 && distance <= (nearest.length() < LONG ? 1 : 2)) {
        return name + ": neither jmpirun nor mpirun has such an option; did you mean " + nearest + "?";
      }
    }
    return null;
  }
}
