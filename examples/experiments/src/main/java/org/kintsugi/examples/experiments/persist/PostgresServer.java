// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.persist;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server on this host, with a port, a folder and a password of its own, for one run. Nothing of it is left when it
 * is closed, or when this JVM ends.
 *
 * <p>PostgreSQL refuses to run as root: there it runs as the user that its package has made.
 */
public final class PostgresServer implements Closeable {
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final int LIMIT_SECONDS = 60;
  private static final String USER = "kintsugi";
  private static final String ROOT = "root";
  private static final List<String> UNPRIVILEGED = List.of("postgres", "nobody");

  private final Path programs;
  private final Path folder;
  private final List<String> asUser;
  private final String url;
  private final Thread atTheEnd = new Thread(this::stopNow);
  private boolean isOpen = true;

  private PostgresServer(Path programs) throws IOException, InterruptedException {
    this.programs = programs;
    folder = Files.createTempDirectory("kintsugi-postgres-");
    Runtime.getRuntime().addShutdownHook(atTheEnd);
    try {
      asUser = asUser();
      String password = password();
      int port = freePort();
      url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER + "&password=" + password;
      make(password, port);
      control("start");
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Why none can be started here, in a line; null: it can. */
  public static String refusal() {
    return programs() == null ? "PostgreSQL is not installed (Debian: apt-get install postgresql)" : null;
  }

  /** Starts one, with an empty database. */
  public static PostgresServer start() throws IOException, InterruptedException {
    Path programs = programs();
    if (programs == null) {
      throw new IllegalStateException(refusal());
    }
    return new PostgresServer(programs);
  }

  /** On the PATH, or where Debian has them, in a folder for each version; null: nowhere. */
  private static Path programs() {
    List<Path> folders = new ArrayList<>();
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
      folders.add(Path.of(folder));
    }
    if (Files.isDirectory(DEBIAN)) {
      try (Stream<Path> versions = Files.list(DEBIAN)) {
        versions.sorted(Comparator.reverseOrder()).forEach(version -> folders.add(version.resolve("bin")));
      } catch (IOException notReadable) {
        return null;
      }
    }
    return folders.stream().filter(one -> Files.isExecutable(one.resolve("initdb")) && Files.isExecutable(one.resolve("pg_ctl")))
        .findFirst().orElse(null);
  }

  /** The words that come before a command which must not run as root. */
  private static List<String> asUser() throws IOException {
    if (!System.getProperty("user.name").equals(ROOT)) {
      return List.of();
    }
    for (String user : UNPRIVILEGED) {
      try {
        principal(user);
        return List.of("setpriv", "--reuid=" + user, "--regid=" + groupOf(user), "--init-groups");
      } catch (UserPrincipalNotFoundException next) {
        // There is another one.
      }
    }
    throw new IOException("PostgreSQL refuses to run as root, and this host has none of the users " + UNPRIVILEGED);
  }

  private static UserPrincipal principal(String user) throws IOException {
    return Path.of("/").getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user);
  }

  private static String groupOf(String user) throws IOException {
    Process id = new ProcessBuilder("id", "-g", user).start();
    return new String(id.getInputStream().readAllBytes()).strip();
  }

  private static String password() {
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    StringBuilder password = new StringBuilder();
    for (byte one : random) {
      password.append(String.format(Locale.ROOT, "%02x", one));
    }
    return password.toString();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Path data() {
    return folder.resolve("data");
  }

  private void make(String password, int port) throws IOException, InterruptedException {
    Path file = Files.createFile(folder.resolve("password"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, password + "\n");
    if (!asUser.isEmpty()) {
      UserPrincipal owner = principal(asUser.get(1).substring("--reuid=".length()));
      Files.setOwner(file, owner);
      Files.setOwner(folder, owner);
    }
    run(List.of(programs.resolve("initdb").toString(), "-D", data().toString(), "-U", USER, "--auth=scram-sha-256",
        "--pwfile=" + file, "--encoding=UTF8", "--locale=C"));
    // Its dynamic shared memory in its folder: in /dev/shm it would outlive a server that is killed.
    Files.writeString(data().resolve("postgresql.conf"), String.join("\n", "", "listen_addresses = '127.0.0.1'", "port = " + port,
        "unix_socket_directories = ''", "dynamic_shared_memory_type = mmap", ""), StandardOpenOption.APPEND);
  }

  private void control(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(programs.resolve("pg_ctl").toString(), "-D", data().toString(), "-l",
        folder.resolve("log").toString(), "-w", "-t", String.valueOf(LIMIT_SECONDS / 2)));
    command.addAll(List.of(words));
    run(command);
  }

  private void run(List<String> words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(asUser);
    command.addAll(words);
    Path output = folder.resolve("output");
    Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
        .redirectOutput(output.toFile()).start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(String.join(" ", command) + " did not end in " + LIMIT_SECONDS + " s: " + Files.readString(output));
    }
    if (process.exitValue() != 0) {
      Path log = folder.resolve("log");
      throw new IOException(String.join(" ", command) + " ended with " + process.exitValue() + ": " + Files.readString(output)
          + (Files.exists(log) ? Files.readString(log) : ""));
    }
  }

  /** For JDBC, with the password. */
  public String url() {
    return url;
  }

  /**
   * Writes the URL into a file that only this user can read.
   *
   * @return the value of the setting of persistent communicators that leads to it
   */
  public static String setting(Path file, String url) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, url);
    return "@" + file;
  }

  /** Ends it at once, without a word to its clients, as a crash does, and starts it again; what was committed is there. */
  public void restart() throws IOException, InterruptedException {
    control("restart", "-m", "immediate");
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atTheEnd);
    } catch (IllegalStateException endsAlready) {
      return; // and does the same
    }
    stopNow();
  }

  private synchronized void stopNow() {
    if (!isOpen) {
      return;
    }
    isOpen = false;
    try {
      if (Files.exists(data().resolve("postmaster.pid"))) {
        control("stop", "-m", "immediate");
      }
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("the PostgreSQL server in " + folder + " may not have ended: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
