// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.mpirun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.internal.commandline.PerProcessOptions;
import org.kintsugi.launch.internal.host.StandIns;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;

/** Ports and files that only one process of a host can have. */
class PerProcessOptionsTest {
  private static final PrintStream NOWHERE = new PrintStream(PrintStream.nullOutputStream());

  private static MpirunCommand command(JobSpec spec, Map<String, String> environment) {
    return new MpirunCommand(spec, new MpiHome(Path.of("/mpi"), Flavour.ULFM), StandIns.FOLDERS, 8, environment);
  }

  private static JobSpec job(int ranks, String option, String... mpirun) {
    return new JobSpec().ranks(ranks).mpirunOptions(List.of(mpirun)).javaArguments(List.of(option, "-cp", "x", "Main"));
  }

  @Test
  void aPortThatSeveralRanksWouldOpenIsRefused() {
    for (String option : List.of("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=5005",
        "-agentlib:jdwp=transport=dt_socket,server=y,address=*:5005",
        "-Xrunjdwp:server=y,transport=dt_socket,address=localhost:5005",
        "-Dcom.sun.management.jmxremote.port=9999", "-Dcom.sun.management.jmxremote.rmi.port=9999")) {
      assertThatThrownBy(() -> command(job(2, option), Map.of()).prepareOptions(NOWHERE)).isInstanceOf(LaunchException.class)
          .hasMessageContaining(option + ": all ranks get this option").hasMessageContaining("Say port 0");
      assertThatThrownBy(() -> command(job(1, option).spares(1), Map.of()).prepareOptions(NOWHERE)).hasMessageContaining(option);
      assertThatThrownBy(() -> command(job(2, "-Xmx1g"), Map.of("JAVA_TOOL_OPTIONS", option)).prepareOptions(NOWHERE))
          .hasMessageContaining(option);
      command(job(1, option), Map.of()).prepareOptions(NOWHERE);
      command(job(2, option, "--host", "a:1,b:1"), Map.of()).prepareOptions(NOWHERE);
      command(job(2, option), Map.of("SLURM_JOB_ID", "1", "SLURM_TASKS_PER_NODE", "1(x2)")).prepareOptions(NOWHERE);
    }
  }

  @Test
  void portsOfWhichEachRankHasItsOwnAreNot() {
    assertThat(PerProcessOptions.objectionToPorts(Stream.of("-agentlib:jdwp=transport=dt_socket,server=y,address=0",
        "-agentlib:jdwp=transport=dt_socket,server=y,address=*:0", "-agentlib:jdwp=transport=dt_socket,server=y",
        "-agentlib:jdwp=transport=dt_socket,server=y,onjcmd=y,address=5005",
        "-agentlib:jdwp=transport=dt_socket,address=host:5005",
        "-Dcom.sun.management.jmxremote.port=0", "-Dcom.sun.management.jmxremote", "-Xmx1g"))).isNull();
  }

  @Test
  void filesGetNamesForEachProcess() {
    for (String[] pair : new String[][] {{"-XX:StartFlightRecording=filename=x.jfr", "-XX:StartFlightRecording=filename=x"},
        {"-XX:StartFlightRecording:delay=5s,filename=/a/x.jfr,dumponexit=true",
            "-XX:StartFlightRecording:delay=5s,filename=/a/x,dumponexit=true"},
        {"-Xlog:gc:gc.log", "-Xlog:gc:gc-%p.log"},
        {"-Xlog:gc*=debug:file=/a.b/gc:time:filecount=5", "-Xlog:gc*=debug:file=/a.b/gc-%p:time:filecount=5"},
        {"-Xlog::file=all.txt", "-Xlog::file=all-%p.txt"}, {"-Xloggc:gc.log", "-Xloggc:gc-%p.log"},
        {"-Xlog:gc:\"C x.log\"", "-Xlog:gc:\"C x-%p.log\""}}) {
      assertThat(PerProcessOptions.withOwnFile(pair[0])).isEqualTo(pair[1]);
    }
    for (String option : List.of("-XX:StartFlightRecording=filename=x-%p.jfr", "-XX:StartFlightRecording=duration=5s", "-Xlog:gc",
        "-Xlog:gc:stderr", "-Xlog:gc:stdout:time", "-Xlog:gc:gc-%p.log", "-Xlog:disable", "-Xlog:gc:/dev/null", "-Xmx1g",
        "-Xlog:cds=off",
        "-cp", "-Dx=-Xlog:gc:y")) {
      assertThat(PerProcessOptions.withOwnFile(option)).isEqualTo(option);
    }
  }

  @Test
  void whatIsChangedIsSaidAndFoldersAreMade(@TempDir Path folder) throws IOException {
    String option = "-XX:StartFlightRecording=filename=" + folder.resolve("x.jfr");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    JobSpec job = new JobSpec().ranks(2).javaArguments(List.of(option, "-cp", "x", "Main", option));
    MpirunCommand command = command(job, Map.of());
    command.prepareOptions(new PrintStream(said, true, StandardCharsets.UTF_8));
    assertThat(said.toString(StandardCharsets.UTF_8)).containsOnlyOnce(option + ": each process writes a file of its own");
    assertThat(folder.resolve("x")).isDirectory();
    assertThat(String.join(" ", command.arguments())).contains("filename=" + folder.resolve("x") + ",jdk.Init")
        .endsWith("'" + option + "'");
    assertThat(command(job(1, option), Map.of()).arguments()).contains(PerProcessOptions.withoutEnvironment(option));
    command(job(2, "-XX:StartFlightRecording:filename=" + folder.resolve("z") + ",dumponexit=true"), Map.of())
        .prepareOptions(NOWHERE);
    assertThat(folder.resolve("z")).isDirectory();
    Files.createFile(folder.resolve("y"));
    assertThatThrownBy(() -> command(job(2, "-XX:StartFlightRecording=filename=" + folder.resolve("y.jfr")), Map.of())
        .prepareOptions(NOWHERE)).hasMessageContaining("there is a file of that name");
  }

  /** The environment has the job's secret. */
  @Test
  void recordingsDoNotHaveTheEnvironment() {
    String without = "jdk.InitialEnvironmentVariable#enabled=false";
    for (String[] pair : new String[][] {{"", ":" + without}, {"=", ":" + without},
        {":settings=profile", ":settings=profile," + without},
        {"=delay=5s,filename=x.jfr", ":delay=5s,filename=x.jfr," + without},
        {":" + without, ":" + without}, {":help", ":help"}}) {
      String option = "-XX:StartFlightRecording" + pair[0];
      String expected = "-XX:StartFlightRecording" + pair[1];
      assertThat(PerProcessOptions.withoutEnvironment(option)).isEqualTo(expected);
      assertThat(command(job(1, option), Map.of()).arguments()).contains(expected);
    }
    assertThat(PerProcessOptions.withoutEnvironment("-XX:StartFlightRecordingX")).isEqualTo("-XX:StartFlightRecordingX");
  }
}
