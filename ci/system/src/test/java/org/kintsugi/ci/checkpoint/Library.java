// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.kintsugi.test.RankJob;

/** A library that is the engine, with settings by which nothing but a rank's own file has its part of a version. */
enum Library {
  FTI("Ckpt\\d+-Rank%d\\.fti", "-Dkintsugi.fti.levels=1", "-Dkintsugi.fti.keep=true"),
  SCR("rank-%05d\\.ckpt", "-Dkintsugi.scr.type=SINGLE", "-Dkintsugi.scr.flush=0");

  private final String files;
  private final String[] options;

  Library(String files, String... options) {
    this.files = files;
    this.options = options;
  }

  RankJob job(int ranks, Path folder) {
    String name = name().toLowerCase(Locale.ROOT);
    Installed.orSkip(name);
    return RankJob.of(ranks, 0).jvm("-Dkintsugi.checkpoint.store=" + name,
        "-Dkintsugi.checkpoint.dir=" + folder.resolve("shared"), "-Dkintsugi.checkpoint.local.dir=" + folder.resolve("local"))
        .jvm(options);
  }

  List<String> options() {
    return List.of(options);
  }

  /** The files with a rank's versions, the older one first. */
  List<Path> versions(Path folder, int rank) throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("local"))) {
      List<Path> found = new ArrayList<>(
          all.filter(file -> file.getFileName().toString().matches(String.format(files, rank))).toList());
      found.sort(Comparator.comparing(file -> file.toFile().lastModified()));
      assertThat(found).as("the files of rank %d", rank).hasSize(2);
      return found;
    }
  }
}
