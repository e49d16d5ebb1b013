// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;

/**
 * Lines over a horizontal axis as SVG, as the papers have them: each series has a marker and dashes of its own, so that the chart
 * can be read in grey, and each point a whisker for its confidence interval. A series may have a model's curve instead of a line.
 */
final class LineChart {
  private static final double WIDTH = 900;
  private static final double HEIGHT = 380;
  private static final double LEFT = 70;
  private static final double TOP = 40;
  private static final double BOTTOM = 320;
  private static final double RIGHT = 680;
  private static final double LEGEND = 700;
  private static final double LINE = 20;
  private static final double MARGIN = 20;
  private static final double SIZE = 4.5;
  private static final int TICKS = 5;
  private static final int SAMPLES = 80;
  private static final String[] COLOURS = {"#08306b", "#d94801", "#238b45", "#6a51a3", "#969696", "#00828a", "#a50f15"};
  private static final String[] DASHES = {"", "7 3", "2 2", "9 3 2 3", "4 4", "12 4", "1 4"};
  /** Around a point at 0, 0. */
  private static final String[] MARKERS = {"M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z", "M-4-4h8v8h-8z", "M0-5L5 4H-5z",
      "M0-6L5 0L0 6L-5 0z", "M0 5L5-4H-5z", "M-5-1.5h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z",
      "M-5-5L0-2L5-5L2 0L5 5L0 2L-5 5L-2 0z"};

  private final String title;
  private final String xAxis;
  private final String yAxis;
  private final boolean isLogarithmicX;
  private final boolean isLogarithmicY;
  private final DoubleFunction<String> xLabel;
  private final Map<String, List<Point>> series = new LinkedHashMap<>();
  private final Map<String, DoubleUnaryOperator> models = new LinkedHashMap<>();

  private record Point(double x, Interval y) {}

  /** @param xLabel what is written below a value of the horizontal axis */
  LineChart(String title, String xAxis, String yAxis, boolean isLogarithmicX, boolean isLogarithmicY,
      DoubleFunction<String> xLabel) {
    this.title = title;
    this.xAxis = xAxis;
    this.yAxis = yAxis;
    this.isLogarithmicX = isLogarithmicX;
    this.isLogarithmicY = isLogarithmicY;
    this.xLabel = xLabel;
  }

  /** Adds a point to a series, whose points come from left to right. */
  void add(String name, double x, Interval y) {
    series.computeIfAbsent(name, newName -> new ArrayList<>()).add(new Point(x, y));
  }

  /** Draws this curve for a series, and no line between its points. */
  void model(String name, DoubleUnaryOperator curve) {
    models.put(name, curve);
  }

  boolean isEmpty() {
    return series.isEmpty();
  }

  String svg() {
    List<Point> all = series.values().stream().flatMap(List::stream).toList();
    double[] xs = all.stream().mapToDouble(Point::x).distinct().sorted().toArray();
    double most = all.stream().mapToDouble(point -> Math.max(point.y.mean(), point.y.high())).max().orElse(1);
    double least = all.stream().mapToDouble(point -> point.y.mean()).filter(value -> value > 0).min().orElse(1);
    Scale x = new Scale(xs[0], xs[xs.length - 1], LEFT + MARGIN, RIGHT - MARGIN, isLogarithmicX);
    double[] ticks = isLogarithmicY ? decimals(least, most) : linear(most);
    Scale y = new Scale(ticks[0], ticks[ticks.length - 1], BOTTOM, TOP, isLogarithmicY);
    StringBuilder svg = new StringBuilder(String.format(Locale.ROOT,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" font-family=\"sans-serif\" "
            + "font-size=\"13\"><title>%s</title>%n",
        WIDTH, HEIGHT, Page.escaped(title)));
    BarChart.text(svg, (LEFT + RIGHT) / 2, TOP - 20, "middle", "font-weight=\"bold\"", title);
    axes(svg, x, y, xs, ticks);
    int place = 0;
    for (String name : series.keySet()) {
      draw(svg, name, place, x, y, xs);
      legend(svg, name, place++);
    }
    return svg.append("</svg>").toString();
  }

  private void axes(StringBuilder svg, Scale x, Scale y, double[] xs, double[] ticks) {
    for (double tick : ticks) {
      svg.append(String.format(Locale.ROOT, "<path d=\"M%.0f %.1fH%.0f\" stroke=\"#bbb\" stroke-width=\".7\"/>%n", LEFT,
          y.at(tick), RIGHT));
      BarChart.text(svg, LEFT - 6, y.at(tick) + 4, "end", "", number(tick));
    }
    double last = Double.NEGATIVE_INFINITY;
    for (double value : xs) {
      svg.append(String.format(Locale.ROOT, "<path d=\"M%.1f %.0fv5\" stroke=\"#000\"/>%n", x.at(value), BOTTOM));
      if (x.at(value) - last > 2 * LINE) {
        BarChart.text(svg, x.at(value), BOTTOM + LINE, "middle", "", xLabel.apply(value));
        last = x.at(value);
      }
    }
    svg.append(String.format(Locale.ROOT, "<path d=\"M%1$.0f %2$.0fV%3$.0fH%4$.0f\" fill=\"none\" stroke=\"#000\"/>%n", LEFT, TOP,
        BOTTOM, RIGHT));
    BarChart.text(svg, (LEFT + RIGHT) / 2, BOTTOM + 2 * LINE + 4, "middle", "", xAxis);
    svg.append(String.format(Locale.ROOT, "<text transform=\"translate(16 %.0f) rotate(-90)\" text-anchor=\"middle\">%s</text>%n",
        (TOP + BOTTOM) / 2, Page.escaped(yAxis)));
  }

