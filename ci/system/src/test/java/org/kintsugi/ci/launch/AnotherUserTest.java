// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.ci.ranks.ProcFiles;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;
import org.kintsugi.test.cluster.Cluster;

/**
 * Another user of the machine, who knows all that the system shows of a job, does it no harm: one
 * job and one such user for all attempts. What the launcher does with clients that the kernel does
 * not tell apart (from other hosts) is in {@code StrangersTest}, and what ranks do with somebody
 * who passes for the launcher in {@code LauncherSocketTest}.
 */
@Tag("flavours")
class AnotherUserTest {
  private static final String NOBODY = "65534";
  private static final int RANKS = 2;
  private static final int LIMIT_SECONDS = 120;
  private static final String SECRET = "KINTSUGI_JOB_SECRET";

  /**
   * Runs in the ranks: they step until a file is there, and report how often they had to recover.
   */
  static final class Steps {
    public static void main(String[] args) throws IOException {
      Path folder = Path.of(args[1]);
      try (Mpi mpi = Mpi.init(args)) {
        Files.writeString(folder.resolve("process-" + ProcessHandle.current().pid()), "");
        Reinit.run(mpi, run -> {
          RankJob.report(args[0], "state-" + run.world().rank(), run.state().toString());
          Buf isLast = Buf.allocateInts(1);
          for (int i = 0; isLast.getInt(0) == 0; i++) {
            run.iteration(i);
            isLast.putInt(0, run.world().rank() == 0 && Files.exists(folder.resolve("go-on")) ? 1 : 0);
            run.world().allReduce(isLast, Op.MAX);
            TimeUnit.MILLISECONDS.sleep(20);
          }
        });
      }
    }
  }

  /**
   * Runs in the ranks: whether the secret is in their environment, and on no command line of their
   * host.
   */
  static final class LooksForSecrets {
    public static void main(String[] args) throws IOException {
      try (Mpi mpi = Mpi.init(args)) {
        String secret = System.getenv(SECRET);
        RankJob.report(args[0], "secret-" + mpi.world().rank(), secret == null ? "none" : secret);
        RankJob.report(args[0], "shown-" + mpi.world().rank(), String.join(",", commandLinesWith(secret)));
        mpi.world().barrier();
      }
    }
  }

  /**
   * The other user, in a JVM of his own that has this class alone. Prints what each attempt has
   * come to, one line each.
   *
   * <p>Arguments: the launcher's port, the name of the job, the process id of the launcher, those
   * of the ranks.
   */
  static final class Stranger {
    private static final int MANY = 2000;
    private static final int MANY_SECONDS = 15;
    private static final int MOST_BYTES = 256 << 20;

    public static void main(String[] args) throws IOException, InterruptedException {
      int port = Integer.parseInt(args[0]);
      String name = args[1];
      plant(args[2]);
      for (int i = 3; i < args.length; i++) {
        System.out.println("environment: " + isReadable(Path.of("/proc", args[i], "environ")));
      }
      for (Path folder : jobFolders(args[2])) {
        System.out.println("folder: " + isReadable(folder.resolve("launcher-address")));
      }
      String random = "0123456789abcdef0123456789abcdef";
      for (String line : List.of("hello " + name + " 1 here 0 job 0", "hello " + random, "hello 1 " + random,
          "proof " + random + random + " process 1 here 0 j 0",
          "left", "dead prterun-here@1 1", "need 1", "keep 9", "living 1", "start 1", "unable 1 x", "ready", "limit \u001b[2J",
          "stacks " + name, "stacks", "GET / HTTP/1.1")) {
        System.out.println("line: " + answer(port, line));
      }
      System.out.println("silent: " + answer(port, null));
      System.out.println("endless: " + endless(port));
      System.out.println("many: " + many(port));
    }

    private static List<Path> jobFolders(String launcher) throws IOException {
      List<Path> found = new ArrayList<>();
      for (String folder : List.of("/tmp", "/dev/shm")) {
        try (var all = Files.newDirectoryStream(Path.of(folder), "kintsugi-job-" + launcher + "-*")) {
          for (Path one : all) {
            if (!one.toString().endsWith("planted")) {
              found.add(one);
            }
          }
        }
      }
      return found;
    }

    private static String isReadable(Path file) {
      try (InputStream in = Files.newInputStream(file)) {
        return in.read() < 0 ? "empty" : "read";
      } catch (IOException refused) {
        return "refused";
      }
    }

