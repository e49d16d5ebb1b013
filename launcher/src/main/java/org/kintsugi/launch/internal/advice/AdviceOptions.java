// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.advice;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.kintsugi.launch.spec.LaunchException;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of {@code jmpirun --advise}. */
public final class AdviceOptions {
  private static final String PREFIX = "--advise";

  @Option(names = PREFIX,
      description = "run the program once under an agent that looks at each field, array element and object, "
          + "and print which data must be protected: slow, for a small problem")
  private boolean isWanted;

  @Option(names = PREFIX + "-until", paramLabel = "ITERATION", defaultValue = "9223372036854775807",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description = "end the run after this iteration")
  long until;

  @Option(names = PREFIX + "-json", paramLabel = "FILE", description = "write what was found to this file as well, as JSON")
  Path json;

  @Option(names = PREFIX + "-once",
      description = "do not run the program again with a failure, which shows what the program makes again after a restore")
  boolean isOnce;

  @Option(names = PREFIX + "-classes", paramLabel = "REGEX",
      description = "look only into classes whose names contain this; else into all but those of the JDK and of known libraries")
  String classes;

  @Option(names = PREFIX + "-ignore", paramLabel = "REGEX",
      description = "locations whose names contain this are not reported, as they are measurements, for instance; may be given "
          + "several times")
  List<String> ignored = new ArrayList<>();

  @Option(names = PREFIX + "-without", paramLabel = "NAME",
      description = "take this item for not protected: what would be missing? May be given several times")
  List<String> without = new ArrayList<>();

  /** Whether the command line asks for advice. */
  public boolean isWanted() {
    return isWanted;
  }

  void check() {
    if (classes != null) {
      compile("-classes", classes);
    }
    ignoredNames();
    Path folder = json == null ? null : json.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new LaunchException(PREFIX + "-json " + json + ": there is no folder " + folder + ": make it, or name another file");
    }
    if (until < 0) {
      throw new LaunchException(PREFIX + "-until " + until + ": expected an iteration, 0 or more");
    }
  }

  List<Pattern> ignoredNames() {
    return ignored.stream().map(text -> compile("-ignore", text)).toList();
  }

  private static Pattern compile(String option, String text) {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new LaunchException(PREFIX + option + " " + text + ": " + e.getDescription() + " in a regular expression");
    }
  }
}
