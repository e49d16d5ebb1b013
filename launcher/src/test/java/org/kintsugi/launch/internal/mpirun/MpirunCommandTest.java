// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.mpirun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.Jmpirun;
import org.kintsugi.launch.internal.host.Cores;
import org.kintsugi.launch.internal.host.RankLocale;
import org.kintsugi.launch.internal.host.StandIns;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;

/** The command lines that come out, without any MPI. */
class MpirunCommandTest {
  private static final MpiHome MPI = new MpiHome(Path.of("/mpi"), Flavour.ULFM);

  private static JobSpec spec() {
    return new JobSpec().ranks(4).spares(1).javaArguments(List.of("-cp", "app.jar", "Main", "arg"));
  }

  private static String line(JobSpec spec, int cores) {
    return String.join(" ", new MpirunCommand(spec, MPI, StandIns.FOLDERS, cores).arguments());
  }

  @Test
  void hasTheFlagsThatFaultToleranceNeeds() {
    assertThat(line(spec(), 8)).startsWith("/mpi/bin/mpirun --with-ft ulfm ")
        .contains("--mca async_mpi_finalize 1", "--mca coll ^hcoll,portals4,han,adapt", "--mca osc ^ucx",
            "--prtemca state_base_recoverable 1", "--prtemca oob_tcp_keepalive_time 1", "-n 5 ", "-Dkintsugi.spares=1")
        .doesNotContain("--oversubscribe").endsWith("-cp app.jar Main arg");
  }

  @Test
  void messageLayersThatDoNotSurviveAreRefused() {
    for (String[] options : new String[][] {{"pml", "ucx"}, {"pml", "cm"}, {"mtl", "ofi"}}) {
      JobSpec job = spec().mpirunOptions(List.of("--mca", options[0], options[1]));
      assertThatThrownBy(() -> line(job, 8)).isInstanceOf(LaunchException.class)
          .hasMessageContaining("--mca " + options[0] + " " + options[1]).hasMessageContaining("--no-fault-tolerance");
      assertThat(line(job.spares(0).faultTolerance(false), 8)).contains("--mca " + options[0] + " " + options[1])
          .doesNotContain("--with-ft", "--mca btl ", "kintsugi.refill").contains("-Dkintsugi.fault.tolerance=false");
    }
    assertThat(line(spec().mpirunOptions(List.of("--mca", "pml", "^ucx")), 8)).contains("--mca btl ^ofi,uct");
    assertThatThrownBy(() -> line(spec().faultTolerance(false), 8)).isInstanceOf(LaunchException.class)
        .hasMessageContaining("--spares 1 with --no-fault-tolerance");
  }

  @Test
  void sharedMemoryOfTheLibrariesIsRefusedUnderFaultTolerance(@TempDir Path folder) throws IOException {
    Files.createDirectories(folder.resolve("lib/openmpi"));
    for (String file : List.of("lib/libmpi.so.40", "lib/openmpi/mca_btl_uct.so", "kintsugi.stamp")) {
      Files.createFile(folder.resolve(file));
    }
    MpiHome mpi = new MpiHome(folder, Flavour.ULFM);
    JobSpec job = spec().network("ucx:posix");
    assertThatThrownBy(() -> new MpirunCommand(job, mpi, StandIns.FOLDERS, 8).arguments()).isInstanceOf(LaunchException.class)
        .hasMessageStartingWith("--network ucx:posix: in the shared memory of");
    assertThat(new MpirunCommand(job.spares(0).faultTolerance(false), mpi, StandIns.FOLDERS, 8).arguments())
        .contains("btl_uct_memory_domains", "posix");
    for (String parameter : List.of("btl_uct_memory_domains", "opal_common_ofi_provider_include")) {
      assertThatThrownBy(() -> line(spec().mpirunOptions(List.of("--mca", parameter, "net,shm")), 8))
          .isInstanceOf(LaunchException.class).hasMessageStartingWith("--mca " + parameter + " net,shm: in the shared memory of");
    }
  }

  @Test
  void letsIdleRanksYieldWhenCoresAreScarce() {
    assertThat(line(spec(), 2)).contains("--oversubscribe --mca mpi_yield_when_idle 1");
  }

