// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kintsugi.launch.internal.commandline.ShownPassword;
import org.kintsugi.launch.internal.control.JobServer;
import org.kintsugi.launch.internal.control.JobStacks;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.internal.host.LocalUsers;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.internal.JobFiles;
import org.kintsugi.runtime.internal.protocol.FromProcess;
import org.kintsugi.runtime.internal.protocol.Handshake;
import org.kintsugi.runtime.internal.protocol.JobSecret;

/**
 * Clients without the job's secret at the launcher's port.
 *
 * <p>They belong to the user who runs the tests, so to the launcher they are like a user of another
 * host. {@code AnotherUserTest} has those of another user of this host.
 */
@Timeout(60)
class StrangersTest {
  private static final int PROCESSES = 3;
  private static final int LINES = 10;
  private static final int MEBIBYTE = 1 << 20;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final List<Client> clients = new ArrayList<>();
  private JobFolders folders;
  private JobServer watch;
  private volatile boolean isPrintingImpossible;

  /** A connection to the launcher. */
  private final class Client {
    private final Socket socket;
    private final BufferedReader in;
    private String proof;

    Client() throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(watch.addresses().split(":")[1]));
      socket.setSoTimeout(20_000);
      in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      clients.add(this);
    }

    Client says(String line) throws IOException {
      socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      return this;
    }

    /** Null: the connection has ended. */
    String hears() throws IOException {
      try {
        return in.readLine();
      } catch (java.net.SocketException reset) {
        return null;
      }
    }

    Client introduces(JobSecret secret, FromProcess who) throws IOException {
      Handshake.Client handshake = new Handshake.Client(secret, watch.addresses());
      says(handshake.hello().toLine());
      proof = handshake.answer(hears(), who).toLine();
      return says(proof);
    }

    /** The number of bytes of an endless line that can be sent. */
    long sendsEndlessly(int most) throws IOException {
      byte[] chunk = "x".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
      OutputStream out = socket.getOutputStream();
      long sent = 0;
      try {
        while (sent < most) {
          out.write(chunk);
          sent += chunk.length;
        }
      } catch (java.net.SocketException cut) {
        return sent;
      }
      return sent;
    }
  }

  @BeforeEach
  void begin() {
    folders = JobFolders.create();
    PrintStream messages = new PrintStream(printed, true, StandardCharsets.UTF_8) {
      @Override
      public void print(String text) {
        if (isPrintingImpossible) {
          throw new OutOfMemoryError("as if the heap were full");
        }
        super.print(text);
      }
    };
    watch = JobServer.begin(folders, true, PROCESSES, 0, false, messages);
  }

  @AfterEach
  void end() throws IOException {
    for (Client client : clients) {
      client.socket.close();
    }
    watch.close();
    folders.close();
  }

  private Client process(int rank) throws IOException {
    Client process = new Client().introduces(folders.secret(), new FromProcess.Introduction(4711, "here", rank, "job@1", 0));
    assertThat(process.hears()).startsWith("still ");
    return process;
  }

  /** What is printed when somebody asks where the ranks are. */
  private String report() throws IOException {
    return JobStacks.of(ProcessHandle.current().pid());
  }

  @Test
  void aProcessOfTheJobIsHeard() throws IOException {
    Client process = process(1).says("here 1 1\tBODY\tWAITS\t5000\tMPI_Recv\tComm.recv\t\tMain.java:3");
    assertThat(process.says("ends").hears()).isEqualTo("ends");
    assertThat(report()).contains("rank 1", "MPI_Recv");
    assertThat(watch.neverHeard()).containsExactlyInAnyOrder(0, 2);
  }

  @Test
  void whoDoesNotSayWhoHeIsHasToGo() throws IOException {
    long begin = System.nanoTime();
    Client silent = new Client();
    Client half = new Client().says("hello 1 " + JobSecret.nonce());
    Client slow = new Client();
    slow.socket.getOutputStream().write('h');
    assertThat(half.hears()).startsWith("proof ");
    assertThat(silent.hears()).isNull();
    assertThat(half.hears()).isNull();
    assertThat(slow.hears()).isNull();
    assertThat(System.nanoTime() - begin).isBetween(TimeUnit.SECONDS.toNanos(3), TimeUnit.SECONDS.toNanos(15));
  }

  @Test
  void whoHasNoProofHasToGo() throws IOException {
    String name = folders.name();
    for (String line : List.of("hello " + name + " 1 here 0 job 0", "hello 1 " + JobSecret.nonce() + "0",
        "hello " + JobSecret.nonce(),
        "hello 0 " + JobSecret.nonce(), "stacks " + name,
        "stacks",
        "left", "dead job@1 0", "need 1", "keep 9", "unable 1 x", "ready", "joined", "living 1", "limit x",
        "proof " + "0".repeat(64) + " process 1 here 0 job@1 0", "")) {
      assertThat(new Client().says(line).hears()).as(line).isNull();
    }
    Client other = new Client().says("hello 1 " + JobSecret.nonce());
    assertThat(other.hears()).startsWith("proof ");
    assertThat(other.says("proof " + "0".repeat(64) + " process 1 here 0 job@1 0").hears()).isNull();
    assertThat(watch.neverHeard()).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  /** The hosts of a job may have different installations. */
  @Test
  void anotherVersionIsRefusedAndReportedOnce() throws IOException {
    assertThat(new Client().says("hello 2 " + JobSecret.nonce()).hears()).isNull();
    assertThat(new Client().says("hello 3 " + JobSecret.nonce()).hears()).isNull();
    assertThat(printed.toString(StandardCharsets.UTF_8)).containsOnlyOnce("version 2 of the launcher's protocol was refused")
        .doesNotContain("version 3");
    process(0);
  }

  @Test
  void unknownLinesEndTheConnection() throws IOException {
    for (String line : List.of("unknown", "ends now", "need", "need 1 2", "need -1", "need 99999999999999999999", "here 1 x",
        "keep +1", "dead " + "x".repeat(2000) + " 1")) {
      assertThat(process(1).says(line).hears()).as(line).isNull();
    }
  }

  @Test
  void aRecordedIntroductionIsRefused() throws IOException {
    Client process = process(0);
    Client again = new Client().says("hello 1 " + JobSecret.nonce());
    assertThat(again.hears()).startsWith("proof ");
    assertThat(again.says(process.proof).hears()).isNull();
    assertThat(process.says("ends").hears()).isEqualTo("ends");
  }

  @Test
  void anEndlessLineIsCut() throws IOException {
    // What the kernel takes before it is read is not the launcher's memory.
    assertThat(new Client().sendsEndlessly(256 * MEBIBYTE)).isLessThan(16 * MEBIBYTE);
    process(0);
  }

  @Test
  void manyWhoSayNothingLeaveRoomForTheJob() throws IOException {
    for (int i = 0; i < 600; i++) {
      new Client();
    }
    long begin = System.nanoTime();
    process(0);
    process(1);
    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(4));
    int open = 0;
    for (Client client : clients.subList(0, 600)) {
      client.socket.setSoTimeout(1);
      try {
        client.hears();
      } catch (java.net.SocketTimeoutException isOpen) {
        open++;
      }
    }
    assertThat(open).isLessThanOrEqualTo(64 + 2 * PROCESSES);
  }

  @Test
  void aLongLineOfAProcessIsRead() throws IOException {
    Client process = process(0);
    process.says("call 1 " + "x\t".repeat(MEBIBYTE));
    // It is none of a call's, and has been read as a whole.
    assertThat(process.hears()).isNull();
    Client other = process(1);
    String place = "y".repeat(MEBIBYTE);
    String report;
    int lines = 0;
    do {
      // A place is shown for two seconds after the line; a busy machine may need longer to read one.
      other.says("here 1 1\tBODY\tWAITS\t5000\tMPI_Recv\t" + place + "\t\tMain.java:3");
      assertThat(other.says("ends").hears()).isEqualTo("ends");
      report = report();
      lines++;
    } while (report.contains("does not answer") && lines < LINES);
    assertThat(report).contains(place);
  }

  /** 1 MiB at least, of which no socket takes all at once. */
  @Test
  void aProcessThatDoesNotReadGetsWholeLinesLater() throws IOException {
    Client process = process(0);
    String lines = "ends\n".repeat(1000);
    for (int i = 0; i < 2000; i++) {
      process.socket.getOutputStream().write(lines.getBytes(StandardCharsets.UTF_8));
    }
    int ends = 0;
    while (ends < 2_000_000) {
      String line = process.hears();
      if (!line.startsWith("still ")) {
        assertThat(line).isEqualTo("ends");
        ends++;
      }
    }
  }

  @Test
  void terminalsGetNoControlCharacters() throws IOException {
    Client process = process(0);
    process.says("here 1 0\tBODY\tWAITS\t5000\tMPI_Recv\tred \u001b[31m\u0007\u202e\t\tMain.java:3\r")
        .says("limit \u001b[2J over");
    String line = process.hears();
    while (!line.equals("reported")) {
      process.says("here " + line.replaceAll("\\D", "") + " 0\tBODY\tWAITS\t5000\tMPI_Recv\tred \u001b[31m\u0007\u202e\t\tx\r");
      line = process.hears();
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("?[2J over", "red ?[31m??").doesNotContain("\u001b", "\u0007",
        "\r");
  }

  /** Ranks that wait for an answer must see that none will come. */
  @Test
  void anErrorEndsTheConnections() throws IOException {
    Client process = process(0);
    isPrintingImpossible = true;
    process.says("limit x");
    String line = process.hears();
    while (line != null) {
      line = process.hears();
    }
    assertThat(line).isNull();
  }

  @Test
  void theSecretIsInAFileOfTheUsersAlone() throws IOException {
    Path file = folders.session().resolve(JobFiles.ADDRESS);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folders.session()))).isEqualTo("rwx------");
    assertThat(folders.toString()).doesNotContain(folders.secret().text());
  }

  /** Another user has made a folder like a job's, with its own address in it. */
  @Test
  void stacksAreAskedForInFoldersOfOnesOwn() throws IOException {
    Path planted = Files.createDirectory(JobFolders.PARENT.resolve(JobFolders.prefix(1) + "planted" + System.nanoTime()));
    Path link = JobFolders.PARENT.resolve(JobFolders.prefix(1) + "link" + System.nanoTime());
    try {
      Files.writeString(planted.resolve(JobFiles.ADDRESS), watch.addresses() + " " + folders.secret().text());
      Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rwxrwxrwx"));
      Files.createSymbolicLink(link, folders.session());
      assertThatExceptionOfType(LaunchException.class).isThrownBy(() -> JobStacks.of(1)).withMessageContaining("no job of yours");
    } finally {
      Files.deleteIfExists(link);
      JobFolders.remove(planted);
    }
  }

  /** The file is made before it is written. */
  @Test
  void stacksOfAJobThatJustBeginsAreRefused() throws IOException {
    Files.writeString(folders.session().resolve(JobFiles.ADDRESS), "");
    assertThatExceptionOfType(LaunchException.class).isThrownBy(this::report).withMessageContaining("does not answer")
        .withMessageContaining("has no secret of a job");
  }

  @Test
  void allStepsOfAnEndAreTaken() {
    List<String> taken = new ArrayList<>();
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> RunningJob.all(() -> {
      throw new IllegalStateException("first");
    }, () -> taken.add("second"), () -> {
      throw new OutOfMemoryError("third");
    }, () -> taken.add("fourth"))).withMessage("first");
    assertThat(taken).containsExactly("second", "fourth");
  }

  @Test
  void passwordsOnCommandLinesAreWarnedOf() {
    for (String url : List.of("jdbc:mysql://me:s3cr3t@host/db", "jdbc:h2:./m;PASSWORD=s3cr3t", "jdbc:mysql://h/d?pwd%3Ds3cr3t",
        "jdbc:oracle:thin:me/s3cr3t@host:1521:db")) {
      assertThat(ShownPassword.warning(List.of(), List.of("-Dkintsugi.persist.url=" + url))).as(url)
          .contains("-Dkintsugi.persist.url: ", "KINTSUGI_PERSIST_URL").doesNotContain("s3cr3t");
      assertThat(ShownPassword.warning(List.of("-x", "KINTSUGI_PERSIST_URL=" + url), List.of())).doesNotContain("s3cr3t");
    }
    for (String url : List.of("", "@/home/me/password=file", "jdbc:h2:tcp://localhost:9092/./messages")) {
      assertThat(ShownPassword.warning(List.of("-x", "KINTSUGI_PERSIST_URL"), List.of("-Dkintsugi.persist.url=" + url))).isNull();
    }
  }

  /** A client of this host may bind another of its addresses than the one that it connects to. */
  @Test
  void allAddressesOfThisHostAreLocal() throws IOException {
    InetSocketAddress own = new InetSocketAddress("198.51.100.61", 1);
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(each.getInetAddresses())) {
        assertThat(LocalUsers.isLocal(new InetSocketAddress(address, 2), own)).as(address.toString()).isTrue();
      }
    }
    assertThat(LocalUsers.isLocal(new InetSocketAddress("203.0.113.77", 2), own)).isFalse();
  }

  /** A launcher in a process that may have few files open. Says its address and its secret, and ends with its input. */
  static final class FewFiles {
    public static void main(String[] args) throws IOException {
      try (JobFolders folders = JobFolders.create();
          JobServer watch = JobServer.begin(folders, true, PROCESSES, 0, false, System.err)) {
        System.out.println(watch.addresses() + " " + folders.secret().text());
        System.in.read();
      }
    }
  }

  private static String answer(String... addressAndSecret) throws IOException {
    try (Socket process = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(addressAndSecret[0].split(":")[1]))) {
      process.setSoTimeout(20_000);
      String hello = new Handshake.Client(JobSecret.of(addressAndSecret[1]), addressAndSecret[0]).hello().toLine() + "\n";
      process.getOutputStream().write(hello.getBytes(StandardCharsets.UTF_8));
      return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
    }
  }

  /** Then the kernel's list of connections cannot be read either. */
  @Test
  void whoTakesAllFilesEndsNothing() throws IOException, InterruptedException {
    Process launcher = new ProcessBuilder("sh", "-c", "ulimit -n 80; exec \"$@\"", "sh",
        System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path"), FewFiles.class.getName())
        .redirectErrorStream(true).start();
    List<Socket> sockets = new ArrayList<>();
    try (BufferedReader said = new BufferedReader(new InputStreamReader(launcher.getInputStream(), StandardCharsets.UTF_8))) {
      String[] addressAndSecret = said.readLine().split(" ");
      // Its classes are loaded now, for which there will be no files.
      assertThat(answer(addressAndSecret)).startsWith("proof ");
      int port = Integer.parseInt(addressAndSecret[0].split(":")[1]);
      for (int i = 0; i < 200; i++) {
        sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
      TimeUnit.SECONDS.sleep(1);
      for (Socket socket : sockets) {
        socket.close();
      }
      assertThat(answer(addressAndSecret)).startsWith("proof ");
      launcher.getOutputStream().close();
      assertThat(said.readLine()).isNull();
    } finally {
      launcher.destroyForcibly();
    }
    assertThat(launcher.waitFor(20, TimeUnit.SECONDS)).isTrue();
  }
}
