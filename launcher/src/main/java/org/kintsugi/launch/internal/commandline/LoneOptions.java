// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Options that belong to another one, without which they have no effect. */
public final class LoneOptions {
  private LoneOptions() {}

  /**
   * What is wrong with a command line.
   *
   * @param main the option to which all belong whose names begin with it and a dash
   * @return null: nothing
   */
  public static String objection(ParseResult given, String main) {
    if (given.hasMatchedOption(main)) {
      return null;
    }
    return given.matchedOptions().stream().map(OptionSpec::longestName).filter(name -> name.startsWith(main + "-")).findFirst()
        .map(name -> name + " without " + main + ": it has no effect: add " + main + ", or leave it out").orElse(null);
  }
}