  @Test
  void theUsersFileOfParametersWins(@TempDir Path home) throws IOException {
    Path file = Files.createDirectories(home.resolve(".openmpi")).resolve("mca-params.conf");
    Files.writeString(file, "# mpi_yield_when_idle = 0\nother = mpi_yield_when_idle = 0\n");
    Map<String, String> environment = Map.of("HOME", home.toString());
    assertThat(new MpirunCommand(spec(), MPI, StandIns.FOLDERS, 2, environment).arguments()).contains("mpi_yield_when_idle");
    assertThat(new MpirunCommand(spec(), MPI, StandIns.FOLDERS, 2, environment).arguments()).contains("^ofi,uct");
    Files.writeString(file, "btl = ^tcp\n  mpi_yield_when_idle=0\n");
    assertThat(new MpirunCommand(spec(), MPI, StandIns.FOLDERS, 2, environment).arguments())
        .doesNotContain("mpi_yield_when_idle", "btl");
  }

  @Test
  void ranksWriteEventsOnlyForARecording() {
    assertThat(line(spec(), 8)).doesNotContain("kintsugi.record", "FlightRec");
    assertThat(line(spec().record(Path.of("/tmp/rec")), 8)).contains(
        "-Dkintsugi.record=true -Dkintsugi.record.calls.micros=1000 ",
        "-XX:StartFlightRecording:filename=/tmp/rec,");
    assertThat(line(spec().record(Path.of("/tmp/rec")).restarts(2), 8)).contains("filename=/tmp/rec/restart-2,");
    JobSpec users = new JobSpec().ranks(4).javaArguments(List.of("-XX:StartFlightRecording", "-cp", "app.jar", "Main"));
    assertThat(line(users, 8)).contains("-Dkintsugi.record=true").doesNotContain("FlightRecorderOptions");
  }

  @Test
  void ranksThatShareCoresAreNotBound() {
    assertThat(line(spec(), 2)).contains("--bind-to none");
    assertThat(line(spec().mpirunOptions(List.of("--host", "localhost:5")), 2))
        .contains("--mca mpi_yield_when_idle 1 --bind-to none")
        .doesNotContain("--oversubscribe");
    assertThat(line(spec().mpirunOptions(List.of("--host", "localhost:5")), 8)).doesNotContain("--bind-to", "yield");
    for (String said : List.of("--bind-to core", "-bind-to none", "--bind-to=core", "--cpu-list 0,1", "--map-by slot:PE=2",
        "--prtemca hwloc_default_binding_policy core")) {
      List<String> options = new ArrayList<>(List.of("--host", "localhost:5"));
      options.addAll(List.of(said.split(" ")));
      assertThat(line(spec().mpirunOptions(options), 2)).as(said).doesNotContain("--bind-to none");
    }
    Map<String, String> slurm = Map.of("SLURM_JOB_ID", "1", "SLURM_JOB_NODELIST", "a,b[1-2]", "SLURM_TASKS_PER_NODE", "2,5(x2)");
    assertThat(String.join(" ", arguments(spec(), MPI, slurm))).contains("--bind-to core:overload-allowed")
        .doesNotContain("yield");
    assertThat(String.join(" ", new MpirunCommand(spec(), MPI, StandIns.FOLDERS, 4, slurm).arguments()))
        .contains("--mca mpi_yield_when_idle 1 --bind-to none").doesNotContain("overload");
    assertThat(line(spec().mpirunOptions(List.of("--host", "a:5,b:5")), 8)).as("they may have fewer cores")
        .contains("--bind-to core:overload-allowed");
    assertThat(line(spec().mpirunOptions(List.of("--host", "a:5,b:5", "--map-by", "node")), 8)).doesNotContain("--bind-to");
  }

  @Test
  void ranksHaveALocaleThatKnowsMoreThanAscii() {
    for (Map<String, String> ascii : List.of(Map.<String, String>of(), Map.of("LANG", "C"),
        Map.of("LC_CTYPE", "POSIX", "LANG", "de_DE.UTF-8"))) {
      assertThat(command(ascii).environment()).as("%s", ascii).containsEntry("LC_CTYPE", "C.UTF-8");
    }
    assertThat(command(Map.of("LC_ALL", "C", "LC_CTYPE", "de_DE.UTF-8")).environment()).containsEntry("LC_ALL", "C.UTF-8");
    assertThat(command(Map.of("LANG", "de_DE.UTF-8")).environment()).doesNotContainKeys("LC_ALL", "LC_CTYPE", "LANG");
    JobSpec elsewhere = spec().mpirunOptions(List.of("--host", "a:5,b:5", "-x", "LANG=x"));
    assertThat(String.join(" ", arguments(elsewhere, MPI, Map.of("LC_ALL", "C", "LANG", "de_DE.UTF-8"))))
        .contains("-x LC_ALL=C.UTF-8").containsOnlyOnce("LANG=");
    assertThat(RankLocale.ofRanks(Map.of("LC_ALL", "C", "LANG", "de_DE.UTF-8"))).isEqualTo("C.UTF-8");
    assertThat(RankLocale.ofRanks(Map.of("LANG", "de_DE.UTF-8"))).isEqualTo("de_DE.UTF-8");
  }

