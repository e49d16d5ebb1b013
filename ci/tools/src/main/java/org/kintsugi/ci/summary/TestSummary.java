// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.summary;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The end of {@code make test}: which classes took longest, what failed, what was skipped and why, one row for each reason, and
 * how many there were of each. Reads the reports that Surefire has written in all modules.
 *
 * <p>A class of its own, so that {@code java TestSummary.java FOLDER} runs it whether or not the project compiles.
 */
public final class TestSummary {
  private static final String BARE = "-bare";
  private static final int MAX_DEPTH = 4;

  /** The number of slowest tests that are listed: the first to look at when the whole has become too slow. */
  private static final int LONGEST = 12;

  /** The part of a report's path that names one of several runs of the same tests. */
  private static final Pattern OTHER_RUN = Pattern.compile("surefire-reports-(reinit|newer)");

  private int passed;
  private final List<String> failures = new ArrayList<>();
  private final Map<String, Integer> skipped = new TreeMap<>();
  private final Map<String, Double> seconds = new TreeMap<>();

  private TestSummary() {}

  /**
   * Exits with 1 if a test failed, or none was run.
   *
   * @param args the project's folder, Maven's exit code; {@value #BARE} for the run without optional libraries
   */
  public static void main(String[] args) throws IOException, ParserConfigurationException, SAXException {
    System.exit(run(System.out, args));
  }

  static int run(PrintStream out, String... args) throws IOException, ParserConfigurationException, SAXException {
    TestSummary summary = of(Path.of(args[0]), args.length > 2 && args[2].equals(BARE));
    summary.notAll(Integer.parseInt(args[1]));
    summary.print(out);
    return summary.failures.isEmpty() && summary.passed > 0 ? 0 : 1;
  }

  private static TestSummary of(Path root, boolean isBare) throws IOException, ParserConfigurationException, SAXException {
    TestSummary summary = new TestSummary();
    Pattern report =
        Pattern.compile(".*/target/surefire-reports(-reinit|-newer)?" + (isBare ? BARE : "") + "/TEST-[^/]*\\.xml");
    DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    try (Stream<Path> files = Files.find(root, MAX_DEPTH, (file, attributes) -> report.matcher(file.toString()).matches())) {
      for (Path file : files.sorted().toList()) {
        Element suite = parser.parse(file.toFile()).getDocumentElement();
        Matcher other = OTHER_RUN.matcher(file.toString());
        summary.seconds.put(suite.getAttribute("name") + (other.find() ? " (" + other.group(1) + ")" : ""),
            Double.parseDouble(suite.getAttribute("time").replace(",", "")));
        summary.add(suite.getElementsByTagName("testcase"));
      }
    }
    for (String flavour : new String[] {"ulfm", "reinit"}) {
      summary.correctTimes(root.resolve("ci/target/class-times-" + flavour), flavour.equals("ulfm") ? "" : " (reinit)");
    }
    return summary;
  }

  /** Where classes run side by side, Surefire gives the time of one to another; {@code ranks.ClassTimes} knows better. */
  private void correctTimes(Path file, String suffix) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    for (String line : Files.readAllLines(file)) {
      String[] endSecondsAndName = line.split(" ");
      seconds.replace(endSecondsAndName[2] + suffix, Double.parseDouble(endSecondsAndName[1]));
    }
  }

  /** A build that failed without a failed test has not run them all: a process may have crashed, or nothing was compiled. */
  private void notAll(int mavenCode) {
    if (mavenCode != 0 && failures.isEmpty()) {
      failures.add("Maven ended with " + mavenCode + ", so that not all tests were run; see above");
    }
  }

  private void add(NodeList tests) {
    for (int i = 0; i < tests.getLength(); i++) {
      Element test = (Element) tests.item(i);
      Element skip = (Element) test.getElementsByTagName("skipped").item(0);
      if (test.getElementsByTagName("failure").getLength() + test.getElementsByTagName("error").getLength() > 0) {
        failures.add(test.getAttribute("classname") + "." + test.getAttribute("name"));
      } else if (skip != null) {
        skipped.merge(reason(skip), 1, Integer::sum);
      } else {
        passed++;
      }
    }
  }

  private static String reason(Element skip) {
    String message = skip.getAttribute("message").isEmpty() ? skip.getTextContent() : skip.getAttribute("message");
    // Surefire puts the exception's class before some, JUnit its own words before others.
    String reason = message.strip().replaceFirst("^org\\.opentest4j\\.TestAbortedException: ", "")
        .replaceFirst("^Assumption failed: ", "");
    return reason.isEmpty() ? "no reason given" : reason.lines().findFirst().orElseThrow();
  }

  private void print(PrintStream out) {
    out.printf(Locale.ROOT, "%.0f s in test classes; longest:%n",
        seconds.values().stream().mapToDouble(Double::doubleValue).sum());
    seconds.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.reverseOrder())).limit(LONGEST)
        .forEach(test -> out.printf(Locale.ROOT, "%5.0f  %s%n", test.getValue(), test.getKey()));
    failures.forEach(test -> out.println("failed: " + test));
    if (!skipped.isEmpty()) {
      out.println("skipped tests, and why:");
      skipped.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
          .forEach(reason -> out.printf("%5d  %s%n", reason.getValue(), reason.getKey()));
    }
    out.printf("%d passed, %d failed, %d skipped%n", passed, failures.size(),
        skipped.values().stream().mapToInt(Integer::intValue).sum());
  }
}
