// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

/** The lines by which both sides prove that they belong to one job: see {@link Handshake}. */
public sealed interface HandshakeLine extends Line {
  /** The version of the protocol. It changes with any line: launcher and processes are of one installation. */
  int VERSION = 1;

  /** The highest version that a client may name. */
  int MOST_VERSIONS = 9999;

  /**
   * The client's first line.
   *
   * @param version of its protocol
   * @param nonce drawn by the client
   */
  record Hello(int version, String nonce) implements HandshakeLine {
    /** The kind. */
    static final String KIND = "hello";

    /**
     * Refuses fields out of their bounds.
     *
     * @param version of its protocol
     * @param nonce drawn by the client
     */
    public Hello {
      Fields.checkRange(version, 1, MOST_VERSIONS);
      checkDigits(nonce, JobSecret.NONCE_LENGTH);
    }

    @Override
    public String toLine() {
      return KIND + " " + version + " " + nonce;
    }

    /**
     * Parses a line.
     *
     * @param line of a client
     * @return the same line, possibly of another version
     * @throws IllegalArgumentException if it is none
     */
    public static Hello parse(String line) {
      Fields fields = begin(line, KIND);
      return fields.only(new Hello(fields.number(), fields.word()));
    }
  }

  /**
   * The launcher's answer.
   *
   * @param nonce drawn by the launcher
   * @param proof of the launcher
   */
  record LauncherProof(String nonce, String proof) implements HandshakeLine {
    /**
     * Refuses fields out of their bounds.
     *
     * @param nonce drawn by the launcher
     * @param proof of the launcher
     */
    public LauncherProof {
      checkDigits(nonce, JobSecret.NONCE_LENGTH);
      checkDigits(proof, JobSecret.PROOF_LENGTH);
    }

    @Override
    public String toLine() {
      return ClientProof.KIND + " " + nonce + " " + proof;
    }

    /**
     * Parses a line.
     *
     * @param line of a launcher
     * @return the same line
     * @throws IllegalArgumentException if it is none
     */
    public static LauncherProof parse(String line) {
      Fields fields = begin(line, ClientProof.KIND);
      return fields.only(new LauncherProof(fields.word(), fields.word()));
    }
  }

  /**
   * The client's second line.
   *
   * @param proof of the client
   * @param words the client's introduction, as the line that was proved
   */
  record ClientProof(String proof, String words) implements HandshakeLine {
    /** The kind. */
    static final String KIND = "proof";

    /**
     * Refuses fields out of their bounds.
     *
     * @param proof of the client
     * @param words the client's introduction, as the line that was proved
     */
    public ClientProof {
      checkDigits(proof, JobSecret.PROOF_LENGTH);
    }

    @Override
    public String toLine() {
      return KIND + " " + proof + " " + words;
    }

    /**
     * Parses a line.
     *
     * @param line of a client
     * @return the same line
     * @throws IllegalArgumentException if it is none
     */
    public static ClientProof parse(String line) {
      Fields fields = begin(line, KIND);
      return new ClientProof(fields.word(), fields.rest());
    }
  }

  private static Fields begin(String line, String kind) {
    Fields fields = Fields.of(line, LONGEST_OF_STRANGER);
    if (!fields.word().equals(kind)) {
      throw new IllegalArgumentException("not a line of the handshake");
    }
    return fields;
  }

  private static void checkDigits(String text, int length) {
    boolean isHex = text.length() == length;
    for (int i = 0; isHex && i < length; i++) {
      isHex = JobSecret.DIGITS.indexOf(text.charAt(i)) >= 0;
    }
    if (!isHex) {
      throw new IllegalArgumentException(length + " hexadecimal digits are expected");
    }
  }
}
