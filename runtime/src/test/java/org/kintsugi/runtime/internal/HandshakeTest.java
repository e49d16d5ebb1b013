// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import static org.assertj.core.api.Assertions.assertThat;
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
  private static final String WORDS = "process 1 host 0 job 0";

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
    String proof = client.answer(launcher.answer(client.hello()), WORDS);
    assertThat(proof).doesNotContain(secret.text());
    assertThat(launcher.words(proof)).isEqualTo(WORDS);
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
    String answer = launcher.answer(stranger.hello());
    assertThat(stranger.answer(answer, WORDS)).isNull();
    refuses(
        "proof " + other.proof("client", ADDRESS, stranger.hello().substring(6), answer.substring(6, 38), WORDS) + " " + WORDS);
    refuses("proof " + "0".repeat(64) + " " + WORDS);
    refuses("proof  " + WORDS);
    refuses(WORDS);
  }

  @Test
  void aLauncherWithoutTheSecretGetsNoWord() {
    String hello = client.hello();
    Handshake.Launcher impostor = new Handshake.Launcher(JobSecret.random(), ADDRESS);
    assertThat(client.answer(impostor.answer(hello), WORDS)).isNull();
    assertThat(client.answer(hello, WORDS)).isNull();
    assertThat(client.answer("", WORDS)).isNull();
    assertThat(client.answer("proof ", WORDS)).isNull();
  }

  @Test
  void whatWasRecordedIsWorthNothing() {
    String hello = client.hello();
    String proof = client.answer(launcher.answer(hello), WORDS);
    Handshake.Launcher next = new Handshake.Launcher(secret, ADDRESS);
    next.answer(hello);
    assertThatIllegalArgumentException().isThrownBy(() -> next.words(proof));
  }

  /** Somebody who gets the launcher's proof cannot hand it in as his own. */
  @Test
  void aProofIsNotTheOtherSides() {
    String answer = launcher.answer(client.hello());
    refuses(answer.substring(0, 6) + answer.substring(39) + " " + WORDS);
    assertThat(client.answer(client.hello(), WORDS)).isNull();
  }

  /**
   * Somebody at an address that is this host's on each host (127.0.0.1, a bridge's) passes all on
   * to the launcher.
   */
  @Test
  void somebodyInBetweenIsFoundOut() {
    Handshake.Launcher atOtherAddress = new Handshake.Launcher(secret, "10.0.0.1:4711");
    assertThat(client.answer(atOtherAddress.answer(client.hello()), WORDS)).isNull();
  }

  @Test
  void otherWordsAreRefused() {
    String proof = client.answer(launcher.answer(client.hello()), WORDS);
    refuses(proof.replace("process 1", "process 2"));
  }

  @Test
  void controlCharactersAreReplaced() {
    assertThat(WatchLines.printable("a\tb \u00fc \u4e2d")).isEqualTo("a\tb \u00fc \u4e2d");
    assertThat(WatchLines.printable("a\u001b[2Jb\r\u0007\u009b\u202e\u2028c")).isEqualTo("a?[2Jb?????c");
  }

  private void refuses(String line) {
    assertThatIllegalArgumentException().isThrownBy(() -> launcher.words(line));
  }
}