  private static MpirunCommand command(Map<String, String> environment) {
    return new MpirunCommand(spec(), MPI, StandIns.FOLDERS, 8, environment);
  }

  @Test
  void coresAreNoHardwareThreads(@TempDir Path root) throws IOException {
    Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(root.resolve("proc/self/status"), "Name:\tjava\nCpus_allowed:\tff\nCpus_allowed_list:\t0-2,6\nMems:\t1\n");
    for (int cpu : List.of(0, 1, 2, 6)) {
      Path topology = Files.createDirectories(root.resolve("sys/devices/system/cpu/cpu" + cpu + "/topology"));
      Files.writeString(topology.resolve("thread_siblings_list"), cpu % 4 + "," + (cpu % 4 + 4) + "\n");
    }
    assertThat(Cores.count(root, 4)).isEqualTo(3);
    assertThat(Cores.count(root, 2)).as("a container's").isEqualTo(2);
    assertThat(Cores.count(root.resolve("nowhere"), 4)).isEqualTo(4);
    assertThat(Cores.ofThisHost()).isBetween(1, Runtime.getRuntime().availableProcessors());
  }

  @Test
  void doesNotOversubscribeAgainstTheUsersWill() {
    for (String said : List.of("--nooversubscribe", "-nooversubscribe", "-oversubscribe", "--map-by slot:NOOVERSUBSCRIBE",
        "--map-by=core:nooversubscribe", "-map-by slot:Oversubscribe",
        "--mca rmaps_default_mapping_policy slot:NOOVERSUBSCRIBE")) {
      assertThat(line(spec().mpirunOptions(List.of(said.split(" "))), 2)).contains(" " + said + " -n 5")
          .doesNotContain("--oversubscribe");
    }
    assertThat(line(spec().mpirunOptions(List.of("--map-by", "slot")), 2)).contains("--oversubscribe");
  }

  @Test
  void callsJavaByItsPathBecauseMpirunEditsTheArgumentsOfJava() {
    assertThat(line(spec(), 8)).contains("/bin/java -XX:-UsePerfData");
  }

  @Test
  void leavesAloneWhatTheUserGave() {
    JobSpec spec = spec().mpirunOptions(List.of("--mca", "coll", "basic", "--host", "a,b", "--map-by", "node",
        "--prtemca", "plm_ssh_no_tree_spawn", "0"));
    assertThat(line(spec, 2)).contains("--mca coll basic --host a,b --map-by node --prtemca plm_ssh_no_tree_spawn 0 -n 5")
        .doesNotContain("han,adapt", "--map-by slot", "plm_ssh_no_tree_spawn 1");
    JobSpec g1 = new JobSpec().ranks(1).javaArguments(List.of("-XX:+UseG1GC", "-cp", "x", "Main"));
    assertThat(line(g1, 2)).doesNotContain("SerialGC");
    assertThat(new MpirunCommand(spec(), MPI, StandIns.FOLDERS, 2, Map.of("JAVA_TOOL_OPTIONS", "-XX:+UseParallelGC"))
        .arguments()).doesNotContain("-XX:+UseSerialGC");
    assertThat(line(spec().mpirunOptions(List.of("-x", "JDK_JAVA_OPTIONS=-XX:+UseG1GC")), 2)).doesNotContain("SerialGC");
    assertThat(new MpirunCommand(spec(), MPI, StandIns.FOLDERS, 2, Map.of("PRTE_MCA_oob_tcp_keepalive_time", "9"))
        .arguments()).doesNotContain("oob_tcp_keepalive_time").contains("oob_tcp_keepalive_intvl");
  }

