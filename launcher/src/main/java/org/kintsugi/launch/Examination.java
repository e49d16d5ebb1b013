// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.SetupException;

/**
 * What {@code kintsugi doctor} looks at: what jobs on this host would fail of.
 *
 * @param environment the variables of this process
 * @param installation that the command runs from, or null
 */
record Examination(Map<String, String> environment, Installation installation) {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final long NEEDED_BYTES = 64L << 20;

  List<Finding> findings(Path prefix, Flavour flavour) {
    List<Finding> all = new ArrayList<>();
    MpiHome mpi = null;
    try {
      mpi = MpiHome.find(prefix, flavour, environment);
      all.add(well("Open MPI", mpi.prefix() + ", flavour " + mpi.flavour()));
    } catch (SetupException e) {
      all.add(wrong("Open MPI", e.getMessage()));
    }
    if (mpi != null) {
      natives(all, mpi);
      if (mpi.flavour() == Flavour.ULFM && !mpi.isPatched()) {
        all.add(limit("loss of a node", mpi.prefix() + " was not built by Kintsugi: the loss of a whole node may end the job. "
            + "make setup in a checkout builds one that outlives it"));
      }
    }
    sharedMemory(all);
    boolean hasSsh = List.of(environment.getOrDefault("PATH", "").split(":")).stream()
        .anyMatch(folder -> !folder.isEmpty() && Files.isExecutable(Path.of(folder, "ssh")));
    all.add(hasSsh ? well("ssh", "on the PATH") : limit("ssh", "none on the PATH: jobs run on this host only, unless a batch "
        + "system starts them. Install an ssh client (Debian: openssh-client)"));
    return all;
  }

  private void natives(List<Finding> all, MpiHome mpi) {
    try {
      Path natives = NativeLibraries.unpacked(new JvmArguments(List.of(), environment), mpi, environment, installation);
      all.add(natives == null ? limit("native libraries", "this is a checkout: they come from a program's class path")
          : well("native libraries", natives.toString()));
    } catch (SetupException e) {
      all.add(wrong("native libraries", e.getMessage()));
    }
    if (mpi.libraries() == null) {
      all.add(wrong("libmpi", "no libmpi.so.40 in lib or lib64 of " + mpi.prefix() + ": its installation is not whole, or not "
          + "Open MPI's. Install it again, or name another one (--mpi PREFIX)"));
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
