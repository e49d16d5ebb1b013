// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.kintsugi.runtime.KillSpec;
import org.kintsugi.runtime.internal.PropertyNames;
import org.kintsugi.runtime.internal.SettingNames;

/**
 * Finds misspelt words, and settings with values that cannot be right.
 *
 * <p>Misspelt words would have no effect, without a message. The objection guesses what was meant.
 * With a wrong value every rank would end by the same exception.
 */
public final class SpellingHints {
  private static final int LONG = 8;

  /** The file in which a jar names its providers of engines for checkpoints, and how Kintsugi's are called. */
  private static final String ENGINES = "META-INF/services/org.kintsugi.checkpoint.engine.EngineProvider";
  private static final Pattern OUR_ENGINES = Pattern.compile("org\\.kintsugi\\.checkpoint\\..*");

  private SpellingHints() {}

  /**
   * The objections to settings among the arguments of the JVM: to names that no setting has, and to values that cannot be right.
   *
   * @param jvm for instance with {@code -Dkintsugi.checkpoint.stor=file}
   * @return each with the remedy
   */
  public static List<String> settings(JvmArguments jvm) {
    return jvm.all().filter(word -> word.startsWith("-D")).map(word -> setting(word, jvm)).filter(Objects::nonNull).toList();
  }

  private static String setting(String word, JvmArguments jvm) {
    String[] pair = word.substring(2).split("=", 2);
    String name = pair[0];
    String meant = SettingNames.meantBy(name);
    if (meant != null) {
      return word + ": there is no setting of that name; the nearest one is " + meant;
    }
    String value = pair.length == 1 ? "" : pair[1];
    if (name.equals(PropertyNames.KILL)) {
      try {
        KillSpec.parseAll(value);
      } catch (IllegalArgumentException e) {
        return "-D" + name + "=" + e.getMessage();
      }
    }
    String objection = SettingNames.objection(name, value);
    return objection != null && name.equals(SettingNames.STORE) && mayHaveOtherEngines(jvm) ? null : objection;
  }

  /** Not only if its class path shows them: one that does not show Kintsugi's own does not show all (jars in a jar). */
  private static boolean mayHaveOtherEngines(JvmArguments jvm) {
    boolean isModule = jvm.jar() == null && jvm.mainClass() == null;
    List<String> providers = new ArrayList<>();
    List<URL> entries = new ArrayList<>();
    try {
      for (ClassPathEntry entry : jvm.classPath()) {
        entries.add(entry.path().toUri().toURL());
      }
      try (URLClassLoader path = new URLClassLoader(entries.toArray(new URL[0]), null)) {
        for (URL file : Collections.list(path.findResources(ENGINES))) {
          try (InputStream text = file.openStream()) {
            new String(text.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> !line.isBlank())
                .forEach(providers::add);
          }
        }
      }
    } catch (IOException unreadable) {
      return true;
    }
    return isModule || providers.isEmpty() || !providers.stream().allMatch(OUR_ENGINES.asMatchPredicate());
  }

  /**
   * The objection to options that jmpirun does not know and would hand to mpirun. A word of mpirun's own is never so near. (An
   * abbreviation of --hostfile, which mpirun understands, would be taken for a job on this host.)
   *
   * @param words in front of the JVM's
   * @param ours the names of jmpirun's options
   * @return the reason and the remedy; null: none is like one of ours
   */
  public static String option(List<String> words, Set<String> ours) {
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
