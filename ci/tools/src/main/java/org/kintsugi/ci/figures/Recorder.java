// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.figures;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Adds measured values to {@code docs/figures/values.jsonl}, if that was asked for ({@code RECORD=yes}).
 *
 * <p>Only values of known metrics are added: a figure that nobody has described is not a figure.
 */
public final class Recorder {
  /** The system property that names the checkout; not set: nothing is recorded. */
  public static final String CHECKOUT = "kintsugi.record";
  /** The system property that has the command that measures. */
  public static final String COMMAND = "kintsugi.record.command";

  private static final MathContext DIGITS = new MathContext(3);
  private static final String DEBIAN = "PRETTY_NAME=";

  private final Path checkout;
  private final String command;
  /** At the start, before the measurement itself is a load. */
  private final String load;

  /** A recorder for one checkout; with null it records nothing. */
  Recorder(Path checkout, String command) {
    this.checkout = checkout;
    this.command = command;
    load = "load " + Math.round(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  /**
   * The recorder of this JVM.
   *
   * @return a recorder for the checkout of the system property
   */
  public static Recorder ofThisJvm() {
    String folder = System.getProperty(CHECKOUT, "");
    return new Recorder(folder.isEmpty() ? null : Path.of(folder), System.getProperty(COMMAND, ""));
  }

  /** Records a single value. */
  public void value(String metric, double value) {
    if (checkout != null) {
      ObjectNode line = line(metric);
      line.put("value", rounded(value));
      add(line);
    }
  }

  /** Records the median of several values, with their number and range. */
  public void median(String metric, List<Double> values) {
    if (checkout != null) {
      List<Double> sorted = values.stream().sorted().toList();
      ObjectNode line = line(metric);
      line.put("value", rounded(sorted.get(sorted.size() / 2)));
      line.put("low", rounded(Collections.min(sorted)));
      line.put("high", rounded(Collections.max(sorted)));
      line.put("n", sorted.size());
      add(line);
    }
  }

  /** Records how many of all were right. */
  public void share(String metric, int right, int of) {
    if (checkout != null) {
      ObjectNode line = line(metric);
      line.put("value", right);
      line.put("of", of);
      add(line);
    }
  }

  private static ObjectNode line(String metric) {
    return new ObjectMapper().createObjectNode().put("metric", metric);
  }

  private static BigDecimal rounded(double value) {
    return new BigDecimal(new BigDecimal(value).round(DIGITS).toPlainString());
  }

  private void add(ObjectNode line) {
    try {
      Map<String, Metric> metrics = Metric.readAll(checkout);
      Metric metric = metrics.get(line.get("metric").asText());
      if (metric == null) {
        System.out.println("not recorded, as docs/figures/metrics.jsonl does not have it: " + line);
        return;
      }
      String commit = commit();
      if (!commit.isEmpty()) {
        line.put("commit", commit);
      }
      line.put("machine", machine()).put("load", load).put("date", LocalDate.now().toString());
      if (!command.isEmpty() && !command.equals(metric.command())) {
        line.put("command", command);
      }
      if (metric.bar() != null) {
        line.set("bar", metric.bar());
      }
      Files.writeString(checkout.resolve(Metric.FOLDER).resolve(Metric.VALUES), line + "\n", StandardOpenOption.APPEND);
      System.out.println("recorded: " + line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String machine() throws IOException {
    Path release = Path.of("/etc/os-release");
    String system = Files.exists(release) ? Files.readAllLines(release).stream().filter(line -> line.startsWith(DEBIAN))
        .map(line -> line.substring(DEBIAN.length()).replace("\"", "")).findFirst().orElse("Linux") : "Linux";
    return Runtime.getRuntime().availableProcessors() + " cores, " + system + ", JDK " + Runtime.version().feature();
  }

  /** The commit of the checkout, with a "+" if the tree differs from it. */
  private String commit() throws IOException {
    String head = git("rev-parse", "--short=9", "HEAD");
    return head.isEmpty() || git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!" + Metric.FOLDER).isEmpty()
        ? head
        : head + "+";
  }

  private String git(String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("git", "-C", checkout.toString());
    builder.command().addAll(List.of(arguments));
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}
