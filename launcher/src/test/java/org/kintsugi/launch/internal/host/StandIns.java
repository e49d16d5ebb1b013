// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Folders that look like a job's or like an installed Open MPI. */
public final class StandIns {
  public static final JobFolders FOLDERS = new JobFolders(Path.of("/tmp/kintsugi-job-N"), Path.of("/dev/shm/kintsugi-job-N"));

  private StandIns() {}

  public static Path fork(Path prefix) throws IOException {
    return install(prefix, "include/mpi-ext.h", "#define OMPI_HAVE_MPI_EXT_REINIT 1\n");
  }

  public static Path ulfm(Path prefix) throws IOException {
    return install(prefix, "include/openmpi/mpiext/mpiext_ftmpi_c.h", "");
  }

  private static Path install(Path prefix, String header, String text) throws IOException {
    Files.createDirectories(prefix.resolve(header).getParent());
    Files.writeString(prefix.resolve(header), text);
    executable(prefix.resolve("bin/mpirun"));
    return prefix;
  }

  public static Path executable(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
  }
}
