// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.kintsugi.examples.app.Picture;

/**
 * Groups of bars as SVG, as the papers have them: each bar has segments upon each other, and a whisker for the confidence
 * interval of the uppermost one. Colours have unlike lightness, and each bar has a letter that the legend explains, so that
 * the chart can be read in grey.
 *
 * <p>XChart, which draws the pictures of the applications, has no bars in groups with segments, no intervals that are not
 * symmetric, and no whiskers on a logarithmic axis; and its letters are outlines, which nobody can search or hear.
 */
final class BarChart {
  private static final double LEAST_WIDTH = 900;
  /** Of a letter in the legend, on the average of names. */
  private static final double LETTER_WIDTH = 7.2;
  private static final double HEIGHT = 380;
  private static final double LEFT = 70;
  private static final double TOP = 40;
  private static final double BOTTOM = 320;
  private static final double RIGHT = 680;
  private static final double LEGEND = 700;
  private static final double LINE = 20;
  private static final int TICKS = 5;
  private static final String[] COLOURS = {"#08306b", "#e6550d", "#41ab5d", "#9e9ac8", "#fdd0a2", "#525252", "#c994c7"};
  /** Of the segments, from below: plain, striped, dotted. */
  private static final String[] PATTERNS = {"", "stripes", "dots"};

  private final String title;
  private final String xAxis;
  private final String yAxis;
  private final boolean isLogarithmic;
  private final List<String> segments;
  private final List<Bar> bars = new ArrayList<>();

  private record Bar(String group, String name, List<Interval> segments) {
    double height() {
      return segments.stream().mapToDouble(Interval::mean).sum();
    }

    /** The end of the whisker. */
    double top() {
      Interval last = segments.get(segments.size() - 1);
      return height() - last.mean() + last.high();
    }
  }

  /**
   * @param segments what the parts of each bar are, from below; of a logarithmic chart one
   * @param isLogarithmic for values of unlike sizes
   */
  BarChart(String title, String xAxis, String yAxis, List<String> segments, boolean isLogarithmic) {
    this.title = title;
    this.xAxis = xAxis;
    this.yAxis = yAxis;
    this.segments = segments;
    this.isLogarithmic = isLogarithmic;
  }

  /** Adds a bar to a group. Bars of one name have one colour. */
  void add(String group, String name, List<Interval> values) {
    bars.add(new Bar(group, name, values));
  }

  String svg() {
    Set<String> groups = new LinkedHashSet<>();
    List<String> names = bars.stream().map(Bar::name).distinct().toList();
    bars.forEach(bar -> groups.add(bar.group));
    double most = bars.stream().mapToDouble(Bar::top).max().orElse(1);
    double least = bars.stream().mapToDouble(Bar::height).filter(height -> height > 0).min().orElse(1);
    Axis axis = isLogarithmic ? new Axis(Math.floor(Math.log10(least)), Math.ceil(Math.log10(most)), true)
        : new Axis(0, niceLimit(most), false);
    String id = "c" + Integer.toHexString((title + yAxis).hashCode());
    StringBuilder svg = new StringBuilder(String.format(Locale.ROOT,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" font-family=\"sans-serif\" "
            + "font-size=\"13\"><title>%s</title>%n<defs>"
            + "<pattern id=\"%s-stripes\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
            + "patternTransform=\"rotate(45)\">"
            + "<rect width=\"3\" height=\"6\" fill=\"#fff\" fill-opacity=\".75\"/></pattern>"
            + "<pattern id=\"%s-dots\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
            + "<rect width=\"6\" height=\"6\" fill=\"#fff\" fill-opacity=\".6\"/><circle cx=\"3\" cy=\"3\" r=\"1.5\"/></pattern>"
            + "</defs>%n",
        width(names), HEIGHT, Page.escaped(title), id, id));
    text(svg, (LEFT + RIGHT) / 2, TOP - 20, "middle", "font-weight=\"bold\"", title);
    axis.draw(svg);
    double groupWidth = (RIGHT - LEFT) / groups.size();
    int place = 0;
    for (String group : groups) {
      double from = LEFT + place++ * groupWidth;
      List<Bar> ofGroup = bars.stream().filter(bar -> bar.group.equals(group)).toList();
      double width = Math.min(40, groupWidth * 0.8 / ofGroup.size());
      double x = from + (groupWidth - width * ofGroup.size()) / 2;
      for (Bar bar : ofGroup) {
        draw(svg, bar, x, width, names.indexOf(bar.name), axis, id);
        x += width;
      }
      text(svg, from + groupWidth / 2, BOTTOM + 2 * LINE - 4, "middle", "", group);
    }
    text(svg, (LEFT + RIGHT) / 2, BOTTOM + 3 * LINE - 4, "middle", "", xAxis);
    svg.append(String.format(Locale.ROOT, "<text transform=\"translate(16 %.0f) rotate(-90)\" text-anchor=\"middle\">%s</text>%n",
        (TOP + BOTTOM) / 2, Page.escaped(yAxis)));
    legend(svg, names, id);
    return svg.append("</svg>").toString();
  }

