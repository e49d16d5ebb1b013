// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.openmpi;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The index of the patches to Open MPI, made from their headers.
 *
 * <p>A header is a commit message: a subject that says the symptom, a text, and trailers. {@code make check} runs this class
 * from its source and fails if a header is incomplete or the page is not up to date:
 * {@code java PatchIndex.java FOLDER [--write]}.
 */
public final class PatchIndex {
  private static final String PATCHES = "native/openmpi/patches";
  private static final String PAGE = PATCHES + "/README.md";
  private static final String SUMS = PATCHES + "/patched.sha256";

  /** The folders in the order of apply.sh, and which files of Open MPI their patches may change. */
  private static final Map<String, String> COMPONENTS = new LinkedHashMap<>();

  static {
    COMPONENTS.put("pmix", "3rd-party/openpmix/");
    COMPONENTS.put("prrte", "3rd-party/prrte/");
    COMPONENTS.put("pml-btl", "(ompi|opal)/");
    COMPONENTS.put("ulfm", "(ompi|opal)/");
    COMPONENTS.put("mpi", "(ompi|opal)/");
  }

  private static final List<String> TRAILERS = List.of("Kind", "Met-by", "Test", "Upstream", "Needed-by", "Was");
  private static final String STATE = "(same|partly|fixed|changed)";
  private static final Pattern UPSTREAM =
      Pattern.compile("5\\.0\\.10 " + STATE + ", 6\\.0 " + STATE + ", main " + STATE + "(; .+)?");
  private static final Pattern CHANGED = Pattern.compile("(?m)^\\+\\+\\+ b/(\\S+)");
  private static final String FOLDERS = "(" + String.join("|", COMPONENTS.keySet()) + ")";
  private static final Pattern REFERENCE =
      Pattern.compile("(?<![\\w/-])(?:native/openmpi/patches/)?" + FOLDERS + "/(\\d{4})\\b(?!-)");
  private static final Pattern WITHOUT_FOLDER = Pattern.compile("\\bpatch(?:es)?(?: |/|, )0\\d{3}\\b");

  /** The number in a file name, and the rest of it. */
  private static final Pattern NAME = Pattern.compile("(\\d{4})-[a-z0-9-]+\\.patch");

  /** A patch: the folder that it is in, its file, and what its header says. */
  record Patch(String component, String file, String subject, String text, Map<String, String> trailers, Set<String> changed) {
    String id() {
      return component + "/" + file.substring(0, 4);
    }

    String get(String trailer) {
      return trailers.getOrDefault(trailer, "");
    }

    private String symptom() {
      return subject.replaceFirst("^[^ ]*: ", "");
    }
  }

  private final Path root;
  private final List<Patch> patches = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  /** Reads the patches of the project in this folder. */
  PatchIndex(Path root) throws IOException {
    this.root = root;
    for (String component : COMPONENTS.keySet()) {
      for (String file : names(root.resolve(PATCHES).resolve(component))) {
        patches.add(parse(component, file, Files.readString(root.resolve(PATCHES).resolve(component).resolve(file))));
      }
    }
  }

  /**
   * Exits with 1 if a header is incomplete, or the page is not up to date.
   *
   * @param args the project's folder, and {@code --write} to write the page
   */
  public static void main(String[] args) throws IOException {
    System.exit(run(Path.of(args[0]), args.length > 1 && args[1].equals("--write"), System.out));
  }

  private static int run(Path root, boolean write, PrintStream out) throws IOException {
    PatchIndex index = new PatchIndex(root);
    if (write) {
      Files.writeString(root.resolve(PAGE), index.page());
    }
    List<String> faults = index.check();
    faults.forEach(out::println);
    return faults.isEmpty() ? 0 : 1;
  }