  @Test
  void reachesOtherHosts() {
    JobSpec enough = spec().mpirunOptions(List.of("--host", "a:3,b:3"));
    assertThat(line(enough, 8)).contains("--prtemca plm_ssh_no_tree_spawn 1")
        .doesNotContain("--oversubscribe", "--map-by", "yield", "radix", "btl_sm_backing_directory", "kintsugi.job.dir");
    assertThat(line(enough, 2)).contains("--mca mpi_yield_when_idle 1").doesNotContain("--oversubscribe");
    JobSpec scarce = spec().mpirunOptions(List.of("--host", "a:2,b:2"));
    assertThat(line(scarce, 8)).contains("--oversubscribe --map-by slot").doesNotContain("yield");
    String many = "a0" + IntStream.range(1, 70).mapToObj(i -> ",a" + i).collect(Collectors.joining());
    assertThat(line(spec().mpirunOptions(List.of("--host", many)), 8)).contains("--prtemca rml_base_radix 70");
  }

  @Test
  void temporaryFilesOfRanksStayWhereTheUserHasThem() {
    MpirunCommand command = new MpirunCommand(spec(), MPI, StandIns.FOLDERS, 8, Map.of("TMPDIR", "/scratch"));
    assertThat(command.environment()).doesNotContainKey("TMPDIR");
    assertThat(String.join(" ", command.arguments())).contains("--prtemca prte_local_tmpdir_base /tmp/kintsugi-job-N");
    assertThat(line(spec().mpirunOptions(List.of("--prtemca", "prte_tmpdir_base", "/x")), 8)).doesNotContain("local_tmpdir");
  }

  @Test
  void putsTheLibrariesOfItsMpiInFront(@TempDir Path prefix) throws IOException {
    StandIns.executable(prefix.resolve("lib64/libmpi.so.40"));
    MpiHome mpi = new MpiHome(prefix, Flavour.ULFM);
    String libraries = prefix.resolve("lib64").toString();
    MpirunCommand command = new MpirunCommand(spec(), mpi, StandIns.FOLDERS, 8, Map.of("LD_LIBRARY_PATH", "/a:/b"));
    assertThat(command.environment()).containsEntry("LD_LIBRARY_PATH", libraries + ":/a:/b");
    assertThat(String.join(" ", command.arguments())).contains(" -x LD_LIBRARY_PATH=" + libraries + ":/a:/b ",
        " -Dkintsugi.mpi.home=" + prefix + " ");
    assertThat(new MpirunCommand(spec(), mpi, StandIns.FOLDERS, 8, Map.of()).environment())
        .containsEntry("LD_LIBRARY_PATH", libraries);
    JobSpec given = spec().mpirunOptions(List.of("-x", "LD_LIBRARY_PATH=/c"));
    assertThat(String.join(" ", new MpirunCommand(given, mpi, StandIns.FOLDERS, 8, Map.of()).arguments()))
        .containsOnlyOnce("LD_LIBRARY_PATH=");
  }

  @Test
  void givesACopyOfAnOpenMpiItsOwnFolder(@TempDir Path folder) throws IOException {
    Path prefix = StandIns.ulfm(folder.resolve("copy"));
    Path description = prefix.resolve("lib/pkgconfig/ompi.pc");
    Files.createDirectories(description.getParent());
    Files.createFile(prefix.resolve("lib/libmpi.so.40"));
    Files.writeString(description, "Name: Open MPI\nprefix=" + folder.resolve("built") + "\nlibdir=${prefix}/lib\n");
    MpiHome copy = new MpiHome(prefix, Flavour.ULFM);
    MpirunCommand command = new MpirunCommand(spec(), copy, StandIns.FOLDERS, 8, Map.of());
    for (String name : List.of("OPAL_PREFIX", "PMIX_PREFIX", "PRTE_PREFIX")) {
      assertThat(command.environment()).containsEntry(name, prefix.toString());
      assertThat(String.join(" ", command.arguments())).contains(" -x " + name + "=" + prefix + " ");
    }
    assertThat(new MpirunCommand(spec(), copy, StandIns.FOLDERS, 8, Map.of("OPAL_PREFIX", "/c")).environment())
        .as("what the user says").doesNotContainKey("OPAL_PREFIX").containsKey("PRTE_PREFIX");
    Files.writeString(description, "prefix=" + prefix + "\n");
    assertThat(new MpirunCommand(spec(), copy, StandIns.FOLDERS, 8, Map.of()).environment()).as("at its own place")
        .doesNotContainKeys("OPAL_PREFIX", "PMIX_PREFIX", "PRTE_PREFIX");
  }

