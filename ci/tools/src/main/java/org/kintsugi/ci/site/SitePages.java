// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prepares the Markdown of this checkout for a generator of sites, which reads one folder and nothing beside it.
 *
 * <p>The pages are those of {@code docs}, and {@code CONTRIBUTING.md} and {@code CHANGELOG.md}. Other files of the checkout that
 * they link to are added: a link to a class with a page in the Javadoc leads to that, any other file is copied as text, and a
 * folder becomes a page with its files. So the links of the Markdown work in the checkout and in the site.
 *
 * <p>A class of its own, so that {@code java SitePages.java CHECKOUT FOLDER} runs it. The Javadoc is in {@code FOLDER/api} then.
 */
public final class SitePages {
  private static final List<String> OTHER_PAGES = List.of("CONTRIBUTING.md", "CHANGELOG.md");
  private static final String README = "README.md";
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]+)(#[^)\\s]+)?\\)");
  private static final Pattern JAVA = Pattern.compile("(?:java-api|test-kit|runtime)/src/main/java/(.*)\\.java");

  private final Path checkout;
  private final Path folder;

  private SitePages(Path checkout, Path folder) {
    this.checkout = checkout.toAbsolutePath().normalize();
    this.folder = folder;
  }

  /**
   * Writes the pages.
   *
   * @param args the checkout, and the folder for the pages
   */
  public static void main(String[] args) throws IOException {
    new SitePages(Path.of(args[0]), Path.of(args[1])).write();
  }

  private void write() throws IOException {
    Files.createDirectories(folder);
    try (Stream<Path> files = Files.walk(checkout.resolve("docs"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = folder.resolve(checkout.resolve("docs").relativize(file).toString());
        Files.createDirectories(to.getParent());
        if (file.toString().endsWith(".md")) {
          Files.writeString(to, page(file));
        } else {
          Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    for (String page : OTHER_PAGES) {
      Files.writeString(folder.resolve(page.toLowerCase(Locale.ROOT)), page(checkout.resolve(page)));
    }
  }

  /** A page's text, its links those of the site. */
  private String page(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    Path docs = checkout.resolve("docs");
    String up = file.startsWith(docs) ? "../".repeat(docs.relativize(file).getNameCount() - 1) : "";
    Matcher link = LINK.matcher(Files.readString(file));
    while (link.find()) {
      String to = link.group(1);
      if (!to.contains("://")) {
        Path target = file.resolveSibling(to).normalize();
        to = up + place(target);
      }
      link.appendReplacement(text,
          Matcher.quoteReplacement("](" + to + (link.group(2) == null ? "" : link.group(2)) + ")"));
    }
    return link.appendTail(text).toString();
  }

  /** Copies a file of the checkout into the site's only folder. Returns its path there. */
  private String place(Path target) throws IOException {
    String name = checkout.relativize(target).toString();
    if (name.equals(README)) {
      return "index.md";
    }
    if (OTHER_PAGES.contains(name)) {
      return name.toLowerCase(Locale.ROOT);
    }
    if (name.startsWith("docs/")) {
      return name.substring("docs/".length());
    }
    Matcher java = JAVA.matcher(name);
    if (java.matches()) {
      String described = "api/" + java.group(1).replaceFirst("package-info$", "package-summary") + ".html";
      if (Files.exists(folder.resolve(described))) {
        return described;
      }
    }
    return Files.isDirectory(target) ? listed(target, name) : copied(target, name);
  }

  private String copied(Path file, String name) throws IOException {
    Path to = folder.resolve("source").resolve(name + ".txt");
    Files.createDirectories(to.getParent());
    Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
    return "source/" + name + ".txt";
  }

  /** A page of a folder: its files, with the first line of each. */
  private String listed(Path directory, String name) throws IOException {
    String page = name.replace('/', '-') + ".md";
    if (Files.exists(folder.resolve(page))) {
      return page;
    }
    Map<String, String> rows = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        rows.put(file.getFileName().toString(), lines.isEmpty() ? "" : lines.get(0).replace("|", "\\|"));
      }
    }
    StringBuilder text = new StringBuilder("# " + name + "\n\n| file | its first line |\n|---|---|\n");
    for (Map.Entry<String, String> row : rows.entrySet()) {
      text.append("| [").append(row.getKey()).append("](")
          .append(copied(directory.resolve(row.getKey()), name + "/" + row.getKey()))
          .append(") | ").append(row.getValue()).append(" |\n");
    }
    Files.writeString(folder.resolve(page), text);
    return page;
  }
}
