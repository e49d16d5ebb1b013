// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.internal.timeline.JobTimeline;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.SetupException;
import org.kintsugi.test.TemporaryFolder;

/**
 * Made to be watched: HPCCG undisturbed, then with the death of a rank, and the two answers compared bit for bit. Exit code 0
 * only if they agree.
 */
public final class Demo {
  private static final int RANKS = 4;
  private static final int VICTIM = 2;
  private static final int WHEN = 60;
  private static final List<String> SIZE = List.of("48", "48", "48");
  private static final long TIMEOUT_SECONDS = 300;

  private final MpiHome mpi;
  private final Path folder;

  private Demo(MpiHome mpi, Path folder) {
    this.mpi = mpi;
    this.folder = folder;
  }

  /** Argument: the flavour. */
  public static void main(String[] args) throws IOException {
    boolean good = false;
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-demo-")) {
      MpiHome mpi = MpiHome.find(null, Flavour.of(args[0]), System.getenv());
      good = new Demo(mpi, folder.path()).show();
    } catch (SetupException e) {
      System.err.println(e.getMessage());
    }
    System.exit(good ? 0 : 1);
  }

  private boolean show() throws IOException {
    System.out.printf("HPCCG in Java, %s points per rank, on %d ranks and 1 %s, under %s%n%n1. Undisturbed%n",
        String.join(" x ", SIZE), RANKS, spare(), mpi.mpirun());
    JsonNode undisturbed = run("undisturbed", null);
    System.out.printf("%n2. Once more; rank %d gets a SIGKILL at iteration %d%n", VICTIM, WHEN);
    JsonNode killed = run("killed", "process:" + VICTIM + "@" + WHEN);
    Story story = new Story(undisturbed, killed, spare(), System.out);
    System.out.printf("%n3. What happened%n");
    story.tellRecoveries();
    story.tellIterations();
    story.tellTimes();
    System.out.printf("%n4. The residuals of both runs, and how they fall (logarithmic)%n");
    story.tellResiduals(killed.at("/takeovers/0/firstIteration").asInt(-1), WHEN);
    System.out.printf("%n5. The answers%n");
    boolean isGood = story.judge();
    System.out.printf("%n6. The second run, as a page for a browser: %s%n", timeline("killed").toUri());
    return isGood;
  }

  /** Draws a run, in the checkout's folder for what is made. */
  private Path timeline(String run) throws IOException {
    Path page = Files.createDirectories(Path.of("target", "demo").toAbsolutePath()).resolve("timeline.html");
    JobTimeline.write(recording(run), page, 0);
    return page;
  }

  private Path recording(String run) {
    return folder.resolve(run + "-recording");
  }

  private String spare() {
    return mpi.flavour() == Flavour.REINIT ? "warm JVM" : "spare";
  }

  private JsonNode run(String name, String kill) throws IOException {
    Path json = folder.resolve(name + ".json");
    // Both runs, so that their times can be compared.
    JobSpec spec = new JobSpec().ranks(RANKS).spares(1).record(recording(name));
    if (kill != null) {
      spec.kill(kill);
    }
    spec.javaArguments(List.of("-cp", System.getProperty("java.class.path"), Hpccg.class.getName(),
        SIZE.get(0), SIZE.get(1), SIZE.get(2), "--json", json.toString(), "--progress"));
    int code = new Job(spec, mpi).timeoutSeconds(TIMEOUT_SECONDS).run();
    if (code != 0 || !Files.exists(json)) {
      throw new LaunchException(code == Job.TIMED_OUT ? "the job hung: ended after " + TIMEOUT_SECONDS + " seconds"
          : "the job ended with " + code + (Files.exists(json) ? "" : " and without a result"));
    }
    return new ObjectMapper().readTree(json.toFile());
  }
}