  /** The project's files, without those that are made by a build. */
  private List<String> files() throws IOException {
    List<String> files = new ArrayList<>();
    Files.walkFileTree(root, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        String name = folder.getFileName().toString();
        boolean skipped = !folder.equals(root) && (name.equals("target") || name.startsWith("."));
        return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        files.add(root.relativize(file).toString());
        return FileVisitResult.CONTINUE;
      }
    });
    files.sort(null);
    return files;
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Reads the header and the names of the changed files. */
  static Patch parse(String component, String file, String text) {
    int end = text.startsWith("--- ") ? 0 : text.indexOf("\n--- ");
    String header = text.substring(0, Math.max(0, end));
    String body = text.substring(Math.max(0, end));
    String[] lines = header.strip().split("\n");
    Map<String, String> trailers = new LinkedHashMap<>();
    int first = lines.length;
    while (first > 0 && lines[first - 1].matches("[A-Z][a-z]*(-[a-z]+)?: .+")) {
      first--;
    }
    for (int i = first; i < lines.length; i++) {
      String[] parts = lines[i].split(": ", 2);
      trailers.put(parts[0], parts[1]);
    }
    Set<String> changed = new TreeSet<>();
    CHANGED.matcher(body).results().forEach(match -> changed.add(match.group(1)));
    return new Patch(component, file, lines[0], header, trailers, changed);
  }

  /**
   * Compares the headers and the page with the project.
   *
   * @return what is wrong
   */
  List<String> check() throws IOException {
    List<String> files = files();
    Set<String> classes = files.stream().filter(file -> file.endsWith(".java"))
        .map(file -> file.substring(file.lastIndexOf('/') + 1, file.length() - ".java".length())).collect(Collectors.toSet());
    String before = "";
    int number = 0;
    for (Patch patch : patches) {
      number = patch.component.equals(before) ? number + 1 : 1;
      before = patch.component;
      checkPatch(patch, number, classes);
    }
    Set<String> changed =
        patches.stream().flatMap(patch -> patch.changed.stream()).collect(Collectors.toCollection(TreeSet::new));
    List<String> summed =
        Files.readAllLines(root.resolve(SUMS)).stream().map(line -> line.substring(line.indexOf("  ") + 2)).toList();
    if (!changed.equals(new TreeSet<>(summed))) {
      faults.add(SUMS + " has other files than the patches change: native/openmpi/apply.sh --sums SOURCE prints it");
    }
    for (String file : files) {
      checkReferences(file);
    }
    Path page = root.resolve(PAGE);
    if (!Files.exists(page) || !Files.readString(page).equals(page())) {
      faults.add(PAGE + " is not up to date: java ci/tools/src/main/java/org/kintsugi/ci/openmpi/PatchIndex.java . --write");
    }
    return faults;
  }

  private void checkPatch(Patch patch, int number, Set<String> classes) {
    Matcher name = NAME.matcher(patch.file);
    if (!name.matches() || Integer.parseInt(name.group(1)) != number) {
      fault(patch, "expected the name " + String.format("%04d", number) + "-the-symptom.patch");
    }
    if (!patch.subject.matches("[a-z/0-9]+: [A-Za-z].*[^.]") || patch.subject.length() > 100) {
      fault(patch, "the first line must be \"component: symptom\", with at most 100 characters: " + patch.subject);
      return;
    }
    if (!List.copyOf(patch.trailers.keySet()).equals(TRAILERS)) {
      fault(patch, "expected the trailers " + TRAILERS + ", and it has " + patch.trailers.keySet());
      return;
    }
    if (!patch.get("Kind").matches("fault|feature")) {
      fault(patch, "Kind: expected fault or feature");
    }
    String test = patch.get("Test");
    if (!test.matches("none; .+")) {
      for (String each : test.split(", ")) {
        if (!classes.contains(each)) {
          fault(patch, "Test: no class " + each + ", or \"none; REASON\"");
        }
      }
    }
    if (!UPSTREAM.matcher(patch.get("Upstream")).matches()) {
      fault(patch, "Upstream: expected \"5.0.10 STATE, 6.0 STATE, main STATE; WHY\", each " + STATE);
    }
    if (!patch.get("Was").matches("none|\\d{4}(, \\d{4})*")) {
      fault(patch, "Was: expected numbers of before November 2026, or none");
    }
    for (String file : patch.changed) {
      if (!file.matches(COMPONENTS.get(patch.component) + ".*")) {
        fault(patch, "changes " + file + ", which is no file of " + patch.component);
      }
    }
  }

  private void fault(Patch patch, String what) {
    faults.add(PATCHES + "/" + patch.component + "/" + patch.file + ": " + what);
  }

  /** Patches that are named anywhere must exist. Their numbers alone name none. */
  private void checkReferences(String file) throws IOException {
    if (!file.matches(".*\\.(java|c|h|sh|md|properties|txt|patch|toml|yaml)|Makefile")) {
      return;
    }
    Path path = root.resolve(file);
    // Figures are of their time, and name the patches as they were called then. The page has the old numbers.
    if (!Files.isRegularFile(path) || file.equals(PAGE) || file.startsWith("docs/figures")) {
      return;
    }
    Set<String> ids = patches.stream().map(Patch::id).collect(Collectors.toCollection(HashSet::new));
    String text = file.startsWith(PATCHES) ? parse("", "", Files.readString(path)).text : Files.readString(path);
    Matcher reference = REFERENCE.matcher(text);
    while (reference.find()) {
      if (!ids.contains(reference.group(1) + "/" + reference.group(2))) {
        faults.add(file + ": there is no patch " + reference.group());
      }
    }
    Matcher without = WITHOUT_FOLDER.matcher(text);
    while (without.find()) {
      faults.add(file + ": \"" + without.group() + "\" does not say which folder, as in prrte/0001 (" + PAGE + ")");
    }
  }

  /** The page: a table for each component. */
  String page() {
    StringBuilder page = new StringBuilder(INTRODUCTION);
    String before = "";
    for (Patch patch : patches) {
      if (!patch.component.equals(before)) {
        page.append("\n## ").append(patch.component).append("\n\n").append(HEADING);
        before = patch.component;
      }
      page.append("| [").append(patch.id()).append("](").append(patch.component).append('/').append(patch.file).append(") | ")
          .append(cell(patch.symptom()));
      for (String trailer : TRAILERS) {
        page.append(" | ").append(cell(patch.get(trailer)));
      }
      page.append(" |\n");
    }
    return page.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("_", "\\_");
  }

  private static final String HEADING = """
      | patch | symptom | kind | who meets it | test | upstream | needed by | until November 2026 |
      |---|---|---|---|---|---|---|---|
      """;

  private static final String INTRODUCTION =
      """
          # Patches to Open MPI

          <!-- Made by org.kintsugi.ci.openmpi.PatchIndex from the patches' headers. -->

          Kintsugi builds Open MPI 5.0.7 (with the PMIx 5.0.5 and PRRTE 3.0.8 that it includes) with these patches.
          `apply.sh` applies the folders in the order of this page, and the patches of each in the order of their numbers.
          What they change: *pmix*: when, and in which order, the launcher delivers notices and output. *prrte*: the launcher
          survives lost nodes and reports the right exit codes. *pml-btl*: messages to and from failed processes end with an
          error, and change no other memory. *ulfm*: detection, agreement, revocation. *mpi*: init, finalize, spawn. Why: the
          symptom in each row; the change itself is in the patch's header.
          `patched.sha256` has the checksums of the patched files: a build is repeated if these change, not if a header does.

          - **kind**: a *fault* of Open MPI, or a *feature* that Kintsugi needs.
          - **test**: the class of Kintsugi's tests, or of a program of `make`, that shows it.
          - **upstream**: whether Open MPI 5.0.10, 6.0 (branch `v6.0.x`) and `main` have the same fault (*same*), a part of it
            (*partly*), not any more (*fixed*), or other code that was not judged (*changed*). Read in August 2026.
          - **until November 2026**: the numbers under which the patches are named in commits of that time.

          The header of a patch says more: what goes wrong, why, and what was measured.
          """;
}
