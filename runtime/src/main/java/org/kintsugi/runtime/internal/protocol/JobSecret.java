// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * Known to the launcher and the processes of one job only. Neither sends it: each proves that it
 * has it, by an HMAC over numbers that both have just drawn ({@link Handshake}).
 *
 * <p>It travels in the environment ({@link VariableNames#JOB_SECRET}), which only the owner of a
 * process can read; a command line can be read by everybody.
 */
public final class JobSecret {
  /** The length of a number that {@link #nonce} draws, in characters. */
  public static final int NONCE_LENGTH = 32;

  /** The length of a proof, in characters. */
  public static final int PROOF_LENGTH = 2 * Sha256.BYTES;

  private static final int SECRET_BYTES = 32;
  /** The digits of nonces and proofs. */
  static final String DIGITS = "0123456789abcdef";
  private static final String BETWEEN = "\n";

  /**
   * Stays open: later this process may have no file descriptor left. Not SecureRandom, whose first
   * use in a process takes tens of milliseconds.
   */
  private static InputStream random;

  private final String text;

  private JobSecret(String text) {
    this.text = text;
  }

  /**
   * One for a new job.
   *
   * @return 256 bits that nobody can guess
   */
  public static JobSecret random() {
    return new JobSecret(hex(draw(SECRET_BYTES)));
  }

  /**
   * That of a job which has one.
   *
   * @param text of {@link #text}
   * @return null: the text is none
   */
  public static JobSecret of(String text) {
    boolean isOne = text != null && text.length() == 2 * SECRET_BYTES && text.chars().allMatch(c -> DIGITS.indexOf(c) >= 0);
    return isOne ? new JobSecret(text) : null;
  }

  /**
   * The secret itself: for an environment, or for a file that only its owner can read.
   *
   * @return 64 characters
   */
  public String text() {
    return text;
  }

  /**
   * A number that is used once, so that no recorded proof is worth anything.
   *
   * @return {@value #NONCE_LENGTH} characters
   */
  public static String nonce() {
    return hex(draw(NONCE_LENGTH / 2));
  }

  private static synchronized byte[] draw(int count) {
    try {
      if (random == null) {
        random = new FileInputStream("/dev/urandom");
      }
      byte[] bytes = new byte[count];
      if (random.readNBytes(bytes, 0, count) < count) {
        throw new IOException("/dev/urandom has ended");
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Proves that the author of these words has the secret.
   *
   * @param words without line breaks
   * @return {@value #PROOF_LENGTH} characters
   */
  public String proof(String... words) {
    return hex(Sha256.hmac(text.getBytes(StandardCharsets.US_ASCII),
        String.join(BETWEEN, words).getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Whether a proof is that of these words; takes as long for a wrong one whatever is wrong with
   * it.
   *
   * @param proof what the other side has sent
   * @param words without line breaks
   * @return false: its author does not have the secret
   */
  public boolean isProof(String proof, String... words) {
    return MessageDigest.isEqual(proof(words).getBytes(StandardCharsets.UTF_8), proof.getBytes(StandardCharsets.UTF_8));
  }

  /** Not the secret: an object's text is printed sooner or later. */
  @Override
  public String toString() {
    return "a job's secret";
  }

  private static String hex(byte... bytes) {
    StringBuilder text = new StringBuilder(2 * bytes.length);
    for (byte one : bytes) {
      text.append(DIGITS.charAt((one & 0xff) >>> 4)).append(DIGITS.charAt(one & 0xf));
    }
    return text.toString();
  }
}
