// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Whether a Maven repository has all that a program depends on, in the form that a central repository would take: each jar with
 * sources and Javadoc, POMs that say all that they have to, natives in jars of their own. Runs from its source: make check.
 */
public final class PublishedArtifacts {
  private static final List<String> JARS = List.of("kintsugi", "kintsugi-runtime", "kintsugi-presets", "kintsugi-bindings",
      "kintsugi-launcher", "kintsugi-test");
  private static final String ARCHETYPE = "kintsugi-archetype";
  private static final List<String> POMS = List.of("kintsugi-parent", "kintsugi-bom");
  private static final List<String> NOT_FOR_PROGRAMS = List.of("kintsugi-native", "kintsugi-examples", "kintsugi-ci",
      "kintsugi-advice");

  /** The elements that a POM must have itself, or may have from its parent. */
  private static final List<String> OWN = List.of("name", "description");
  private static final List<String> INHERITED = List.of("url", "licenses/license/name", "licenses/license/url",
      "developers/developer/name", "scm/connection", "scm/developerConnection", "scm/url");

  private final Path group;
  private final List<String> missing = new ArrayList<>();

  private PublishedArtifacts(Path group) {
    this.group = group;
  }

  /**
   * Prints what is missing.
   *
   * @param args the repository, and the flavours whose natives have to be there
   * @throws IOException if it cannot be read
   */
  public static void main(String[] args) throws IOException {
    PublishedArtifacts artifacts = new PublishedArtifacts(Path.of(args[0], "org", "kintsugi"));
    artifacts.look(List.of(args).subList(1, args.length));
    artifacts.missing.forEach(line -> System.err.println("published: " + line));
    System.exit(artifacts.missing.isEmpty() ? 0 : 1);
  }

  private void look(List<String> flavours) throws IOException {
    Document parent = pom("kintsugi-parent");
    Document bom = pom("kintsugi-bom");
    String managed = bom == null ? "" : bom.getDocumentElement().getTextContent().replaceAll("\\s+", " ");
    for (String artifact : JARS) {
      require(hasEntry(artifact, "\\.jar", "module-info\\.class"), artifact + " has no jar with classes");
      require(!hasEntry(artifact, "\\.jar", ".*\\.(so|cpp)"), artifact + " has natives in the jar for all machines");
      require(hasEntry(artifact, "-sources\\.jar", ".*\\.java"), artifact + " has no sources");
      require(hasEntry(artifact, "-javadoc\\.jar", "index\\.html"), artifact + " has no Javadoc");
      require(managed.contains(" " + artifact + " "), artifact + " is not in the BOM");
      describes(artifact, pom(artifact), parent);
    }
    require(hasEntry(ARCHETYPE, "\\.jar", "META-INF/maven/archetype-metadata\\.xml"),
        ARCHETYPE + " has no description of itself");
    require(hasEntry(ARCHETYPE, "\\.jar", "archetype-resources/src/test/java/.*"), ARCHETYPE + " has no template");
    require(newest(ARCHETYPE, "-sources\\.jar") != null && newest(ARCHETYPE, "-javadoc\\.jar") != null,
        ARCHETYPE + " has not all jars");
    describes(ARCHETYPE, pom(ARCHETYPE), parent);
    for (String artifact : POMS) {
      describes(artifact, pom(artifact), null);
    }
    if (parent != null && bom != null) {
      require(text(parent, "version").equals(text(bom, "version")), "the BOM is of another version than the parent");
    }
    for (String flavour : flavours) {
      String jar = "-linux-[^-]*-" + flavour + "\\.jar";
      for (String library : List.of("libkintsugi.so", "libkintsugi_scr.so", "libjniMPI.so", "kintsugi-rank")) {
        require(hasEntry("kintsugi-bindings", jar, "org/kintsugi/bindings/linux-[^/]*-" + flavour + "/" + library),
            "there is no " + library + " for " + flavour);
      }
      require(!hasEntry("kintsugi-bindings", jar, ".*(twins.*|\\.cpp|\\.class)"), "the natives for " + flavour + " have company");
    }
    for (String artifact : NOT_FOR_PROGRAMS) {
      require(newest(artifact, "\\.pom") == null, artifact + " is there, which no program depends on");
    }
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      missing.add(otherwise);
    }
  }

  private void describes(String artifact, Document pom, Document parent) {
    require(pom != null, artifact + " has no POM");
    if (pom == null) {
      return;
    }
    for (String element : OWN) {
      require(!text(pom, element).isEmpty(), artifact + "'s POM has no " + element);
    }
    for (String element : INHERITED) {
      require(!text(pom, element).isEmpty() || parent != null && !text(parent, element).isEmpty(),
          artifact + "'s POM has no " + element);
    }
  }

  /** The text of an element, named by its path from the root; empty if there is none. */
  private static String text(Document pom, String path) {
    Element element = pom.getDocumentElement();
    for (String name : path.split("/")) {
      Node child = element.getFirstChild();
      while (child != null && !child.getNodeName().equals(name)) {
        child = child.getNextSibling();
      }
      if (child == null) {
        return "";
      }
      element = (Element) child;
    }
    return element.getTextContent().strip();
  }

  private Document pom(String artifact) throws IOException {
    Path file = newest(artifact, "\\.pom");
    try {
      return file == null ? null : DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /** The last of a snapshot's files, which was published several times; null if there is none. */
  private Path newest(String artifact, String ending) throws IOException {
    Path folder = group.resolve(artifact);
    if (!Files.isDirectory(folder)) {
      return null;
    }
    String name = artifact + "-[0-9][0-9A-Z.]*(-SNAPSHOT|-[0-9.]+-[0-9]+)?";
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.getFileName().toString().matches(name + ending)).sorted()
          .reduce((first, second) -> second).orElse(null);
    }
  }

  private boolean hasEntry(String artifact, String ending, String pattern) throws IOException {
    Path jar = newest(artifact, ending);
    if (jar == null) {
      return false;
    }
    try (ZipFile file = new ZipFile(jar.toFile())) {
      return file.stream().anyMatch(entry -> entry.getName().matches(pattern));
    }
  }
}
