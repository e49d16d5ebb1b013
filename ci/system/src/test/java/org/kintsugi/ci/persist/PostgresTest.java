// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.ci.ranks.Waiting;
import org.kintsugi.examples.experiments.persist.PostgresServer;
import org.kintsugi.examples.persist.Heat;
import org.kintsugi.test.RankJob;

/** The heat equation persists its state in a real PostgreSQL, which crashes meanwhile, as does a process. */
@Tag("once")
class PostgresTest {
  private static final int LIMIT_SECONDS = 150;
  /** At most: the disk decides how long the run lasts. */
  private static final int RESTARTS = 3;
  private static final int PAUSE_MILLIS = 300;
  /** A state in each step, and each a few transactions, which are forced to the disk. */
  private static final int STEPS = 300;

  @TempDir
  private Path folder;

  private PostgresServer server;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    RankJob.mpiOrSkip();
    assumeTrue(PostgresServer.refusal() == null, PostgresServer::refusal);
    server = PostgresServer.start();
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private Process start(String name, String... options) throws IOException {
    List<String> line = RankJob.jmpirun(RankJob.mpiOrSkip());
    line.addAll(List.of("-n", "3", "--spares", "1", "--timeout", "120"));
    line.addAll(List.of(options));
    line.addAll(List.of("-XX:TieredStopAtLevel=1", // soon at an end
        "-Dkintsugi.persist.url=" + PostgresServer.setting(folder.resolve("url"), server.url()),
        "-Dkintsugi.persist.dir=" + folder.resolve("persist")));
    line.addAll(RankJob.classes(RankJob.mpiOrSkip()));
    line.addAll(List.of(Heat.class.getName(), "60", "40", String.valueOf(STEPS), "--interval", "1", "--json",
        folder.resolve(name + ".json").toString()));
    return new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(folder.resolve(name).toFile()).start();
  }

  private JsonNode end(String name, Process process) throws IOException, InterruptedException {
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("ended in time").isTrue();
    } finally {
      process.destroy();
    }
    assertThat(process.exitValue()).as(Files.readString(folder.resolve(name))).isZero();
    return new ObjectMapper().readTree(folder.resolve(name + ".json").toFile());
  }

  private boolean hasMessages() {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM kintsugi_persist WHERE number > 0")) {
      return rows.next() && rows.getInt(1) > 0;
    } catch (SQLException noTableYet) {
      return false;
    }
  }

  @Test
  void aServerThatCrashesAndAProcessThatFailsChangeNothing() throws IOException, InterruptedException {
    JsonNode undisturbed = end("undisturbed", start("undisturbed", "-Dkintsugi.persist.store=memory"));
    Process process = start("disturbed", "--kill", "process:1@" + STEPS / 2, "-Dkintsugi.persist.store=jdbc");
    int whileItRan = 0;
    boolean isDone = false;
    try {
      Waiting.until("the first state", LIMIT_SECONDS, this::hasMessages, () -> Files.readString(folder.resolve("disturbed")));
      while (process.isAlive() && whileItRan < RESTARTS) {
        server.restart();
        whileItRan += process.isAlive() ? 1 : 0;
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
      isDone = true;
    } finally {
      if (!isDone) {
        process.destroy();
      }
    }
    JsonNode disturbed = end("disturbed", process);
    assertThat(whileItRan).as("restarts").isPositive();
    assertThat(disturbed.get("hash")).isEqualTo(undisturbed.get("hash"));
    assertThat(disturbed.get("recoveries")).hasSize(1);
  }
}