    /**
     * A folder like that of a job of this launcher. A request for stacks would go to the address in
     * it.
     */
    private static void plant(String launcher) throws IOException {
      Path folder = Path.of("/tmp/kintsugi-job-" + launcher + "-0planted");
      Files.createDirectory(folder);
      ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      Files.writeString(folder.resolve("launcher-address"),
          "127.0.0.1:" + listening.getLocalPort() + " " + "0123456789abcdef".repeat(4));
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      Thread waits = new Thread(() -> {
        try {
          listening.accept();
          System.out.println("planted: somebody came");
        } catch (IOException closed) {
          System.out.println("planted: error");
        }
      });
      waits.setDaemon(true);
      waits.start();
    }

    private static Socket connected(int port) throws IOException {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(15_000);
      return socket;
    }

    private static String answer(int port, String line) throws IOException {
      try (Socket socket = connected(port)) {
        if (line != null) {
          socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return socket.getInputStream().read() < 0 ? "ended" : "answered";
      } catch (SocketTimeoutException open) {
        return "open";
      } catch (IOException reset) {
        return "ended";
      }
    }

    private static String endless(int port) {
      byte[] chunk = "x".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
      int sent = 0;
      try (Socket socket = connected(port)) {
        OutputStream out = socket.getOutputStream();
        while (sent < MOST_BYTES) {
          out.write(chunk);
          sent += chunk.length;
        }
      } catch (IOException cut) {
        return sent < 16 << 20 ? "cut" : "cut late";
      }
      return "taken";
    }

    /**
     * How many of many connections are still open after the time that the launcher gives for a
     * hello, with room for a loaded host.
     */
    private static String many(int port) throws IOException, InterruptedException {
      List<Socket> all = new ArrayList<>();
      try {
        for (int i = 0; i < MANY; i++) {
          all.add(connected(port));
        }
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(MANY_SECONDS);
        int open = stillOpen(all);
        while (open > 0 && System.nanoTime() - limit < 0) {
          Thread.sleep(100);
          open = stillOpen(all);
        }
        return open + " open";
      } finally {
        for (Socket socket : all) {
          socket.close();
        }
      }
    }

    private static int stillOpen(List<Socket> sockets) throws IOException {
      int open = 0;
      for (Socket socket : sockets) {
        socket.setSoTimeout(1);
        try {
          socket.getInputStream().read();
        } catch (SocketTimeoutException isOpen) {
          open++;
        } catch (IOException reset) {
          continue;
        }
      }
      return open;
    }
  }

