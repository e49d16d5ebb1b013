// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.kintsugi.ci.cluster.NamespaceNodes;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;

/**
 * Jobs that use SCR, with all ranks on one node, or each on one of its own as far as SCR can see ({@link NamespaceNodes}).
 */
public final class ScrNodes {
  private final Path folder;
  private final Path java;
  private final boolean separate;

  private ScrNodes(Path folder, Path java, boolean separate) {
    this.folder = folder;
    this.java = java;
    this.separate = separate;
  }

  /** All ranks on this one node. */
  public static ScrNodes one(Path folder) {
    return new ScrNodes(folder, java(), false);
  }

  private static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  /** A node for each process; the test is skipped where that cannot be. */
  public static ScrNodes separate(Path folder) throws IOException {
    requireNamespaces();
    return new ScrNodes(folder, NamespaceNodes.java(folder), true);
  }

  /** A node for each rank at the start; spares are on the first ranks' nodes. */
  public static ScrNodes shared(Path folder, int nodes) throws IOException {
    ScrNodes separate = separate(folder);
    String script = Files.readString(separate.java);
    String alone = "N=${OMPI_COMM_WORLD_RANK:-0}";
    if (!script.contains(alone)) {
      throw new IllegalStateException(separate.java + " does not say " + alone);
    }
    Files.writeString(separate.java, script.replace(alone, "N=$((${OMPI_COMM_WORLD_RANK:-0} % " + nodes + "))"));
    return separate;
  }

  /** A host name for each process, and one folder for all, which is wrong. */
  public static ScrNodes sharing(Path folder) throws IOException {
    requireNamespaces();
    return new ScrNodes(folder, NamespaceNodes.javaSharing(folder), false);
  }

  /** The test is skipped, with the reason, where processes cannot have nodes of their own. */
  static void requireNamespaces() throws IOException {
    String refusal = NamespaceNodes.refusal();
    if (refusal != null) {
      Assumptions.abort(refusal);
    }
  }

  private Path local() {
    return NamespaceNodes.local(folder);
  }

  /** A job that need not have to do with SCR. */
  public RankJob job(int ranks, int spares) {
    return RankJob.of(ranks, spares).java(java);
  }

  /** A job with SCR; skipped where SCR is not installed. */
  public RankJob job(int ranks, int spares, String type, String... options) {
    Installed.orSkip("scr");
    List<String> jvm = new ArrayList<>(List.of("-Dkintsugi.checkpoint.store=scr", "-Dkintsugi.scr.type=" + type,
        "-Dkintsugi.checkpoint.dir=" + folder.resolve("shared"), "-Dkintsugi.checkpoint.local.dir=" + local()));
    jvm.addAll(List.of(options));
    return job(ranks, spares).timeoutSeconds(120).jvm(jvm.toArray(new String[0]));
  }

  /** A node is lost with all that it has. */
  public void lose(int node) throws IOException {
    TemporaryFolder.remove(NamespaceNodes.local(folder, node));
  }

  /** A rank's file of the newest version, as SCR keeps it on its node. */
  Path newest(int rank) throws IOException {
    Path node = separate ? NamespaceNodes.local(folder, rank) : local();
    try (Stream<Path> files = Files.walk(node)) {
      return files.filter(file -> file.getFileName().toString().equals(String.format("rank-%05d.ckpt", rank)))
          .max(Comparator.comparingInt(ScrNodes::dataset)).orElseThrow();
    }
  }

  /** SCR counts its datasets, and names their folders by that. */
  private static int dataset(Path file) {
    String name = file.getParent().getFileName().toString();
    return Integer.parseInt(name.substring(name.lastIndexOf('.') + 1));
  }
}
