// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines that pass, those that are removed, and the times of both. */
class LineFilterTest {
  private final List<String> taken = new ArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final LineFilter filter = new LineFilter(List.of("NOISE: ", "kin: "), line -> {
    taken.add(line);
    return !line.contains("theirs");
  }, out);

  private void feed(String text) throws IOException {
    byte[] bytes = text.getBytes("ISO-8859-1");
    filter.feed(bytes, bytes.length);
  }

  private String passed() {
    return out.toString(java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  @Test
  void passesPartialLinesAtOnceAndBytesAsTheyAre() throws IOException {
    feed("step 1 \u00ff\0");
    assertThat(passed()).isEqualTo("step 1 \u00ff\0");
    feed("\r\nnext");
    assertThat(passed()).isEqualTo("step 1 \u00ff\0\r\nnext");
    assertThat(filter.isHolding()).isFalse();
  }

  @Test
  void takesLinesFromTheMiddleOfOthers() throws IOException {
    feed("a=NOISE: x\n1\nkin: end 3\nNOISE: y\r\nb");
    assertThat(passed()).isEqualTo("a=1\nb");
    assertThat(taken).containsExactly("NOISE: x", "kin: end 3", "NOISE: y");
  }

  @Test
  void findsMarksHoweverTheBytesAreCut() throws IOException {
    String text = "NNOISE: x\nkkin kin: 1\nNOISE\n";
    for (char one : text.toCharArray()) {
      feed(String.valueOf(one));
    }
    assertThat(passed()).isEqualTo("Nkkin NOISE\n");
    assertThat(taken).containsExactly("NOISE: x", "kin: 1");
  }

  @Test
  void passesOnWhatIsNotForUsAfterAll() throws IOException {
    feed("NOISE: theirs\nNOI");
    assertThat(passed()).isEqualTo("NOISE: theirs\n");
    assertThat(filter.isHolding()).isTrue();
    filter.releaseHeld();
    assertThat(passed()).isEqualTo("NOISE: theirs\nNOI");
    feed("NOISE: half");
    filter.releaseHeld();
    filter.end();
    assertThat(passed()).isEqualTo("NOISE: theirs\nNOI");
    assertThat(taken).containsExactly("NOISE: theirs", "NOISE: half");
  }
}
