// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

/**
 * The launcher and a client prove to each other that they belong to one job: three lines, before
 * all other lines.
 *
 * <pre>
 *   client:   hello V N          V: the version of its protocol, N: its nonce
 *   launcher: proof M P          M: its nonce; P: the proof of "launcher", the address, N and M
 *   client:   proof Q WORDS      Q: the proof of "client", the address, N, M and WORDS, which say who it is
 * </pre>
 *
 * <p>What holds: the secret is not sent. A recorded line is worth nothing, as both nonces are new
 * for each connection. One side's proof is not the other's, as each names its author. Somebody in
 * between who passes the lines on is found out, as both sides prove the address of the launcher as
 * they see it: a client that was deceived sees another one than the launcher. The launcher keeps
 * nothing of a client that has not come to the end of this but two short texts.
 */
public final class Handshake {
  private static final String LAUNCHER = "launcher";
  private static final String CLIENT = "client";

  private Handshake() {}

  /** The side that has connected. */
  public static final class Client {
    private final JobSecret secret;
    private final String address;
    private final String nonce = JobSecret.nonce();

    /**
     * For one connection.
     *
     * @param secret of the job
     * @param address to which it was made, as {@code host:port}, the host in numbers
     */
    public Client(JobSecret secret, String address) {
      this.secret = secret;
      this.address = address;
    }

    /**
     * The first line.
     *
     * @return with the version of the protocol
     */
    public HandshakeLine.Hello hello() {
      return new HandshakeLine.Hello(HandshakeLine.VERSION, nonce);
    }

    /**
     * The second line of this side.
     *
     * @param line the launcher's answer to the first
     * @param who this is
     * @return null: the other side is not the job's launcher, and must not get a word more
     */
    public HandshakeLine.ClientProof answer(String line, FromProcess who) {
      HandshakeLine.LauncherProof launcher;
      try {
        launcher = HandshakeLine.LauncherProof.parse(line);
      } catch (IllegalArgumentException none) {
        return null;
      }
      String words = who.toLine();
      return secret.isProof(launcher.proof(), LAUNCHER, address, nonce, launcher.nonce())
          ? new HandshakeLine.ClientProof(secret.proof(CLIENT, address, nonce, launcher.nonce(), words), words)
          : null;
    }
  }

  /** The launcher's side. */
  public static final class Launcher {
    private final JobSecret secret;
    private final String address;
    private final String nonce = JobSecret.nonce();
    private String others; // null: it has said nothing yet

    /**
     * For one connection.
     *
     * @param secret of the job
     * @param address to which it was made, as {@code host:port}, the host in numbers
     */
    public Launcher(JobSecret secret, String address) {
      this.secret = secret;
      this.address = address;
    }

    /**
     * Whether the next line is the client's second.
     *
     * @return false: its first
     */
    public boolean hasAnswered() {
      return others != null;
    }

    /**
     * The answer to the client's first line.
     *
     * @param line which it has sent
     * @return the proof of this side
     * @throws OtherVersionException if the client has another version of the protocol
     * @throws IllegalArgumentException if that is none
     */
    public HandshakeLine.LauncherProof answer(String line) {
      HandshakeLine.Hello hello = HandshakeLine.Hello.parse(line);
      if (hello.version() != HandshakeLine.VERSION) {
        throw new OtherVersionException(hello.version());
      }
      others = hello.nonce();
      return new HandshakeLine.LauncherProof(nonce, secret.proof(LAUNCHER, address, others, nonce));
    }

    /**
     * Checks the client's second line.
     *
     * @param line which it has sent
     * @return who it says it is
     * @throws IllegalArgumentException if it has not proved that it is of this job
     */
    public FromProcess client(String line) {
      HandshakeLine.ClientProof client = HandshakeLine.ClientProof.parse(line);
      if (!secret.isProof(client.proof(), CLIENT, address, others, nonce, client.words())) {
        throw new IllegalArgumentException("not a process of this job");
      }
      return FromProcess.parse(client.words());
    }
  }

  /** A client has another version of the protocol. */
  public static final class OtherVersionException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int version;

    private OtherVersionException(int version) {
      super("version " + version + " of the protocol instead of " + HandshakeLine.VERSION);
      this.version = version;
    }

    /**
     * The client's version.
     *
     * @return as it says
     */
    public int version() {
      return version;
    }
  }
}