  private void draw(StringBuilder svg, String name, int place, Scale x, Scale y, double[] xs) {
    DoubleUnaryOperator model = models.get(name);
    StringBuilder line = new StringBuilder();
    if (model == null) {
      series.get(name).forEach(point -> line.append(String.format(Locale.ROOT, "%s%.1f %.1f", line.length() == 0 ? "M" : "L",
          x.at(point.x), y.at(point.y.mean()))));
    } else {
      for (int i = 0; i <= SAMPLES; i++) {
        double at = x.value(x.at(xs[0]) + (x.at(xs[xs.length - 1]) - x.at(xs[0])) * i / SAMPLES);
        line.append(String.format(Locale.ROOT, "%s%.1f %.1f", i == 0 ? "M" : "L", x.at(at), y.at(model.applyAsDouble(at))));
      }
    }
    path(svg, line.toString(), place);
    for (Point point : series.get(name)) {
      svg.append("<g><title>").append(Page.escaped(String.format(Locale.ROOT, "%s, %s: %.4g [%.4g, %.4g]", name,
          xLabel.apply(point.x), point.y.mean(), point.y.low(), point.y.high()))).append("</title>");
      if (point.y.count() > 1) {
        svg.append(String.format(Locale.ROOT,
            "<path d=\"M%1$.1f %2$.1fV%3$.1fM%4$.1f %2$.1fh6M%4$.1f %3$.1fh6\" stroke=\"%5$s\" stroke-width=\"1\"/>",
            x.at(point.x), y.at(point.y.high()), y.at(point.y.low()), x.at(point.x) - 3, COLOURS[place % COLOURS.length]));
      }
      marker(svg, x.at(point.x), y.at(point.y.mean()), place);
      svg.append("</g>\n");
    }
  }

  private static void path(StringBuilder svg, String line, int place) {
    svg.append(
        String.format(Locale.ROOT, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-dasharray=\"%s\"/>%n",
            line, COLOURS[place % COLOURS.length], DASHES[place % DASHES.length]));
  }

  private static void marker(StringBuilder svg, double x, double y, int place) {
    svg.append(String.format(Locale.ROOT,
        "<path transform=\"translate(%.1f %.1f)\" d=\"%s\" fill=\"%s\" stroke=\"#fff\" stroke-width=\".6\"/>", x, y,
        MARKERS[place % MARKERS.length], COLOURS[place % COLOURS.length]));
  }

  private static void legend(StringBuilder svg, String name, int place) {
    double y = TOP + LINE * place + LINE / 2;
    path(svg, String.format(Locale.ROOT, "M%.0f %.1fh30", LEGEND, y), place);
    marker(svg, LEGEND + 15, y, place);
    BarChart.text(svg, LEGEND + 38, y + SIZE, "start", "", name);
  }

  private static String number(double value) {
    return value >= 1e5 ? String.format(Locale.ROOT, "%.0e", value).replace("e+0", "e")
        : new BigDecimal(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }

  private static double[] linear(double most) {
    double limit = BarChart.niceLimit(most);
    double[] ticks = new double[TICKS + 1];
    for (int i = 0; i <= TICKS; i++) {
      ticks[i] = limit * i / TICKS;
    }
    return ticks;
  }

  /** 1, 2 and 5 times powers of ten, from the last one below the values to the first one above them. */
  private static double[] decimals(double least, double most) {
    List<Double> ticks = new ArrayList<>();
    for (int power = (int) Math.floor(Math.log10(least)); ticks.isEmpty() || ticks.get(ticks.size() - 1) < most; power++) {
      for (int factor : new int[] {1, 2, 5}) {
        double tick = factor * Math.pow(10, power);
        if (tick <= least) {
          ticks.clear();
        }
        if (ticks.isEmpty() || ticks.get(ticks.size() - 1) < most) {
          ticks.add(tick);
        }
      }
    }
    return ticks.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** From values {@code low} to {@code high} to places {@code from} to {@code to}. */
  private record Scale(double low, double high, double from, double to, boolean isLogarithmic) {
    double at(double value) {
      double clipped = Math.min(high, Math.max(low, value));
      double part = high == low ? 0.5
          : isLogarithmic ? Math.log(clipped / low) / Math.log(high / low) : (clipped - low) / (high - low);
      return from + part * (to - from);
    }

    double value(double place) {
      double part = (place - from) / (to - from);
      return isLogarithmic ? low * Math.pow(high / low, part) : low + part * (high - low);
    }
  }
}
