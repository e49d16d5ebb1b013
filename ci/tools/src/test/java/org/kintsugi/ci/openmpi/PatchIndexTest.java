// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.openmpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.ci.checkout.Checkout;

/** The patches to Open MPI have complete headers and an index that is up to date, and each mistake in them is found. */
class PatchIndexTest {
  private static final String PATCHES = "native/openmpi/patches/";
  private static final String FIRST = PATCHES + "prrte/0001-a-symptom.patch";
  private static final String SECOND = PATCHES + "mpi/0001-another.patch";
  private static final String HEADER = """
      prrte: a symptom

      Why it is so.

      Kind: fault
      Met-by: every job of stock Open MPI
      Test: SomeTest
      Upstream: 5.0.10 same, 6.0 changed, main fixed; in abcdef
      Needed-by: mpi/0001
      Was: 0001, 0002

      """;
  /** In two parts, as this file may not name such a patch either. */
  private static final String ALONE = "patch " + "0001";
  private static final String DIFF = "--- a/3rd-party/prrte/a.c\n+++ b/3rd-party/prrte/a.c\n@@ -1 +1 @@\n-a\n+" + ALONE + "\n";
  private static final String SUMS = "1234  3rd-party/prrte/a.c\n5678  opal/b.c\n";

  @TempDir
  private Path folder;

  @BeforeEach
  void aProject() throws IOException {
    for (String component : List.of("pmix", "prrte", "pml-btl", "ulfm", "mpi")) {
      Files.createDirectories(folder.resolve(PATCHES + component));
    }
    write(FIRST, HEADER + DIFF);
    write(SECOND,
        HEADER.replace("prrte: a", "mpi: another").replace("fault", "feature").replace("Test: SomeTest", "Test: none; a race")
            + DIFF.replace("3rd-party/prrte/a.c", "opal/b.c"));
    write(PATCHES + "patched.sha256", SUMS);
    write("ci/src/test/java/SomeTest.java", "// needs patch prrte/0001, and native/openmpi/patches/mpi/0001\n");
    write("ci/target/old.md", ALONE);
    writePage();
  }

  private void write(String file, String text) throws IOException {
    Files.createDirectories(folder.resolve(file).getParent());
    Files.writeString(folder.resolve(file), text);
  }

  private void writePage() throws IOException {
    write(PATCHES + "README.md", new PatchIndex(folder).page());
  }

  private void assertFault(String file, String text, String... parts) throws IOException {
    Path path = folder.resolve(file);
    String before = Files.exists(path) ? Files.readString(path) : null;
    write(file, text);
    if (!file.endsWith("README.md")) {
      writePage();
    }
    assertThat(new PatchIndex(folder).check()).singleElement().asString().contains(parts);
    if (before == null) {
      Files.delete(path);
    } else {
      write(file, before);
    }
    writePage();
  }

  @Test
  void thisProjectsIndexIsRight() throws IOException {
    assertThat(new PatchIndex(Checkout.FOLDER).check()).isEmpty();
  }

  @Test
  void thePageHasWhatTheHeadersSay() throws IOException {
    assertThat(new PatchIndex(folder).check()).isEmpty();
    assertThat(Files.readString(folder.resolve(PATCHES + "README.md"))).containsSubsequence("## prrte",
        "| [prrte/0001](prrte/0001-a-symptom.patch) | a symptom | fault | every job of stock Open MPI | SomeTest | "
            + "5.0.10 same, 6.0 changed, main fixed; in abcdef | mpi/0001 | 0001, 0002 |",
        "## mpi", "| another symptom | feature | ", " | none; a race | ");
    assertFault(PATCHES + "README.md", "# Patches\n", "README.md is not up to date");
  }

  @Test
  void aHeaderMustBeComplete() throws IOException {
    assertFault(FIRST, HEADER.replace("Kind: fault\n", "") + DIFF, "0001-a-symptom.patch: expected the trailers [Kind, ");
    assertFault(FIRST, HEADER.replace("Kind: fault", "Kind: bug") + DIFF, "expected fault or feature");
    assertFault(FIRST, HEADER.replace("SomeTest", "LostTest") + DIFF, "no class LostTest");
    assertFault(FIRST, HEADER.replace("main fixed", "main unknown") + DIFF, "Upstream: expected");
    assertFault(FIRST, HEADER.replace("0001, 0002", "one") + DIFF, "Was: expected");
    assertFault(FIRST, HEADER.replace("prrte: a symptom", "A symptom.") + DIFF, "the first line must be");
    assertFault(FIRST, DIFF, "the first line must be");
  }

  @Test
  void aPatchChangesFilesOfItsComponent() throws IOException {
    write(PATCHES + "patched.sha256", SUMS.replace("3rd-party/prrte/a.c", "opal/a.c"));
    assertFault(FIRST, HEADER + DIFF.replace("3rd-party/prrte/", "opal/"), "changes opal/a.c, which is no file of prrte");
    write(PATCHES + "patched.sha256", SUMS);
    assertFault(PATCHES + "patched.sha256", "1234  opal/b.c\n", "has other files than the patches change");
  }

  @Test
  void numbersAreWithoutAGap() throws IOException {
    assertFault(PATCHES + "prrte/0003-a-gap.patch", HEADER + DIFF, "expected the name 0002-");
  }

  @Test
  void referencesNameAFolder() throws IOException {
    assertFault("docs/a.md", "fixed by " + ALONE, "docs/a.md: \"" + ALONE + "\" does not say which folder");
    assertFault("docs/a.md", "fixed by prrte/0002\n", "docs/a.md: there is no patch prrte/0002");
    assertFault(FIRST, HEADER.replace("Why it is", "Why " + ALONE + " is") + DIFF, "does not say which folder");
  }
}
