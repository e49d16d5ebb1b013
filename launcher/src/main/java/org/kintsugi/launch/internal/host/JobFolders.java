// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.internal.PropertyNames;
import org.kintsugi.runtime.internal.VariableNames;
import org.kintsugi.runtime.internal.protocol.JobSecret;

/**
 * A job's private folders on this host. SIGKILLed ranks and launchers leave files nowhere else, so that removing these folders
 * removes exactly those files.
 *
 * @param session for the launcher's session files
 * @param sharedMemory for the ranks' shared-memory segments
 * @param secret of the job
 */
public record JobFolders(Path session, Path sharedMemory, JobSecret secret) implements AutoCloseable {
  /** The beginning of the names of all folders. The process id of the launcher follows. */
  public static final String PREFIX = "kintsugi-job-";

  /** The folder of the session folders. */
  public static final Path PARENT = Path.of(System.getProperty("java.io.tmpdir"));

  /** In the session folder: the folder of shared memory, or the way to it. */
  private static final String MEMORY = "shm";

  private static final long REMOVE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  JobFolders(Path session, Path sharedMemory) {
    this(session, sharedMemory, JobSecret.random());
  }

  /** The option by which the ranks know their job's folder. */
  public String option() {
    return "-D" + PropertyNames.JOB_DIR + "=" + session;
  }

  /**
   * The job's name, by which ranks mark the lines that they print for the launcher: the program's own output does not have it by
   * chance. No secret, as it is on command lines.
   */
  public String name() {
    return UUID.nameUUIDFromBytes(session.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** The variable that the job's processes, and only they, have in their environment. */
  public String mark() {
    return VariableNames.JOB + "=" + session;
  }

  /** The beginning of the names of the folders that this launcher has made. */
  public static String prefix(long launcher) {
    return PREFIX + launcher + "-";
  }

  /**
   * Makes both folders, readable only by the user.
   *
   * @return the caller closes it, which removes them
   */
  public static JobFolders create() {
    var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    // The name has the process id of the launcher that owns the folder.
    String prefix = prefix(ProcessHandle.current().pid());
    Path session = null;
    try {
      session = Files.createTempDirectory(prefix, ownerOnly);
      Path memory = Path.of("/dev/shm");
      Path sharedMemory = Files.isWritable(memory)
          ? Files.createTempDirectory(memory, prefix, ownerOnly)
          : Files.createDirectory(session.resolve(MEMORY), ownerOnly);
      if (!sharedMemory.startsWith(session)) {
        // Ranks find the folder by this link, and put their own files in memory there. They are
        // removed with it.
        Files.createSymbolicLink(session.resolve(MEMORY), sharedMemory);
      }
      return new JobFolders(session, sharedMemory);
    } catch (IOException e) {
      if (session != null) {
        remove(session);
      }
      throw new LaunchException("cannot make the job's folders: " + e, e);
    }
  }

  @Override
  public void close() {
    remove(sharedMemory);
    remove(session);
  }

  /** Whether {@link #close} has removed both. */
  public boolean areGone() {
    return !Files.exists(sharedMemory, LinkOption.NOFOLLOW_LINKS) && !Files.exists(session, LinkOption.NOFOLLOW_LINKS);
  }

  /** A process that is being killed may make a file while its folder is removed: then this tries again. */
  public static void remove(Path folder) {
    long until = System.nanoTime() + REMOVE_NANOS;
    IOException trouble = attempt(folder);
    while (trouble instanceof DirectoryNotEmptyException && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
      trouble = attempt(folder);
    }
    if (trouble != null) {
      System.err.println("jmpirun: cannot remove " + folder + ": " + trouble);
    }
  }

  private static IOException attempt(Path folder) {
    try {
      removeTree(folder);
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  private static void removeTree(Path folder) throws IOException {
    Files.walkFileTree(folder, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        Files.deleteIfExists(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException gone) {
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
        Files.deleteIfExists(directory);
        return FileVisitResult.CONTINUE;
      }
    });
  }
}
