// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PictureTest {
  @TempDir
  private Path folder;

  private static Sample sample(double... values) {
    return new Sample(values.clone(), values.clone(), values);
  }

  private String drawn(Picture picture) throws Exception {
    Path file = folder.resolve("picture.svg");
    picture.write(file);
    // Fails unless it is XML; what its type is defined by is not looked up.
    DocumentBuilderFactory xml = DocumentBuilderFactory.newInstance();
    xml.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    xml.newDocumentBuilder().parse(file.toFile());
    return Files.readString(file);
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }

  @Test
  void hasTitleAxesLegendAndAPointForEachOfTheSample() throws Exception {
    Picture picture = Picture.ofPoints("what it is", "the way (m)", "the height (km)");
    picture.addClasses(sample(0.5, 1.0, 1.5, 2.0, 7.0), new double[] {1, 2}, i -> "class " + i);
    String svg = drawn(picture);
    assertThat(svg).contains("what it is", "the way (m)", "the height (km)", "class 0", "class 1", "class 2");
    Picture fewer = Picture.ofPoints("what it is", "the way (m)", "the height (km)");
    fewer.addClasses(sample(0.5, 1.0, 2.0, 7.0), new double[] {1, 2}, i -> "class " + i);
    assertThat(count(svg, "<ellipse") - count(drawn(fewer), "<ellipse")).isEqualTo(1);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(folder.resolve("picture.svg"));
    }
  }

  @Test
  void whatTheLegendDoesNotTellOfIsDrawnAllTheSame() throws Exception {
    Picture picture = Picture.ofTiles("t", "x", "y");
    picture.add("told", 0xff0000, sample(1, 2));
    picture.add(null, 0x00ff00, sample(3));
    picture.add("nobody", 0x0000ff, sample());
    assertThat(drawn(picture)).contains("told", "rgb(0,255,0)").doesNotContain("nobody", "points 1");
  }

  @Test
  void isRefusedWhereItCannotBeWritten() throws IOException {
    assertThat(Picture.refusal(folder.resolve("new.svg"))).isNull();
    assertThat(Picture.refusal(Path.of("new.SVG"))).isNull();
    assertThat(Picture.refusal(folder.resolve("new.png"))).contains(".svg");
    assertThat(Picture.refusal(folder.resolve("none/new.svg"))).contains("no folder " + folder.resolve("none"));
    assertThat(Picture.refusal(Files.createDirectory(folder.resolve("a.svg")))).contains("a folder");
  }

  @Test
  void numbersAreWrittenAsPeopleWriteThem() {
    assertThat(Picture.number(0.1 * 3)).isEqualTo("0.3");
    assertThat(Picture.number(100)).isEqualTo("100");
    assertThat(Picture.number(0)).isEqualTo("0");
  }

  @Test
  void aSampleOfTooManyPointsIsThinned() {
    double[] many = new double[2 * Sample.MOST];
    Arrays.setAll(many, i -> i);
    Sample thin = sample(many).gather(null);
    assertThat(thin.size()).isEqualTo(Sample.MOST);
    assertThat(thin.x()[1]).isEqualTo(2);
    assertThat(thin.value()[Sample.MOST - 1]).isEqualTo(2.0 * Sample.MOST - 2);
    assertThat(sample(3, 1, 2).gather(null).greatest()).isEqualTo(3);
  }
}