  @Test
  void tellsRanksThatSparesAreFilledUpAgain() {
    assertThat(line(spec(), 8)).contains("-Dkintsugi.refill=true").contains("--mca btl_sm_family ");
    assertThat(line(spec().refill(false), 8)).doesNotContain("kintsugi.refill").doesNotContain("btl_sm_family");
    JobSpec elsewhere = spec().mpirunOptions(List.of("--host", "a:2,b:3"));
    assertThat(line(elsewhere, 8)).doesNotContain("kintsugi.refill");
    assertThat(line(elsewhere.refill(true), 8)).contains("-Dkintsugi.refill=true");
  }

  /** Where nothing is said: if the loss of a host is outlived, and the try to start something there as well. */
  @Test
  void tellsRanksOnSeveralHostsThatSparesAreFilledUpAgain(@TempDir Path prefix) throws IOException {
    MpiHome patched = new MpiHome(prefix, Flavour.ULFM);
    StandIns.executable(prefix.resolve("kintsugi.stamp"));
    JobSpec elsewhere = spec().mpirunOptions(List.of("--host", "a:2,b:3"));
    assertThat(arguments(elsewhere, patched, Map.of())).contains("-Dkintsugi.refill=true");
    assertThat(arguments(spec(), patched, Map.of("SLURM_JOB_ID", "1"))).as("unknown hosts")
        .doesNotContain("-Dkintsugi.refill=true");
    assertThat(arguments(spec(), patched, slurm("a,b", "3(x2)"))).contains("-Dkintsugi.refill=true");
    assertThat(arguments(elsewhere.refill(false), patched, Map.of())).doesNotContain("-Dkintsugi.refill=true");
  }

  private static List<String> arguments(JobSpec spec, MpiHome mpi, Map<String, String> environment) {
    return new MpirunCommand(spec, mpi, StandIns.FOLDERS, 8, environment).arguments();
  }

  @Test
  void handsOverFaults() {
    assertThat(line(spec().kill("process:2@60").kill("random:7@100"), 8))
        .contains("-Dkintsugi.kill=process:2@60;random:7@100");
  }

  @Test
  void newerJavasGetTheOptionsThatTheirClassesNeed(@TempDir Path folder) throws IOException {
    String allow = "--sun-misc-unsafe-memory-access=allow";
    String natives = "--enable-native-access=ALL-UNNAMED";
    Path java = StandIns.executable(folder.resolve("jdk/bin/java"));
    Path release = folder.resolve("jdk/release");
    Path plain = jar(folder.resolve("plain.jar"), false);
    Path newer = jar(folder.resolve("newer.jar"), true);
    Files.writeString(release, "JAVA_VERSION=\"25.0.1\"\n");
    assertThat(line(spec(plain).java(java), 8)).contains(allow, natives);
    assertThat(line(spec(newer).java(java), 8)).contains(natives).doesNotContain(allow);
    JobSpec image = new JobSpec().ranks(1).java(java).javaArguments(List.of("-m", "app/app.Main"));
    Files.writeString(release,
        "JAVA_VERSION=\"25.0.1\"\nMODULES=\"java.base org.bytedeco.javacpp org.kintsugi.runtime org.kintsugi app\"\n");
    assertThat(line(image, 8)).contains(natives + ",org.kintsugi,org.bytedeco.javacpp ");
    Files.writeString(release, "JAVA_VERSION=\"25.0.1\"\nMODULES=\"java.base\"\n");
    Path automatic = moduleJar(folder.resolve("modules/some.jar"), "org.bytedeco.javacpp");
    for (List<String> program : List.of(List.of("-m", "app/app.Main"), List.of("--module=app/app.Main"))) {
      List<String> words = new ArrayList<>(List.of("-p", automatic.getParent().toString()));
      words.addAll(program);
      assertThat(line(new JobSpec().ranks(1).java(java).javaArguments(words), 8)).contains(natives + ",org.bytedeco.javacpp ");
    }
    Files.writeString(release, "JAVA_VERSION=\"22.0.2\"\n");
    assertThat(line(spec(plain).java(java), 8)).contains(natives).doesNotContain(allow);
    Files.writeString(release, "JAVA_VERSION=\"17.0.15\"\n");
    assertThat(line(spec(newer).java(java), 8)).doesNotContain(natives, allow);
  }

