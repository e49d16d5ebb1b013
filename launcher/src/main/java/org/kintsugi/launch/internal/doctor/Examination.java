// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.doctor;

import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.kintsugi.launch.internal.commandline.Hosts;
import org.kintsugi.launch.internal.commandline.JvmArguments;
import org.kintsugi.launch.internal.commandline.MpirunLine;
import org.kintsugi.launch.internal.commandline.OwnClasses;
import org.kintsugi.launch.internal.commandline.ProgramClass;
import org.kintsugi.launch.internal.commandline.SpellingHints;
import org.kintsugi.launch.internal.host.CacheFolder;
import org.kintsugi.launch.internal.host.HomeVariable;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.launch.internal.host.Programs;
import org.kintsugi.launch.internal.mpirun.FlavourFlags;
import org.kintsugi.launch.internal.natives.NativeLibraries;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.SetupException;

/**
 * The checks of {@code kintsugi doctor}: finds the reasons why jobs on this host would fail.
 *
 * @param environment the variables of this process
 * @param installation that the command runs from, or null
 */
public record Examination(Map<String, String> environment, Installation installation) {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final long NEEDED_BYTES = 64L << 20;
  private static final String HOME = "KINTSUGI_HOME";
  private static final String NO_NETWORK = "no interface is up, and Open MPI's mpirun talks to its processes over one: the "
      + "loopback is enough on one host (ip link set lo up)";
  private static final String UCX_SIGNALS = "UCX_ERROR_SIGNALS";
  private static final Pattern SEGV = Pattern.compile("SEGV|\\b11\\b");

  public List<Finding> findings(Path prefix, Flavour flavour, Path hostfile, List<String> words) {
    JvmArguments program = new JvmArguments(OwnClasses.added(words, environment, Installation.ownClasses()), environment);
    List<Finding> all = new ArrayList<>();
    MpiHome mpi = null;
    try {
      mpi = MpiHome.find(prefix, flavour, environment);
      all.add(well("Open MPI", mpi.prefix() + ", flavour " + mpi.flavour()));
    } catch (SetupException e) {
      all.add(wrong("Open MPI", e.getMessage()));
    }
    Path natives = null;
    if (mpi != null) {
      natives = natives(all, mpi, program);
      if (mpi.flavour() == Flavour.ULFM && !mpi.isPatched()) {
        all.add(limit("loss of a node", mpi.prefix() + " was not built by Kintsugi: the loss of a whole node may end the job. "
            + "make setup in a checkout, or share/kintsugi/openmpi/build-from-tarball.sh, builds one that outlives it"));
      }
    }
    java(all, words.isEmpty() ? null : new ProgramClass(program));
    SpellingHints.settings(program).forEach(objection -> all.add(wrong("setting", objection)));
    versions(all, words.isEmpty() ? null : new ProgramClass(program));
    sharedMemory(all);
    network(all);
    signals(all);
    home(all);
    boolean hasSsh = Programs.find("ssh", environment.getOrDefault("PATH", "")) != null;
    all.add(hasSsh ? well("ssh", "on the PATH") : limit("ssh", "none on the PATH: jobs run on this host only, unless a batch "
        + "system starts them. Install an ssh client (Debian: openssh-client)"));
    if (hostfile != null && mpi != null) {
      all.addAll(others(hostfile, mpi, natives, program));
    }
    return all;
  }

  /** The folder of those that fit; null if there is none. */
  private Path natives(List<Finding> all, MpiHome mpi, JvmArguments program) {
    Path natives = null;
    try {
      natives = NativeLibraries.unpacked(program, mpi, environment, installation);
      all.add(natives == null ? limit("native libraries", "this is a checkout: they come from a program's class path")
          : well("native libraries", natives.toString()));
    } catch (SetupException e) {
      all.add(wrong("native libraries", e.getMessage()));
    }
    if (mpi.libraries() == null) {
      all.add(wrong("libmpi", "no libmpi.so.40 in lib or lib64 of " + mpi.prefix() + ": its installation is not whole, or not "
          + "Open MPI's. Install it again, or name another one (--mpi PREFIX)"));
    }
    return natives;
  }

