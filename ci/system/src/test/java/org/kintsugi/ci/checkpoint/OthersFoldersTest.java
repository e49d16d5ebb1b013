// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.test.RankJob;

/** Another user owns a folder, or has put a link there. The job says so and touches nothing. */
class OthersFoldersTest {
  private static final int RANKS = 2;
  private static final int ANOTHER_USER = 12345;

  @TempDir
  private Path folder;

  private RankJob.Outcome job(String store) {
    return RankJob.of(RANKS, 0).jvm("-Dkintsugi.checkpoint.store=" + store,
        "-Dkintsugi.checkpoint.dir=" + folder.resolve("shared"), "-Dkintsugi.checkpoint.local.dir=" + folder.resolve("local"))
        .jvm(Library.FTI.options().toArray(new String[0])).jvm(Library.SCR.options().toArray(new String[0]))
        .run(TriesToSave.class, "1");
  }

  private static void give(Path path) throws IOException {
    assumeTrue(Files.getAttribute(path, "unix:uid").equals(0), "only root can give a folder away");
    Files.setAttribute(path, "unix:uid", ANOTHER_USER);
  }

  /** The folder that all nodes share, and for the libraries the one on the node. */
  @ParameterizedTest
  @ValueSource(strings = {"file shared", "fti shared/fti", "fti local", "scr shared/scr", "scr local"})
  void aFolderOfAnotherUserIsRefused(String store) throws IOException {
    String engine = store.substring(0, store.indexOf(' '));
    if (!engine.equals("file")) {
      Installed.orSkip(engine);
    }
    Path other = folder.resolve(store.substring(store.indexOf(' ') + 1));
    // As /tmp is.
    Files.createDirectories(other);
    Files.setAttribute(other.getParent(), "unix:mode", 01777);
    give(other);
    TriesToSave.assertRefused(job(engine), other + " belongs to the user with the number " + ANOTHER_USER);
  }
}
