// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.runtime.internal.VariableNames;

/** A password on a command line, where every user of the job's hosts can read it. */
public final class ShownPassword {
  private static final String SETTING = "kintsugi.persist.url";
  private static final Pattern WITH_PASSWORD =
      Pattern.compile("(?i)[^@].*((pass|pwd|secret|token)\\w*\\s*(=|%3d)|//[^/]*:.*@).*|jdbc:oracle:\\w+:[^@]+/.+@.*");

  private ShownPassword() {}

  /**
   * The warning of a password.
   *
   * @param mpirunOptions and
   * @param javaOptions of the command line
   * @return without the password; null: there is none
   */
  public static String warning(List<String> mpirunOptions, List<String> javaOptions) {
    return Stream.concat(mpirunOptions.stream(), javaOptions.stream())
        .filter(word -> word.startsWith("-D" + SETTING + "=") || word.startsWith(VariableNames.PERSIST_URL + "="))
        .filter(word -> WITH_PASSWORD.matcher(word.substring(word.indexOf('=') + 1)).matches())
        .map(word -> word.substring(0, word.indexOf('='))).findFirst()
        .map(name -> name + ": the URL has a password, which every user of the job's hosts can read on the command line: put the "
            + "URL into a file of yours and name that (-D" + SETTING + "=@FILE), or into the environment ("
            + VariableNames.PERSIST_URL + ")")
        .orElse(null);
  }
}