  private static List<String> commandLinesWith(String text) throws IOException {
    List<String> found = new ArrayList<>();
    try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        String line = ProcFiles.read(Long.parseLong(process.getFileName().toString()), "cmdline");
        if (text != null && line.contains(text)) {
          found.add(line.replace('\0', ' '));
        }
      }
    }
    return found;
  }

  private static String option(long process, String name) {
    return Stream.of(ProcFiles.read(process, "cmdline").split("\0")).filter(word -> word.startsWith("-D" + name + "="))
        .map(word -> word.substring(word.indexOf('=') + 1)).findFirst().orElseThrow();
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    CompletableFuture<Void> end = CompletableFuture.runAsync(() -> {
      try {
        if (!process.waitFor(LIMIT_SECONDS / 2, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    end.join();
    return output;
  }

  /** The one class, where another user can read it. */
  private static List<String> asNobody(Path folder, String... arguments) throws IOException {
    String name = Stranger.class.getName();
    Path file = folder.resolve(name.replace('.', '/') + ".class");
    Files.createDirectories(file.getParent());
    try (InputStream bytes = Stranger.class.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
      Files.copy(bytes, file);
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path one : all.toList()) {
        Files.setPosixFilePermissions(one, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
    // In a folder that he may enter.
    List<String> line = new ArrayList<>(List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "env", "-C",
        "/",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-cp",
        folder.toString(), name));
    line.addAll(List.of(arguments));
    return line;
  }

  private static boolean canBeNobody() throws IOException, InterruptedException {
    try {
      return new ProcessBuilder("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "test", "-x",
          Path.of(System.getProperty("java.home"), "bin", "java").toString()).start().waitFor() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  private static List<Long> ranks(Path folder) throws IOException, InterruptedException {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS / 2);
    List<Long> all = List.of();
    while (all.size() < RANKS && System.nanoTime() - limit < 0) {
      Thread.sleep(50);
      try (Stream<Path> files = Files.list(folder)) {
        all = files.map(file -> file.getFileName().toString()).filter(file -> file.startsWith("process-"))
            .map(file -> Long.parseLong(file.substring("process-".length()))).toList();
      }
    }
    return all;
  }

  @Test
  void doesNoHarm() throws IOException, InterruptedException {
    assumeTrue(canBeNobody(), "only root can be another user, by setpriv, and the JDK must be one that others can run");
    RankJob.mpiOrSkip(); // on this thread: the job's cannot skip the test
    long launcher = ProcessHandle.current().pid();
    Path planted = Path.of("/tmp/kintsugi-job-" + launcher + "-0planted");
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-test-");
        TemporaryFolder classes = TemporaryFolder.create("kintsugi-test-")) {
      CompletableFuture<RankJob.Outcome> job = CompletableFuture.supplyAsync(() -> RankJob.of(RANKS, 1)
          .timeoutSeconds(LIMIT_SECONDS).run(Steps.class, folder.path().toString()));
      String said;
      String stacks;
      try {
        List<Long> ranks = ranks(folder.path());
        assertThat(ranks).hasSizeGreaterThanOrEqualTo(RANKS);
        String[] address = option(ranks.get(0), "kintsugi.launcher.address").split(":");
        Path session = Path.of(option(ranks.get(0), "kintsugi.job.dir"));
        String secret = Files.readString(session.resolve("launcher-address")).split(" ")[1];
        assertThat(ProcFiles.read(ranks.get(0), "environ")).contains(SECRET + "=" + secret);
        assertThat(commandLinesWith(secret)).isEmpty();
        List<String> arguments =
            new ArrayList<>(List.of(address[1], option(ranks.get(0), "kintsugi.job.name"), String.valueOf(launcher)));
        ranks.forEach(rank -> arguments.add(String.valueOf(rank)));
        said = run(asNobody(classes.path(), arguments.toArray(new String[0])));
        List<String> ask = new ArrayList<>(RankJob.jmpirun(RankJob.mpiOrSkip()));
        ask.addAll(List.of("--stacks", String.valueOf(launcher)));
        stacks = run(ask);
      } finally {
        Files.createFile(folder.path().resolve("go-on"));
        Files.deleteIfExists(planted.resolve("launcher-address"));
        Files.deleteIfExists(planted);
      }
      RankJob.Outcome outcome = job.join().assertSuccess();
      Map<String, Integer> results = new TreeMap<>();
      said.lines().forEach(line -> results.merge(line, 1, Integer::sum));
      assertThat(results.keySet()).as(said).containsExactlyInAnyOrder("environment: refused", "folder: refused", "line: ended",
          "silent: ended", "endless: cut", "many: 0 open");
      assertThat(results.get("line: ended")).isEqualTo(16);
      assertThat(stacks).contains("rank");
      assertThat(outcome.output()).doesNotContain("\u001b", "died", "does not answer", "is not explained");
      assertThat(outcome.reports()).containsEntry("state-0", "NEW").containsEntry("state-1", "NEW");
    }
  }

  /** Root makes a simulated cluster, whose folders have names that can be guessed. */
  @Test
  void linksInThePlaceOfACluster(@TempDir Path folder) throws IOException, InterruptedException {
    assumeTrue(canBeNobody(), "only root can make a simulated cluster");
    String name = "planted" + ProcessHandle.current().pid();
    Path link = Path.of("/dev/shm/kintsugi-cluster-" + name);
    Path target = Files.createDirectory(folder.resolve("target"));
    Path script = folder.resolve("cluster.sh");
    try (InputStream text = Cluster.class.getResourceAsStream("cluster.sh")) {
      Files.copy(text, script);
    }
    Files.createSymbolicLink(link, target);
    try {
      String said = run(List.of("bash", script.toString(), "up", name, "1"));
      assumeTrue(!said.contains("not permitted"), said);
      assertThat(said).contains("up " + name + ": there is something in its place already (" + link + ")");
      assertThat(target).isEmptyDirectory();
      assertThat(link).isSymbolicLink();
      assertThat(Path.of("/tmp/kintsugi-cluster-" + name)).doesNotExist();
    } finally {
      run(List.of("bash", script.toString(), "down", name));
      Files.deleteIfExists(link);
    }
  }

  /**
   * The launcher's daemons are started by ssh, whose command lines everybody on the hosts can read.
   */
  @Test
  void otherHostsGetTheSecretOnNoCommandLine() throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip();
    try (Cluster cluster = Cluster.of(1, 1)) {
      RankJob.Outcome outcome =
          cluster.run(mpi, LIMIT_SECONDS, List.of("-n", String.valueOf(RANKS)), LooksForSecrets.class).assertSuccess();
      assertThat(outcome.reports().get("secret-0")).hasSize(64).isEqualTo(outcome.reports().get("secret-1"));
      assertThat(outcome.reports()).containsEntry("shown-0", "").containsEntry("shown-1", "");
    } catch (Cluster.UnavailableException e) {
      abort(e.getMessage());
    }
  }
}
