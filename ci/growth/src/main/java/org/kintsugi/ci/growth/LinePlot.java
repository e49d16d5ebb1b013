// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines and points on two logarithmic axes, as SVG whose letters are text. */
final class LinePlot {
  private static final double LEFT = 80;
  private static final double RIGHT = 640;
  private static final double TOP = 44;
  private static final double BOTTOM = 370;
  private static final double LEGEND = 660;
  private static final double LINE = 19;
  private static final String[] COLOURS =
      {"#08306b", "#e6550d", "#238b45", "#6a51a3", "#a50f15", "#525252", "#dd3497", "#8c6d31", "#1d91c0", "#000"};

  private final String title;
  private final String xAxis;
  private final String yAxis;
  private final double fromX;
  private final double toX;
  private final double fromY;
  private final double toY;
  private final List<Series> all = new ArrayList<>();

  /** A series of values. Points are drawn without a line. */
  private record Series(String name, double[] xs, double[] ys, boolean isLine, boolean isDashed, String colour) {}

  /** The axes go over whole powers of ten. */
  LinePlot(String title, String xAxis, String yAxis, double[] xRange, double[] yRange) {
    this.title = title;
    this.xAxis = xAxis;
    this.yAxis = yAxis;
    fromX = Math.log10(xRange[0]);
    toX = Math.log10(xRange[1]);
    fromY = Math.log10(yRange[0]);
    toY = Math.log10(yRange[1]);
  }

  LinePlot line(String name, double[] xs, double[] ys, int colour, boolean isDashed) {
    all.add(new Series(name, xs, ys, true, isDashed, COLOURS[colour % COLOURS.length]));
    return this;
  }

  LinePlot points(String name, double[] xs, double[] ys, int colour) {
    all.add(new Series(name, xs, ys, false, false, COLOURS[colour % COLOURS.length]));
    return this;
  }

  String svg() {
    StringBuilder svg = new StringBuilder(String.format(Locale.ROOT,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 430\" role=\"img\" font-family=\"sans-serif\" "
            + "font-size=\"13\"><title>%s</title>%n<rect width=\"900\" height=\"430\" fill=\"#fff\"/>%n",
        escaped(title)));
    text(svg, (LEFT + RIGHT) / 2, TOP - 20, "middle", " font-weight=\"bold\"", title);
    axes(svg);
    double legend = TOP + 6;
    for (Series series : all) {
      draw(svg, series);
      if (series.isLine) {
        svg.append(String.format(Locale.ROOT, "<path d=\"M%.0f %.0fh26\" stroke=\"%s\" stroke-width=\"2\"%s/>%n", LEGEND, legend,
            series.colour, dashes(series)));
      } else {
        svg.append(String.format(Locale.ROOT, "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"4\" fill=\"%s\"/>%n", LEGEND + 13, legend,
            series.colour));
      }
      text(svg, LEGEND + 32, legend + 4, "start", "", series.name);
      legend += LINE;
    }
    return svg.append("</svg>\n").toString();
  }

  private void axes(StringBuilder svg) {
    for (double power = Math.ceil(fromY); power <= toY; power++) {
      double y = y(Math.pow(10, power));
      svg.append(String.format(Locale.ROOT, "<path d=\"M%.0f %.1fH%.0f\" stroke=\"#ddd\"/>%n", LEFT, y, RIGHT));
      text(svg, LEFT - 6, y + 4, "end", "", number(power));
    }
    for (double power = Math.ceil(fromX); power <= toX; power++) {
      double x = x(Math.pow(10, power));
      svg.append(String.format(Locale.ROOT, "<path d=\"M%.1f %.0fV%.0f\" stroke=\"#ddd\"/>%n", x, TOP, BOTTOM));
      text(svg, x, BOTTOM + LINE, "middle", "", number(power));
    }
    svg.append(String.format(Locale.ROOT, "<path d=\"M%.0f %.0fV%.0fH%.0f\" fill=\"none\" stroke=\"#000\"/>%n", LEFT, TOP, BOTTOM,
        RIGHT));
    text(svg, (LEFT + RIGHT) / 2, BOTTOM + 2 * LINE, "middle", "", xAxis);
    svg.append(String.format(Locale.ROOT, "<text transform=\"translate(18 %.0f) rotate(-90)\" text-anchor=\"middle\">%s</text>%n",
        (TOP + BOTTOM) / 2, escaped(yAxis)));
  }

  private void draw(StringBuilder svg, Series series) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < series.xs.length; i++) {
      double x = x(series.xs[i]);
      double y = y(series.ys[i]);
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      if (!series.isLine) {
        svg.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"><title>%s: %.3g, %.3g</title>"
            + "</circle>%n", x, y, series.colour, escaped(series.name), series.xs[i], series.ys[i]));
      }
    }
    if (series.isLine) {
      svg.append(String.format(Locale.ROOT,
          "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s><title>%s</title></polyline>%n",
          points.toString().strip(), series.colour, dashes(series), escaped(series.name)));
    }
  }

  private static String dashes(Series series) {
    return series.isDashed ? " stroke-dasharray=\"6 4\"" : "";
  }

  private double x(double value) {
    return LEFT + (RIGHT - LEFT) * (Math.log10(value) - fromX) / (toX - fromX);
  }

  /** Values below the axis are drawn on it. */
  private double y(double value) {
    double place = value <= 0 ? fromY : Math.min(toY, Math.max(fromY, Math.log10(value)));
    return BOTTOM - (BOTTOM - TOP) * (place - fromY) / (toY - fromY);
  }

  private static String number(double power) {
    if (power < 0) {
      return String.format(Locale.ROOT, "%." + (int) -power + "f", Math.pow(10, power));
    }
    return String.format(Locale.ROOT, "%,d", Math.round(Math.pow(10, power))).replace(',', ' ');
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String style, String text) {
    svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>%n", x, y, anchor, style,
        escaped(text)));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
