// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

import java.util.List;
import java.util.Locale;
import org.kintsugi.launch.internal.timeline.ProcessRecord.EpochMark;

/**
 * Draws the lines of processes in a window of time, as SVG.
 *
 * <p>The picture is complete without a script, for print. Each bar also has its times, so that the page's script can draw another
 * window of time.
 */
final class Drawing {
  static final int WIDTH = 1160;
  private static final int LEFT = 200;
  private static final int RIGHT = 12;
  private static final int TOP = 34;
  private static final int ROW = 34;
  private static final int BAR = 22;
  private static final int TEXT_WIDTH = 7;
  private static final int TICKS = 10;
  private static final double MICROS_PER_MILLI = 1e3;

  private final RecordedJob job;
  private final List<ProcessLine> lines;
  private final long begin;
  private final long end;
  private final StringBuilder svg = new StringBuilder();

  /** A picture of these lines between two times. */
  Drawing(RecordedJob job, List<ProcessLine> lines, long begin, long end) {
    this.job = job;
    this.lines = lines;
    this.begin = begin;
    this.end = Math.max(end, begin + 1);
  }

  /** The picture. */
  String draw() {
    int height = TOP + ROW * lines.size() + 8;
    svg.append(String.format(Locale.ROOT, "<svg class=\"lines\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
        + "role=\"img\" data-begin=\"%d\" data-end=\"%d\" data-left=\"%d\" data-right=\"%d\" data-zero=\"%d\">%n", WIDTH, height,
        begin - job.begin(), end - job.begin(), LEFT, WIDTH - RIGHT, 0));
    svg.append(style()).append(PATTERNS);
    svg.append(
        String.format(Locale.ROOT, "<defs><clipPath id=\"%s\"><rect x=\"%d\" y=\"0\" width=\"%d\" height=\"%d\"/></clipPath>"
            + "</defs>%n", clip(), LEFT, WIDTH - RIGHT - LEFT, height));
    drawAxis(height);
    for (int i = 0; i < lines.size(); i++) {
      drawNames(i);
    }
    svg.append("<g clip-path=\"url(#").append(clip()).append(")\">\n");
    for (int i = 0; i < lines.size(); i++) {
      drawBars(i);
    }
    drawEpochs(height);
    for (int i = 0; i < lines.size(); i++) {
      drawLoss(i);
    }
    svg.append("</g>\n</svg>\n");
    return svg.toString();
  }

  /** Each picture of a page has an own one. */
  private String clip() {
    return "window-" + (begin - job.begin()) + "-" + (end - job.begin());
  }

  private static final String PATTERNS = """
      <defs>
      <pattern id="lost" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" fill="#fff"/><rect width="2" height="6" fill="#8d96a3"/></pattern>
      <pattern id="failed" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
      <rect width="7" height="7" fill="#fff"/><rect width="3" height="7" fill="#d84b4b"/></pattern>
      </defs>
      """;

  private static String style() {
    StringBuilder style = new StringBuilder("""
        <style>
        svg.lines text { font: 12px system-ui, sans-serif; fill: #222; }
        svg.lines .place, svg.lines .tick { font-size: 10.5px; fill: #667; }
        svg.lines .onbar { font-size: 10.5px; pointer-events: none; fill: #111; }
        svg.lines .grid { stroke: #dde1e7; }
        svg.lines .epoch { stroke: #334; stroke-dasharray: 4 3; pointer-events: none; }
        svg.lines .gone { stroke: #999; stroke-dasharray: 2 4; }
        """);
    for (BarKind kind : BarKind.values()) {
      style.append("svg.lines .").append(kind.name().toLowerCase(Locale.ROOT)).append(" { fill: ").append(kind.colour)
          .append("; }\n");
    }
    return style.append("</style>\n").toString();
  }

  private double x(long at) {
    return LEFT + (double) (at - begin) / (end - begin) * (WIDTH - RIGHT - LEFT);
  }

  private static int y(int line) {
    return TOP + ROW * line;
  }

  private void drawAxis(int height) {
    svg.append("<g class=\"axis\">\n");
    long step = tickStep(end - begin);
    long first = Math.floorDiv(begin - job.begin() + step - 1, step) * step;
    for (long at = first; at <= end - job.begin(); at += step) {
      double x = x(at + job.begin());
      svg.append(String.format(Locale.ROOT, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
          + "<text class=\"tick\" x=\"%.1f\" y=\"12\" text-anchor=\"middle\">%s</text>%n", x, x, TOP - 6, height, x,
          tick(at, step)));
    }
    svg.append("</g>\n");
  }