  private static JobSpec spec(Path jar) {
    return new JobSpec().ranks(1).javaArguments(List.of("-cp", jar.toString(), "Main"));
  }

  private static Path jar(Path file, boolean isForNewerJavas) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MULTI_RELEASE, String.valueOf(isForNewerJavas));
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
      jar.putNextEntry(new JarEntry("META-INF/versions/22/org/kintsugi/mpi/internal/memory/RawMemory.class"));
      jar.closeEntry();
    }
    return file;
  }

  private static Path moduleJar(Path file, String module) throws IOException {
    Files.createDirectories(file.getParent());
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Automatic-Module-Name", module);
    new JarOutputStream(Files.newOutputStream(file), manifest).close();
    return file;
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatThrownBy(() -> new JobSpec().ranks(0)).isInstanceOf(LaunchException.class).hasMessageContaining("-n 0");
    assertThatThrownBy(() -> spec().spares(-1)).hasMessageContaining("--spares -1");
    assertThatThrownBy(() -> spec().kill("process:2")).hasMessageContaining("--kill process:2:");
    assertThatThrownBy(() -> spec().kill("process:4@1")).hasMessageContaining("rank 4 is not in 0 to 3");
    assertThatThrownBy(() -> MpiHome.find(Path.of("/nowhere"), Map.of()))
        .hasMessageContaining("--mpi /nowhere").hasMessageContaining("no bin/mpirun");
    assertThatThrownBy(() -> line(spec().kill("node:1@5"), 8))
        .hasMessageContaining("--kill node:1@5: all ranks are on this host");
    assertThat(line(spec().kill("node:1@5").mpirunOptions(List.of("--host", "a,b")), 8)).contains("kintsugi.kill=node:1@5");
    assertThat(Jmpirun.execute("-n", "4")).isEqualTo(2);
    assertThat(Jmpirun.execute("-n", "4", "--kill", "nonsense", "-cp", "x", "Main")).isEqualTo(2);
  }

  private static Map<String, String> slurm(String nodes, String tasks) {
    return Map.of("SLURM_JOB_ID", "1", "SLURM_JOB_NODELIST", nodes, "SLURM_TASKS_PER_NODE", tasks);
  }

  @Test
  void inAnAllocationSparesHaveHostsOfTheirOwn() {
    JobSpec threeAndOne = spec().ranks(3).spares(1);
    assertThat(String.join(" ", arguments(threeAndOne, MPI, slurm("n[1-3]", "2(x3)")))).contains("--host n1:2,n2:1,n3:1 ");
    assertThat(String.join(" ", arguments(threeAndOne, MPI, slurm("n[1-2]", "4(x2)")))).contains("--host n1:3,n2:1 ");
    for (String[] allocation : new String[][] {{"n[1-2]", "2(x2)"}, {"n[1-4]", "1(x4)"}, {"n[1-2]", "3,1"}, {"n1", "4"}}) {
      assertThat(arguments(threeAndOne, MPI, slurm(allocation[0], allocation[1]))).as(allocation[0] + " " + allocation[1])
          .doesNotContain("--host");
    }
    JobSpec given = spec().ranks(3).spares(1).mpirunOptions(List.of("--host", "n3:4"));
    assertThat(String.join(" ", arguments(given, MPI, slurm("n[1-3]", "2(x3)")))).containsOnlyOnce("--host");
  }

  @Test
  void inALargeAllocationNoDaemonDependsOnAnotherOne() {
    assertThat(String.join(" ", arguments(spec(), MPI, slurm("n[01-70]", "2(x70)")))).contains("--prtemca rml_base_radix 70");
  }

  @Test
  void anAllocationHasRoomForAllProcesses() {
    assertThatThrownBy(() -> arguments(spec().ranks(4).spares(3), MPI, slurm("n[1-3]", "2(x3)")))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("-n 4 --spares 3: this job has 6 tasks from Slurm, and 7 processes");
    assertThat(arguments(spec().ranks(4).spares(3).mpirunOptions(List.of("--oversubscribe")), MPI, slurm("n[1-3]", "2(x3)")))
        .containsOnlyOnce("--oversubscribe");
  }
}
