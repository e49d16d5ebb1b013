// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** The proof that both sides are of one job, and what it is made of. */
class HandshakeTest {
  private static final String ADDRESS = "127.0.0.1:4711";
  private static final FromProcess WHO = new FromProcess.Introduction(1, "host", 0, "job", 0);
  private static final String WORDS = WHO.toLine();

  private final JobSecret secret = JobSecret.random();
  private final Handshake.Client client = new Handshake.Client(secret, ADDRESS);
  private final Handshake.Launcher launcher = new Handshake.Launcher(secret, ADDRESS);

  @Test
  void digestsAreThoseOfTheJdk() throws GeneralSecurityException {
    Random random = new Random(65);
    for (int length = 0; length < 300; length++) {
      byte[] text = new byte[length];
      byte[] key = new byte[1 + length % 100];
      random.nextBytes(text);
      random.nextBytes(key);
      assertThat(Sha256.digest(text)).isEqualTo(MessageDigest.getInstance("SHA-256").digest(text));
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      assertThat(Sha256.hmac(key, text)).isEqualTo(mac.doFinal(text));
    }
  }

  @Test
  void bothSidesProveThatTheyHaveTheSecret() {
    String proof = proofOf(client.hello().toLine());
    assertThat(proof).doesNotContain(secret.text());
    assertThat(launcher.client(proof)).isEqualTo(WHO);
  }

  @Test
  void secretsAreNotPrintedAndNotGuessed() {
    assertThat(secret.toString()).doesNotContain(secret.text());
    assertThat(secret.text()).hasSize(64).isNotEqualTo(JobSecret.random().text());
    assertThat(JobSecret.of(secret.text()).proof("a", "b")).isEqualTo(secret.proof("a", "b"));
    assertThat(JobSecret.of(null)).isNull();
    assertThat(JobSecret.of("short")).isNull();
  }

  @Test
  void whoHasAnotherSecretIsRefused() {
    JobSecret other = JobSecret.random();
    Handshake.Client stranger = new Handshake.Client(other, ADDRESS);
    HandshakeLine.LauncherProof answer = launcher.answer(stranger.hello().toLine());
    assertThat(stranger.answer(answer.toLine(), WHO)).isNull();
    refuses("proof " + other.proof("client", ADDRESS, stranger.hello().nonce(), answer.nonce(), WORDS) + " " + WORDS);
    refuses("proof " + "0".repeat(64) + " " + WORDS);
    refuses("proof  " + WORDS);
    refuses(WORDS);
  }

  @Test
  void aLauncherWithoutTheSecretGetsNoWord() {
    String hello = client.hello().toLine();
    Handshake.Launcher impostor = new Handshake.Launcher(JobSecret.random(), ADDRESS);
    assertThat(client.answer(impostor.answer(hello).toLine(), WHO)).isNull();
    assertThat(client.answer(hello, WHO)).isNull();
    assertThat(client.answer("", WHO)).isNull();
    assertThat(client.answer("proof ", WHO)).isNull();
  }

  @Test
  void whatWasRecordedIsWorthNothing() {
    String hello = client.hello().toLine();
    String proof = proofOf(hello);
    Handshake.Launcher next = new Handshake.Launcher(secret, ADDRESS);
    next.answer(hello);
    assertThatIllegalArgumentException().isThrownBy(() -> next.client(proof));
  }

  /** Somebody who gets the launcher's proof cannot hand it in as his own. */
  @Test
  void aProofIsNotTheOtherSides() {
    HandshakeLine.LauncherProof answer = launcher.answer(client.hello().toLine());
    refuses(new HandshakeLine.ClientProof(answer.proof(), WORDS).toLine());
    assertThat(client.answer(client.hello().toLine(), WHO)).isNull();
  }

  /**
   * Somebody at an address that is this host's on each host (127.0.0.1, a bridge's) passes all on
   * to the launcher.
   */
  @Test
  void somebodyInBetweenIsFoundOut() {
    Handshake.Launcher atOtherAddress = new Handshake.Launcher(secret, "10.0.0.1:4711");
    assertThat(client.answer(atOtherAddress.answer(client.hello().toLine()).toLine(), WHO)).isNull();
  }

  @Test
  void otherWordsAreRefused() {
    String proof = proofOf(client.hello().toLine());
    refuses(proof.replace("process 1", "process 2"));
  }

  @Test
  void controlCharactersAreReplaced() {
    assertThat(Line.printable("a\tb \u00fc \u4e2d")).isEqualTo("a\tb \u00fc \u4e2d");
    assertThat(Line.printable("a\u001b[2Jb\r\u0007\u009b\u202e\u2028c")).isEqualTo("a?[2Jb?????c");
  }

  @Test
  void anotherVersionIsRefused() {
    String hello = client.hello().toLine();
    assertThat(hello).startsWith("hello " + HandshakeLine.VERSION + " ");
    String other = hello.replaceFirst(" \\d+ ", " " + (HandshakeLine.VERSION + 1) + " ");
    assertThatExceptionOfType(Handshake.OtherVersionException.class).isThrownBy(() -> launcher.answer(other))
        .satisfies(refused -> assertThat(refused.version()).isEqualTo(HandshakeLine.VERSION + 1));
    assertThat(launcher.hasAnswered()).isFalse();
    assertThatIllegalArgumentException().as("as it was before there were versions")
        .isThrownBy(() -> launcher.answer("hello " + client.hello().nonce()));
  }

  private String proofOf(String hello) {
    return client.answer(launcher.answer(hello).toLine(), WHO).toLine();
  }

  private void refuses(String line) {
    assertThatIllegalArgumentException().isThrownBy(() -> launcher.client(line));
  }
}