  /** Wide enough for the longest line of the legend. */
  private static double width(List<String> names) {
    int longest = names.stream().mapToInt(String::length).max().orElse(0);
    return Math.max(LEAST_WIDTH, LEGEND + 2 * LINE + longest * LETTER_WIDTH);
  }

  private void draw(StringBuilder svg, Bar bar, double x, double width, int colour, Axis axis, String id) {
    double sum = 0;
    svg.append("<g><title>").append(Page.escaped(bar.name + ", " + bar.group + ": " + words(bar))).append("</title>\n");
    for (int i = 0; i < bar.segments.size(); i++) {
      double from = axis.y(sum);
      sum += bar.segments.get(i).mean();
      rectangle(svg, x, axis.y(sum), width * 0.92, from - axis.y(sum), colour, i, id);
    }
    Interval last = bar.segments.get(bar.segments.size() - 1);
    if (last.count() > 1) {
      double below = sum - last.mean();
      svg.append(String.format(Locale.ROOT,
          "<path d=\"M%1$.1f %2$.1fV%3$.1fM%4$.1f %2$.1fh8M%4$.1f %3$.1fh8\" stroke=\"#000\" stroke-width=\"1.5\"/>%n",
          x + width * 0.46,
          axis.y(below + last.high()), axis.y(below + last.low()), x + width * 0.46 - 4));
    }
    svg.append("</g>\n");
    text(svg, x + width * 0.46, BOTTOM + LINE - 4, "middle", "", letter(colour));
  }

  private String words(Bar bar) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < segments.size(); i++) {
      Interval value = bar.segments.get(i);
      words.append(i == 0 ? "" : ", ").append(String.format(Locale.ROOT, "%s %.3g s [%.3g, %.3g]", segments.get(i), value.mean(),
          value.low(), value.high()));
    }
    return words.toString();
  }

  private static void rectangle(StringBuilder svg, double x, double y, double width, double height, int colour, int segment,
      String id) {
    String where = String.format(Locale.ROOT, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", x, y, width,
        Math.max(0, height));
    svg.append(where).append(" fill=\"").append(COLOURS[colour % COLOURS.length])
        .append("\" stroke=\"#000\" stroke-width=\".5\"/>");
    if (segment > 0) {
      svg.append(where).append(" fill=\"url(#").append(id).append('-').append(PATTERNS[segment % PATTERNS.length])
          .append(")\"/>");
    }
    svg.append('\n');
  }

  private void legend(StringBuilder svg, List<String> names, String id) {
    double y = TOP;
    for (int i = 0; i < names.size(); i++) {
      rectangle(svg, LEGEND, y, 14, 14, i, 0, id);
      text(svg, LEGEND + LINE, y + 12, "start", "", letter(i) + "  " + names.get(i));
      y += LINE;
    }
    y += LINE / 2;
    for (int i = 0; segments.size() > 1 && i < segments.size(); i++) {
      rectangle(svg, LEGEND, y, 14, 14, 0, i, id);
      text(svg, LEGEND + LINE, y + 12, "start", "", segments.get(i));
      y += LINE;
    }
  }

  private static String letter(int place) {
    return String.valueOf((char) ('a' + place));
  }

  static void text(StringBuilder svg, double x, double y, String anchor, String style, String text) {
    svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>%n", x, y, anchor, style,
        Page.escaped(text)));
  }

  /** 1, 2 or 5 times a power of ten, at least the value. */
  static double niceLimit(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    for (double factor : new double[] {1, 2, 5}) {
      if (factor * power >= value) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  /** From {@code low} to {@code high}: values, or their decimal logarithms. */
  private record Axis(double low, double high, boolean isLogarithmic) {
    double y(double value) {
      double place = !isLogarithmic ? value : value <= 0 ? low : Math.max(low, Math.log10(value));
      return BOTTOM - (place - low) / Math.max(high - low, 1e-9) * (BOTTOM - TOP);
    }

    void draw(StringBuilder svg) {
      int ticks = isLogarithmic ? (int) (high - low) : TICKS;
      for (int i = 0; i <= ticks; i++) {
        double value = low + (high - low) * i / Math.max(1, ticks);
        double at = isLogarithmic ? Math.pow(10, value) : value;
        double y = y(at);
        svg.append(
            String.format(Locale.ROOT, "<path d=\"M%.0f %.1fH%.0f\" stroke=\"#bbb\" stroke-width=\".7\"/>%n", LEFT, y, RIGHT));
        text(svg, LEFT - 6, y + 4, "end", "",
            at == 0 ? "0" : at >= 1 || isLogarithmic ? Picture.number(at) : String.format(Locale.ROOT,
                "%.3g", at));
      }
      svg.append(
          String.format(Locale.ROOT, "<path d=\"M%1$.0f %2$.0fV%3$.0fH%4$.0f\" fill=\"none\" stroke=\"#000\"/>%n", LEFT, TOP,
              BOTTOM, RIGHT));
    }
  }
}