  /**
   * Checks the program. The java of this command is that of the ranks; bin/kintsugi refuses an old
   * one.
   */
  private static void java(List<Finding> all, ProgramClass program) {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    all.add(well("Java", Runtime.version().feature() + ", " + java));
    if (program == null) {
      return;
    }
    String objection = program.objection(Runtime.version().feature(), java);
    if (objection != null) {
      all.add(wrong("program", objection));
    } else if (!program.hasApi()) {
      all.add(wrong("program", ProgramClass.NO_API));
    } else {
      all.add(well("program", "its class and Kintsugi's are on the class path"));
    }
  }

  private List<Finding> others(Path hostfile, MpiHome mpi, Path natives, JvmArguments program) {
    MpirunLine line = new MpirunLine(List.of("--hostfile", hostfile.toString()), Map.of(), FlavourFlags.prefixes(mpi));
    // Each host unpacks natives from the class path into the user's cache by itself.
    Path shared = natives == null || natives.startsWith(CacheFolder.of(environment)) ? null : natives;
    OtherHost question = new OtherHost(mpi, shared, installation, program);
    try {
      return Hosts.of(line, mpi).others().stream().map(question::ask).toList();
    } catch (LaunchException e) {
      return List.of(wrong("hosts", e.getMessage()));
    }
  }

  private static void sharedMemory(List<Finding> all) {
    try {
      long free = Files.getFileStore(SHARED_MEMORY).getUsableSpace();
      all.add(free >= NEEDED_BYTES ? well("shared memory", (free >> 20) + " MiB free in " + SHARED_MEMORY)
          : wrong("shared memory", "only " + (free >> 20) + " MiB free in " + SHARED_MEMORY + ", in which ranks of a host meet: "
              + "remove what dead jobs have left there, or make it larger (mount -o remount,size=1g " + SHARED_MEMORY
              + "; in a container --shm-size=1g)"));
    } catch (IOException e) {
      all.add(wrong("shared memory", SHARED_MEMORY + " cannot be used (" + e + "): mount a tmpfs there"));
    }
  }

  /** Ranks set this variable, unless the user has. */
  private void signals(List<Finding> all) {
    String given = environment.getOrDefault(UCX_SIGNALS, "");
    if (SEGV.matcher(given).find()) {
      all.add(wrong("UCX",
          UCX_SIGNALS + "=" + given + " has UCX take SIGSEGV, with which the JVM works: where Open MPI uses UCX, ranks "
              + "crash. Unset it: Kintsugi has UCX take other signals only"));
    }
  }

  /** Whether another version of Kintsugi may come into the program. */
  private void versions(List<Finding> all, ProgramClass program) {
    if (installation == null) {
      return;
    }
    String home = environment.getOrDefault(HOME, "");
    if (!home.isEmpty() && !isSame(Path.of(home), installation.home())) {
      all.add(limit("installation", HOME + "=" + home + " is not the one that this command is of (" + installation.home()
          + "): set it to this one, or call bin/kintsugi and bin/jmpirun of that one"));
    }
    String version = program == null ? null : program.versionOfApi();
    if (version != null && !version.equals(Installation.version())) {
      all.add(limit("installation", "the program's class path has Kintsugi " + version + ", and this is "
          + Installation.version() + ": take the same version of both"));
    }
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException notThere) {
      return false;
    }
  }

  /** Checks for a network interface. The launchers of both flavours do not start without one. */
  private static void network(List<Finding> all) {
    try {
      boolean isUp = false;
      for (NetworkInterface one : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        isUp |= one.isUp();
      }
      if (!isUp) {
        all.add(wrong("network", NO_NETWORK));
      }
    } catch (SocketException e) {
      all.add(wrong("network", NO_NETWORK));
    }
  }

  private void home(List<Finding> all) {
    if (!HomeVariable.isSet(environment)) {
      Path home = HomeVariable.ofSystem();
      all.add(limit(HomeVariable.NAME, "not set, and Open MPI does not start without it: jmpirun sets it to "
          + (home == null ? "the job's own folder, as the system has no home for this user" : home)
          + "; set it where you start mpirun yourself"));
    }
  }

  private static Finding well(String what, String said) {
    return new Finding(what, true, false, said);
  }

  private static Finding limit(String what, String said) {
    return new Finding(what, false, false, said);
  }

  private static Finding wrong(String what, String said) {
    return new Finding(what, false, true, said);
  }
}
