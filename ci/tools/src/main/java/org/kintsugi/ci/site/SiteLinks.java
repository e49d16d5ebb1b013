// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.site;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks every link of a site into the site: its file and its heading must exist.
 *
 * <p>Links on the Javadoc's own pages are not checked, as javadoc does that; links to them are.
 *
 * <p>It is a class without dependencies, so that {@code java SiteLinks.java FOLDER} runs it.
 */
public final class SiteLinks {
  private static final Pattern LINK = Pattern.compile("\\s(?:href|src)=\"([^\"]*)\"");
  private static final Pattern ANCHOR = Pattern.compile("\\s(?:id|name)=\"([^\"]*)\"");

  private final Path site;
  private final Map<Path, Set<String>> anchors = new HashMap<>();
  private final Set<String> broken = new TreeSet<>();
  private int count;

  private SiteLinks(Path site) {
    this.site = site.toAbsolutePath().normalize();
  }

  /**
   * Prints the links that lead nowhere, and exits with 1 if there are any.
   *
   * @param args the site's folder
   */
  public static void main(String[] args) throws IOException {
    SiteLinks links = of(Path.of(args[0]));
    links.broken.forEach(link -> System.err.println("docs: a link that leads nowhere: " + link));
    if (links.count == 0) {
      System.err.println("docs: no links at all in " + args[0]);
    }
    System.out.println("docs: " + links.count + " links, all looked at");
    System.exit(links.broken.isEmpty() && links.count > 0 ? 0 : 1);
  }

  static SiteLinks of(Path site) throws IOException {
    SiteLinks links = new SiteLinks(site);
    links.look();
    return links;
  }

  /** The broken links: the page, and the link as the page has it. */
  Set<String> broken() {
    return broken;
  }

  private void look() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> files = Files.walk(site)) {
      files.filter(file -> file.toString().endsWith(".html") && !file.startsWith(site.resolve("api"))).forEach(pages::add);
    }
    for (Path page : pages) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        String to = link.group(1).replace("&amp;", "&");
        if (!to.isEmpty() && !to.matches("[a-z]+:.*|//.*")) {
          count++;
          if (!leadsSomewhere(page, to)) {
            broken.add(site.relativize(page) + ": " + to);
          }
        }
      }
    }
  }

  private boolean leadsSomewhere(Path page, String link) throws IOException {
    int hash = link.indexOf('#');
    String file = decoded(hash < 0 ? link : link.substring(0, hash)).replaceFirst("\\?.*", "");
    // The links of the page that replaces missing ones begin at the site's root.
    Path target = file.isEmpty() ? page : file.startsWith("/") ? site.resolve(file.substring(1)) : page.resolveSibling(file);
    target = target.normalize();
    if (Files.isDirectory(target)) {
      target = target.resolve("index.html");
    }
    if (!target.startsWith(site) || !Files.exists(target)) {
      return false;
    }
    String anchor = hash < 0 ? "" : decoded(link.substring(hash + 1));
    return anchor.isEmpty() || anchors(target).contains(anchor);
  }

  private static String decoded(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private Set<String> anchors(Path page) throws IOException {
    Set<String> known = anchors.get(page);
    if (known == null) {
      known = new HashSet<>();
      Matcher anchor = ANCHOR.matcher(Files.readString(page));
      while (anchor.find()) {
        known.add(anchor.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"));
      }
      anchors.put(page, known);
    }
    return known;
  }
}