  /** The smallest of 1, 2 and 5 times a power of ten with which there are few enough ticks. */
  static long tickStep(long micros) {
    long step = 1;
    while (true) {
      for (int factor : new int[] {1, 2, 5}) {
        if (micros / (step * factor) <= TICKS) {
          return step * factor;
        }
      }
      step *= 10;
    }
  }

  private static String tick(long micros, long step) {
    return step >= 100_000 ? String.format(Locale.ROOT, "%.1f s", micros / 1e6)
        : String.format(Locale.ROOT, step >= 1000 ? "%.0f ms" : "%.3f ms", micros / MICROS_PER_MILLI);
  }

  private void drawNames(int line) {
    svg.append(String.format(Locale.ROOT, "<text x=\"4\" y=\"%d\">%s</text><text class=\"place\" x=\"4\" y=\"%d\">%s</text>%n",
        y(line) + 11, escaped(lines.get(line).name()), y(line) + 24, escaped(lines.get(line).place())));
  }

  private void drawBars(int line) {
    svg.append("<g>\n");
    for (Bar bar : lines.get(line).bars()) {
      if (bar.end() < begin || bar.begin() > end) {
        continue;
      }
      double x = x(bar.begin());
      double width = Math.max(x(bar.end()) - x, 0.4);
      double height = Math.max(BAR * bar.share(), bar.share() > 0 ? 0.5 : 0);
      boolean isBelow = bar.kind() == BarKind.CALL;
      double top = isBelow ? y(line) + BAR - height : y(line);
      svg.append(String.format(Locale.ROOT, "<rect class=\"%s\" data-b=\"%d\" data-e=\"%d\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" "
          + "height=\"%.1f\"%s><title>%s</title></rect>%n", bar.kind().name().toLowerCase(Locale.ROOT), bar.begin() - job.begin(),
          bar.end() - job.begin(), x, top, width, height, colour(bar), escaped(lines.get(line).name() + ": " + bar.text())));
      if (!bar.label().isEmpty()) {
        boolean hasRoom = width > bar.label().length() * TEXT_WIDTH;
        svg.append(
            String.format(Locale.ROOT, "<text class=\"onbar\" data-b=\"%d\" data-e=\"%d\" x=\"%.2f\" y=\"%d\"%s>%s</text>%n",
                bar.begin() - job.begin(), bar.end() - job.begin(), x + 3, y(line) + 15, hasRoom ? "" : " visibility=\"hidden\"",
                escaped(bar.label())));
      }
    }
    svg.append("</g>\n");
  }

  /** A step has a colour of its own; other bars have that of their kind. */
  private static String colour(Bar bar) {
    return bar.kind() == BarKind.STEP ? " style=\"fill: " + StepColours.of(bar.label()) + "\"" : "";
  }

  private void drawEpochs(int height) {
    for (RecordedJob.Recovered recovery : job.recoveries()) {
      drawEpoch(recovery.epoch(), height);
    }
    drawEpoch(0, height);
  }

  private void drawEpoch(int epoch, int height) {
    long at = job.processes().stream().map(one -> RecordedJob.markOf(one, epoch)).filter(mark -> mark != null)
        .mapToLong(EpochMark::at).max().orElse(Long.MIN_VALUE);
    if (at >= begin && at <= end) {
      svg.append(String.format(Locale.ROOT, "<line class=\"epoch\" data-b=\"%d\" x1=\"%.2f\" x2=\"%.2f\" y1=\"16\" y2=\"%d\"/>"
          + "<text class=\"place\" data-b=\"%d\" x=\"%.2f\" y=\"25\">epoch %d</text>%n", at - job.begin(), x(at), x(at), height,
          at - job.begin(), x(at) + 3, epoch));
    }
  }

  /** A cross where the process has failed, and a line for the time in which it does not exist. */
  private void drawLoss(int line) {
    RecordedJob.Loss loss = job.lossOf(job.processes().get(line));
    if (loss == null || loss.at() > end) {
      return;
    }
    double middle = y(line) + BAR / 2.0;
    svg.append(String.format(Locale.ROOT, "<line class=\"gone\" data-b=\"%d\" data-e=\"%d\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.1f\" "
        + "y2=\"%.1f\"/>%n", loss.at() - job.begin(), job.end() - job.begin(), x(Math.max(loss.at(), begin)), x(job.end()),
        middle,
        middle));
    if (loss.at() >= begin) {
      svg.append(String.format(Locale.ROOT,
          "<text data-b=\"%d\" x=\"%.2f\" y=\"%.1f\" text-anchor=\"middle\" style=\"font: bold 20px "
              + "sans-serif\">\u2715<title>%s fails</title></text>%n",
          loss.at() - job.begin(), x(loss.at()), middle + 7,
          escaped(lines.get(line).place())));
    }
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }
}
