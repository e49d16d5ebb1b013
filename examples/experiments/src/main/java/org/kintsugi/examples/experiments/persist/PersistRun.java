// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.persist;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.examples.experiments.Launcher;
import org.kintsugi.examples.experiments.StudyRun;

/** A run with a store: what both sorts of runs have in common. */
abstract class PersistRun implements StudyRun {
  /** The environment of persistent communicators: a database of the user's own, which is taken instead of a new server. */
  private static final String URL_VARIABLE = "KINTSUGI_PERSIST_URL";

  private final String experiment;
  private final String size;
  private final int limitSeconds;
  private final int repetition;
  private final int ranks;
  private final PersistStore store;

  PersistRun(String experiment, String size, int limitSeconds, int repetition, int ranks, PersistStore store) {
    this.experiment = experiment;
    this.size = size;
    this.limitSeconds = limitSeconds;
    this.repetition = repetition;
    this.ranks = ranks;
    this.store = store;
  }

  /** @param what is run, in words that all runs of it have */
  final String key(String what, int settings) {
    return String.join("/", experiment, size, what, store.word(), String.valueOf(repetition), Integer.toHexString(settings));
  }

  /** Writes what all lines have. */
  final ObjectNode describe(ObjectNode line, String application, String input, int faults) {
    return line.put("experiment", experiment).put("size", size).put("application", application).put("input", input)
        .put("ranks", ranks).put("engine", store.word()).put("label", store.label).put("faults", faults)
        .put("repetition", repetition);
  }

  final int ranks() {
    return ranks;
  }

  @Override
  public final int limitSeconds() {
    return limitSeconds;
  }

  private static boolean hasOwnServer() {
    return !System.getenv().getOrDefault(URL_VARIABLE, "").isBlank();
  }

  @Override
  public final String refusal(Launcher launcher, Path folder) throws IOException, InterruptedException {
    String why = store == PersistStore.POSTGRES && !hasOwnServer() ? PostgresServer.refusal() : null;
    return why != null ? why : launcher.refusal(store.library, command(launcher, folder), folder);
  }

  @Override
  public final Integer start(Launcher launcher, Path folder, ObjectNode line) throws IOException, InterruptedException {
    List<String> command = command(launcher, folder);
    if (store != PersistStore.POSTGRES || hasOwnServer()) {
      return launcher.run(command, limitSeconds, folder, line);
    }
    try (PostgresServer server = PostgresServer.start()) {
      PostgresServer.setting(urlFile(folder), server.url());
      return launcher.run(command, limitSeconds, folder, line);
    }
  }

  /** The whole command. */
  abstract List<String> command(Launcher launcher, Path folder);

  private static Path urlFile(Path folder) {
    return folder.resolve("url");
  }

  final Map<String, String> properties(Path folder) {
    Map<String, String> properties = new HashMap<>(Map.of("kintsugi.persist.store", store.setting, "kintsugi.persist.dir",
        folder.resolve("persist").toString(), "kintsugi.checkpoint.local.dir", Launcher.localFolder(folder).toString()));
    if (store == PersistStore.POSTGRES && !hasOwnServer()) {
      properties.put("kintsugi.persist.url", "@" + urlFile(folder));
    }
    return properties;
  }
}
