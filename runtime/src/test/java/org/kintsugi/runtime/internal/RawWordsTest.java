// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes that are text in no encoding, or in another one. */
class RawWordsTest {
  @Test
  void bytesComeBackAsTheyWere() {
    Random random = new Random(65);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      assertThat(RawWords.encode(RawWords.decode(bytes))).containsExactly(bytes);
    }
    for (byte[] bytes : new byte[][] {{(byte) 0xfc}, {(byte) 0xe6, (byte) 0xbc}, {(byte) 0xed, (byte) 0xb2, (byte) 0x80},
        {(byte) 0xf0, (byte) 0x9f, (byte) 0x99}, {'a', (byte) 0x80, (byte) 0xff}}) {
      String word = RawWords.decode(bytes);
      assertThat(RawWords.hasRawBytes(word)).isTrue();
      assertThat(RawWords.encode(word)).containsExactly(bytes);
    }
  }

  @Test
  void textIsText() {
    for (String text : new String[] {"", "a", "\u00fc", "\u6f22", "\ud83d\ude42", "a\nb"}) {
      assertThat(RawWords.decode(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
      assertThat(RawWords.hasRawBytes(text)).isFalse();
    }
    assertThat(RawWords.hasRawBytes("\ud83d\udc80")).as("a pair, whose second half looks like a raw byte").isFalse();
  }

  @Test
  void theWordsOfThisProcessBeginWithItsProgram() throws IOException {
    assertThat(RawWords.ofThisProcess().get(0)).endsWith("java");
  }
}
