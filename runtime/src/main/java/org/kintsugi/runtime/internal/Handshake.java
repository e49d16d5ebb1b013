// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

/**
 * The launcher and a client prove to each other that they belong to one job: three lines, before
 * all others of {@link WatchLines}.
 *
 * <pre>
 *   client:   hello N            N: its nonce
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
     * @return without a line break
     */
    public String hello() {
      return WatchLines.HELLO + nonce;
    }

    /**
     * The second line of this side.
     *
     * @param line the launcher's answer to the first
     * @param words who this is
     * @return null: the other side is not the job's launcher, and must not get a word more
     */
    public String answer(String line, String words) {
      int proofAt = WatchLines.PROOF.length() + JobSecret.NONCE_LENGTH + 1;
      if (!line.startsWith(WatchLines.PROOF) || line.length() != proofAt + JobSecret.PROOF_LENGTH) {
        return null;
      }
      String others = line.substring(WatchLines.PROOF.length(), proofAt - 1);
      return secret.isProof(line.substring(proofAt), LAUNCHER, address, nonce, others)
          ? WatchLines.PROOF + secret.proof(CLIENT, address, nonce, others, words) + " " + words
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
     * @return without a line break
     * @throws IllegalArgumentException if that is none
     */
    public String answer(String line) {
      if (!line.startsWith(WatchLines.HELLO) || line.length() != WatchLines.HELLO.length() + JobSecret.NONCE_LENGTH) {
        throw stranger();
      }
      others = line.substring(WatchLines.HELLO.length());
      return WatchLines.PROOF + nonce + " " + secret.proof(LAUNCHER, address, others, nonce);
    }

    /**
     * Checks the client's second line.
     *
     * @param line which it has sent
     * @return who it says it is
     * @throws IllegalArgumentException if it has not proved that it is of this job
     */
    public String words(String line) {
      int wordsAt = WatchLines.PROOF.length() + JobSecret.PROOF_LENGTH + 1;
      if (!line.startsWith(WatchLines.PROOF) || line.length() < wordsAt) {
        throw stranger();
      }
      String words = line.substring(wordsAt);
      if (!secret.isProof(line.substring(WatchLines.PROOF.length(), wordsAt - 1), CLIENT, address, others, nonce, words)) {
        throw stranger();
      }
      return words;
    }

    private static IllegalArgumentException stranger() {
      return new IllegalArgumentException("not a process of this job");
    }
  }
}
