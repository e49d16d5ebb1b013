// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shared-memory segments that remain on this host when a SIGKILL ends mpirun.
 *
 * <p>This concerns jobs with ranks on several hosts. Their segments are in /dev/shm itself, as a
 * folder of the job would be missing on the other hosts. (There the launcher's daemons remove them.
 * If only a rank is killed, mpirun does.)
 */
public final class Segments {
  public static final Path FOLDER = Path.of("/dev/shm");
  /** Open MPI's btl/sm: host, user, job in hexadecimal digits, rank on the node. */
  private static final Pattern NAME = Pattern.compile("sm_segment\\..+\\.\\d+\\.([0-9a-f]{1,8})\\.\\d+");
  /** Open MPI 4.0's btl/vader: host, job, rank. */
  private static final Pattern FORK_NAME = Pattern.compile("vader_segment\\..+\\.([0-9a-f]{1,8})\\.\\d+");

  private Segments() {}

  /** Removes the segments on this host of the job of an mpirun that has ended. */
  public static void removeOf(long mpirun) {
    if (!Files.isDirectory(FOLDER)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(FOLDER, "{sm,vader}_segment.*")) {
      String host = HostName.shortOf(HostName.ofThis());
      int family = family("prterun-" + host + "-" + mpirun);
      int forkFamily = forkFamily(host, mpirun);
      removeSession(host, mpirun);
      for (Path file : files) {
        String name = file.getFileName().toString();
        if ((isOf(family, NAME.matcher(name)) || isOf(forkFamily, FORK_NAME.matcher(name)))
            && OwnedPath.is(file)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      System.err.println("jmpirun: cannot look for shared-memory segments in " + FOLDER + ": " + e);
    }
  }

  /**
   * Removes the session folder of the fork's mpirun, with the segments of this host's ranks.
   *
   * <p>See {@link ReinitFlags}.
   */
  private static void removeSession(String host, long mpirun) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(FOLDER, "ompi." + host + ".*")) {
      for (Path folder : folders) {
        Path session = folder.resolve("pid." + mpirun);
        // Any user may make files there, and links to ours.
        if (OwnedPath.isFolder(folder) && Files.isDirectory(session, LinkOption.NOFOLLOW_LINKS)) {
          JobFolders.remove(session);
          try {
            Files.delete(folder);
          } catch (DirectoryNotEmptyException otherJobs) {
            // Another user's file.
          }
        }
      }
    }
  }

  private static boolean isOf(int family, Matcher name) {
    return name.matches() && Integer.parseUnsignedInt(name.group(1), 16) >>> 16 == family;
  }

  /** The upper half of a job's number: a hash of the launcher's name (OPAL_HASH_STR, opal_pmix_convert_nspace). */
  static int family(String launcher) {
    return folded(hash(launcher));
  }

  /** The same under the Reinit++ fork (orte_plm_base_set_hnp_name). */
  static int forkFamily(String host, long mpirun) {
    return folded(hash(host) ^ (int) mpirun);
  }

  private static int folded(int hash) {
    return (hash >>> 16 ^ hash) & 0xffff;
  }

  private static int hash(String text) {
    int hash = 0;
    for (int i = 0; i < text.length(); i++) {
      hash += text.charAt(i);
      hash += hash << 10;
      hash ^= hash >>> 6;
    }
    hash += hash << 3;
    hash ^= hash >>> 11;
    return hash + (hash << 15);
  }
}
