// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option of applications that can draw what they have computed: a picocli mixin. */
public final class PictureOption {
  @Option(names = "--picture", paramLabel = "FILE.svg", description = "where rank 0 draws the result: in a folder that all see")
  private Path file;

  /** Finds mistakes before the work starts. @param options of the same program */
  void check(ReportOptions options) {
    if (file == null) {
      return;
    }
    String refusal = Picture.refusal(file);
    if (refusal != null) {
      throw options.refuseHere("--picture " + file + ": " + refusal);
    }
    Path json = options.json();
    if (json != null && (isSame(json, file) || isSame(json, OutputFile.aside(file)))) {
      throw options.refuse("--json " + json + " --picture " + file + ": one would replace the other; give them two names");
    }
  }

  private static boolean isSame(Path one, Path other) {
    return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  /** Null: no picture is wanted. */
  Path file() {
    return file;
  }
}
