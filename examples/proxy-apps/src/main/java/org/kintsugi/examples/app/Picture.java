// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.awt.Color;
import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.awt.geom.AffineTransform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.internal.series.Series;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A picture of a run's result: coloured points of a plane, with a title, axes and a legend. Nothing is drawn before {@link
 * #write}.
 */
public final class Picture {
  /** From low to high, light to dark (ColorBrewer's YlOrRd). */
  private static final int[] SCALE = {0xffeda0, 0xfed976, 0xfeb24c, 0xfd8d3c, 0xfc4e2a, 0xe31a1c, 0x800026};
  private static final Pattern CLIP = Pattern.compile("clip-?\\d+");
  private static final String SUFFIX = ".svg";
  private static final int WIDTH = 960;
  private static final int HEIGHT = 800;
  /** The approximate edge of the area of the points. */
  private static final double PLOT_EDGE = 690;
  private static final int SMALLEST = 3;
  private static final int LARGEST = 60;
  private static final int LARGEST_POINT = 12;

  static {
    // Also where the environment names a display.
    System.setProperty("java.awt.headless", "true");
  }

  private final XYChart chart;
  private final boolean isOfTiles;

  private Picture(XYChart chart, boolean isOfTiles) {
    this.chart = chart;
    this.isOfTiles = isOfTiles;
  }

  /** An empty one whose points are apart. */
  public static Picture ofPoints(String title, String xAxis, String yAxis) {
    return new Picture(new XYChartBuilder().width(WIDTH).height(HEIGHT).title(title).xAxisTitle(xAxis).yAxisTitle(yAxis).build(),
        false);
  }

  /** An empty one whose points fill a square. */
  public static Picture ofTiles(String title, String xAxis, String yAxis) {
    return new Picture(ofPoints(title, xAxis, yAxis).chart, true);
  }

  /** The most classes that {@link #addClasses} can tell apart. */
  public static int mostClasses() {
    return SCALE.length;
  }

  /**
   * Adds points in colours by their values.
   *
   * @param bounds between classes, ascending: a value that equals one belongs to the upper class
   * @param legend of class 0 (below all bounds) and so on
   */
  public void addClasses(Sample sample, double[] bounds, IntFunction<String> legend) {
    for (int upper = bounds.length; upper >= 0; upper--) {
      int one = upper;
      add(legend.apply(one), SCALE[one * (SCALE.length - 1) / Math.max(1, bounds.length)],
          sample.where(value -> classOf(value, bounds) == one));
    }
  }

  private static int classOf(double value, double[] bounds) {
    return (int) Arrays.stream(bounds).filter(bound -> value >= bound).count();
  }

  /**
   * Adds points in one colour; none if the sample is empty.
   *
   * @param legend null: the legend does not tell of them
   * @param colour red, green and blue, eight bits each
   */
  public void add(String legend, int colour, Sample sample) {
    if (sample.size() == 0) {
      return;
    }
    String name = legend == null ? "points " + chart.getSeriesMap().size() : legend;
    XYSeries series = chart.addSeries(name, sample.x(), sample.y());
    series.setMarker(isOfTiles ? SeriesMarkers.SQUARE : SeriesMarkers.CIRCLE);
    series.setMarkerColor(new Color(colour));
    series.setShowInLegend(legend != null);
  }

  /** Why a picture cannot be written into a file, or not drawn at all here; null: it can. */
  public static String refusal(Path file) {
    if (!file.toString().toLowerCase(Locale.ROOT).endsWith(SUFFIX)) {
      return "the name has to end with " + SUFFIX + ", as it is the only format";
    }
    String refusal = OutputFile.refusal(file);
    if (refusal != null) {
      return refusal;
    }
    try {
      new Font(Font.SANS_SERIF, Font.PLAIN, 1).getStringBounds("x", new FontRenderContext(new AffineTransform(), true, true));
      return null;
    } catch (RuntimeException | LinkageError | InternalError e) {
      return "this Java cannot write text, most likely as no font is installed (Debian: fontconfig, fonts-dejavu-core): " + e;
    }
  }

  /** Draws it under a temporary name and renames it, so that nobody sees a part of it. */
  public void write(Path file) throws IOException {
    style();
    ByteArrayOutputStream drawn = new ByteArrayOutputStream();
    VectorGraphicsEncoder.saveVectorGraphic(chart, drawn, VectorGraphicsFormat.SVG);
    OutputFile.write(file, withWords(drawn.toString(StandardCharsets.UTF_8)));
  }

  /** The library draws letters as outlines: what they say is for programs that read a picture aloud, or search it. */
  private String withWords(String svg) {
    String legend = chart.getSeriesMap().values().stream().filter(Series::isShowInLegend).map(Series::getName)
        .collect(Collectors.joining(", "));
    String words = "<title>" + escaped(chart.getTitle()) + "</title>\n  <desc>"
        + escaped("x: " + chart.getXAxisTitle() + "; y: " + chart.getYAxisTitle() + "; colours: " + legend) + "</desc>\n  ";
    // Clips have other numbers each time, and the same picture is to be the same file.
    Map<String, Integer> numbers = new HashMap<>();
    String named = CLIP.matcher(svg).replaceAll(clip -> "clip" + numbers.computeIfAbsent(clip.group(), one -> numbers.size()));
    return named.replaceFirst("<defs", Matcher.quoteReplacement(words) + "<defs");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private void style() {
    int points = chart.getSeriesMap().values().stream().mapToInt(series -> series.getXData().length).sum();
    double apart = PLOT_EDGE / Math.sqrt(Math.max(1, points));
    double size = isOfTiles ? Math.min(LARGEST, Math.ceil(apart)) : Math.min(LARGEST_POINT, apart / 2);
    chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter).setMarkerSize((int) Math.max(SMALLEST, size))
        .setLegendPosition(LegendPosition.OutsideE).setChartBackgroundColor(Color.WHITE)
        .setDecimalPattern("0.###");
    chart.getStyler().setPlotGridLinesVisible(false);
    chart.getSeriesMap().values().forEach(series -> series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter));
  }

  /** A number with three digits at most, as people write it. */
  public static String number(double number) {
    return new BigDecimal(number).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }

  /** The bounds of a value's classes, for legends: so many, each {@code step} above the one before. */
  public static double[] steps(double step, int count) {
    return IntStream.rangeClosed(1, count).mapToDouble(i -> i * step).toArray();
  }
}
