// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.kintsugi.runtime.internal.KintsugiFolders;
import org.kintsugi.runtime.internal.VariableNames;

/**
 * The search of {@link MpiHome} as a program, for the build: native/openmpi/find.sh starts it. It asks two things more of an MPI
 * that is to be compiled against: that its version is 5.0 or newer, and that one of ours was built from this checkout's patches.
 */
final class FindMpi {
  static final int FOUND = 0;
  /** None is there: what needs none can be built. */
  static final int ABSENT = 1;
  /** The user named one that cannot be used. */
  static final int REFUSED = 2;

  private static final int FIRST_WITH_ULFM = 5;

  private FindMpi() {}

  /**
   * Prints the prefix of an Open MPI for each flavour, or says why there is none.
   *
   * @param args flavours, and the checksum of this checkout's patches
   */
  public static void main(String[] args) {
    System.exit(run(args, System.getenv(), System.out, System.err));
  }

  static int run(String[] args, Map<String, String> environment, PrintStream out, PrintStream err) {
    List<String> flavours = List.of(args).subList(0, Math.max(0, args.length - 1));
    if (flavours.isEmpty() || !flavours.stream().allMatch(word -> word.matches("ulfm|reinit"))) {
      err.println("find.sh: " + String.join(" ", args) + ": expected ulfm or reinit");
      return REFUSED;
    }
    String stamp = args[args.length - 1];
    int code = FOUND;
    for (String word : flavours) {
      boolean isFirst = word.equals(flavours.get(0));
      StringBuilder why = new StringBuilder();
      int one = find(Flavour.valueOf(word.toUpperCase(Locale.ROOT)), stamp, environment, out, why);
      if (one == REFUSED || one == ABSENT && isFirst) {
        err.println(why);
        code = Math.max(code, one);
      }
      if (one != FOUND && flavours.size() > 1) {
        out.println();
      }
    }
    return code;
  }

  private static int find(Flavour flavour, String stamp, Map<String, String> environment, PrintStream out, StringBuilder why) {
    String variable = flavour == Flavour.ULFM ? VariableNames.MPI_HOME : VariableNames.REINIT_HOME;
    boolean isNamed = !environment.getOrDefault(variable, "").isEmpty();
    try {
      MpiHome found = MpiHome.find(null, flavour, environment);
      String objection = objection(found, stamp, environment);
      if (objection.isEmpty()) {
        out.println(found.prefix());
        return FOUND;
      }
      why.append(isNamed ? variable + "=" : "").append(found.prefix()).append(": ").append(objection);
    } catch (SetupException e) {
      why.append(e.getMessage());
    }
    return isNamed ? REFUSED : ABSENT;
  }

  /** Why it cannot be compiled against; empty if it can. */
  private static String objection(MpiHome mpi, String stamp, Map<String, String> environment) {
    if (mpi.flavour() != Flavour.ULFM) {
      return "";
    }
    String version = mpi.version();
    if (version == null) {
      return "it has no include/mpi.h that says its version: its headers are not installed";
    }
    if (Integer.parseInt(version.substring(0, version.indexOf('.'))) < FIRST_WITH_ULFM) {
      return "it has no ULFM that works, which came with Open MPI 5.0: " + version;
    }
    // One that a user has patched and installed elsewhere is the user's own.
    boolean isOurs = KintsugiFolders.of(environment).get(0).resolve("openmpi-ulfm").equals(mpi.prefix());
    try {
      return !isOurs || Files.readString(mpi.prefix().resolve("kintsugi.stamp")).strip().equals(stamp) ? ""
          : "it was built from other sources or patches than this checkout's: make setup builds it anew";
    } catch (IOException e) {
      return "it has no kintsugi.stamp: make setup builds it anew";
    }
  }
}
