// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.mpirun;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kintsugi.launch.internal.batch.Allocation;
import org.kintsugi.launch.internal.batch.BatchSystem;
import org.kintsugi.launch.internal.batch.Slurm;
import org.kintsugi.launch.internal.batch.SlurmCommands;
import org.kintsugi.launch.internal.commandline.Hosts;
import org.kintsugi.launch.internal.commandline.JavaVersion;
import org.kintsugi.launch.internal.commandline.JvmArguments;
import org.kintsugi.launch.internal.commandline.MpirunLine;
import org.kintsugi.launch.internal.commandline.PerProcessOptions;
import org.kintsugi.launch.internal.commandline.ProgramClass;
import org.kintsugi.launch.internal.commandline.RankWords;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.internal.host.RankLocale;
import org.kintsugi.launch.internal.natives.ClassArchive;
import org.kintsugi.launch.internal.natives.NativeLibraries;
import org.kintsugi.launch.internal.network.Route;
import org.kintsugi.launch.internal.network.TestedRoutes;
import org.kintsugi.launch.internal.recording.RecordFolder;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.KillSpec;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.internal.McaFiles;
import org.kintsugi.runtime.internal.PropertyNames;
import org.kintsugi.runtime.internal.VariableNames;

/**
 * The command line of mpirun for a job, and the environment it needs: exactly the options that were shown to be needed, each
 * with its reason here or in the options of the flavour. The user's own options are never overridden.
 */
public final class MpirunCommand {
  private static final String[] MAPPINGS = {"--map-by", "-map-by", "--rankfile", "-rankfile", "--rf", "-rf", "--ppr",
      "--npernode", "-npernode", "-N", "--N", "--bynode", "-bynode", "--byslot", "-byslot"};

  private static final String PATH = "PATH";
  private static final String LIBRARY_PATH = "LD_LIBRARY_PATH";

  /**
   * Ten times the JVM's defaults for the compilers.
   *
   * <p>Much code is called some hundred times when a rank begins, and never again. Compiling it
   * took a quarter of the start's processor time. Loops are compiled at the default time
   * (Tier3BackEdgeThreshold).
   */
  private static final List<String> LATER_COMPILED = List.of("-XX:Tier3InvocationThreshold=2000",
      "-XX:Tier3MinInvocationThreshold=1000", "-XX:Tier3CompileThreshold=20000");

  /**
   * The folders of Open MPI, its runtime and its PMIx, for a moved installation. The fork reads
   * only the first.
   */
  private static final List<String> PLACES = List.of("OPAL_PREFIX", "PMIX_PREFIX", "PRTE_PREFIX");

  /** The first Java that warns about natives, and has the foreign memory API (java-api/src/main/java22). */
  private static final int FIRST_WITH_FOREIGN_MEMORY = 22;

  /** The first Java with an option about Unsafe, and soon after with the warning that it is for. */
  private static final int FIRST_AGAINST_UNSAFE = 23;

  private final JobSpec job;
  private static final String YIELD = "mpi_yield_when_idle";

  private final MpiHome mpi;
  private final JobFolders folders;
  private final int cores;
  private final Map<String, String> given;
  /** The folders of a copied Open MPI, without those that the user has set. */
  private final Map<String, String> places;
  private final Hosts hosts;
  private final BatchSystem batchSystem; // null: none
  /** The batch system's hosts; null if there is none, or if the user names the hosts. */
  private final Allocation allocation;
  private final FlavourFlags flags;
  private final JvmArguments jvm;
  private final Path natives;
  private ClassArchive archive; // null: none

  /**
   * The command line for a job under an MPI.
   *
   * @param job the ranks and their program
   * @param mpi the MPI of the job
   * @param folders of the job; null: none (for plain mpirun, which makes and removes none)
   * @param cores of this host
   */
  public MpirunCommand(JobSpec job, MpiHome mpi, JobFolders folders, int cores) {
    this(job, mpi, folders, cores, System.getenv());
  }

  MpirunCommand(JobSpec job, MpiHome mpi, JobFolders folders, int cores, Map<String, String> environment) {
    this.job = job;
    this.mpi = mpi;
    this.folders = folders;
    this.cores = cores;
    this.given = environment;
    this.places = places(mpi, environment);
    this.hosts = Hosts.of(line(), mpi);
    this.batchSystem = BatchSystem.of(environment);
    this.allocation = Hosts.areGiven(job.mpirunOptions()) ? null : Allocation.of(environment);
    this.flags = FlavourFlags.of(mpi, job, hosts, folders, environment);
    if (!hosts.areOthersToo() && !job.nodeKills().isEmpty()) {
      throw new LaunchException("--kill " + job.nodeKills().get(0) + ": all ranks are on this host, on which mpirun runs, and no "
          + "job outlives that one: name other hosts (--host, --hostfile), or kill a process");
    }
    this.jvm = new JvmArguments(job.javaArguments(), ofRanks(job.mpirunOptions(), environment));
    this.natives = NativeLibraries.unpacked(jvm, mpi, environment, Installation.current());
    flags.check(natives);
  }

  /** The environment of ranks, with what the user has mpirun set: {@code -x NAME=VALUE}. */
  public static Map<String, String> ofRanks(List<String> options, Map<String, String> environment) {
    Map<String, String> all = new TreeMap<>(environment);
    for (int i = 0; i + 1 < options.size(); i++) {
      String[] variable = options.get(i + 1).split("=", 2);
      if (options.get(i).matches("--?x") && variable.length == 2) {
        all.put(variable[0], variable[1]);
      }
    }
    return all;
  }

  /**
   * Environment variables that mpirun must see on top of its own.
   *
   * @return values by name
   */
  public Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>(flags.environment(natives, given));
    if (mpi.libraries() != null) {
      environment.put(LIBRARY_PATH, libraryPath());
    }
    if (folders != null) {
      environment.put(VariableNames.JOB, folders.session().toString());
      environment.put(VariableNames.JOB_SECRET, folders.secret().text());
    }
    environment.putAll(places);
    environment.putAll(RankLocale.of(given));
    if (batchSystem == BatchSystem.SLURM) {
      environment.putAll(Slurm.environment(given));
    }
    return environment;
  }

  /** The commands of Slurm that mpirun is to find first; null: none. */
  public SlurmCommands slurmCommands() {
    return folders == null || !hosts.areOthersToo() || batchSystem != BatchSystem.SLURM ? null
        : SlurmCommands.in(folders.session(), given.getOrDefault(PATH, ""));
  }

  private static Map<String, String> places(MpiHome mpi, Map<String, String> given) {
    Map<String, String> places = new TreeMap<>();
    if (mpi.isMoved()) {
      PLACES.stream().filter(name -> !given.containsKey(name)).forEach(name -> places.put(name, mpi.prefix().toString()));
    }
    return places;
  }

  /**
   * The library path with the job's Open MPI first.
   *
   * <p>The natives contain the folder of the Open MPI that they were compiled against, but this
   * path wins. It comes first because a job has one Open MPI, whatever else is on the user's path.
   */
  private String libraryPath() {
    String others = given.getOrDefault(LIBRARY_PATH, "");
    String first = mpi.libraries().toString();
    return others.isEmpty() || others.equals(first) ? first : first + ":" + others;
  }

  /** Has the ranks take Kintsugi's classes from an archive, if they can; where there is none yet, a job is run that makes it. */
  public void takeArchive(ClassArchive.Writer writer) {
    archive = ClassArchive.of(job, jvm, mpi, natives, given, writer);
  }

  /** Over what messages between hosts travel, for {@code jmpirun --verbose}. */
  public String network() {
    if (!job.isFaultTolerant() && job.network().equals(JobSpec.ANY_NETWORK)) {
      return "what Open MPI chooses, without fault tolerance";
    }
    String transports = line().value("btl").orElse("");
    if (!transports.isEmpty()) {
      return "the transports " + transports + ", which you have set (btl)";
    }
    Route route = FlavourFlags.route(mpi, job, given);
    if (job.network().equals(JobSpec.ANY_NETWORK) && TestedRoutes.quickest(mpi, given) != null) {
      return route + ", as kintsugi doctor --network has tested it";
    }
    return route + (route.equals(Route.TCP) ? Route.untested(mpi) : "");
  }

  /** The number of hosts that may have processes; 1 where only mpirun knows. */
  public int mostHosts() {
    return hosts.isKnown() ? Math.min(hosts.count(), processes()) : 1;
  }

  /** Whether all ranks run on the host on which mpirun does. */
  public boolean isOnThisHostOnly() {
    return !hosts.areOthersToo();
  }

  /** Whether ranks have a working folder of their own: their class path may begin there. */
  private boolean areRanksElsewhere() {
    return job.mpirunOptions().stream().anyMatch(option -> option.matches("--?(wd|wdir|set-cwd.*)(=.*)?"));
  }

  /**
   * Refuses a program that no rank would find.
   *
   * @throws LaunchException if its class is not on the class path, or for a newer Java; says which, and what to do
   */
  public void requireProgram() {
    if (!isOnThisHostOnly() || areRanksElsewhere()) {
      return;
    }
    String objection = new ProgramClass(jvm).objection(JavaVersion.feature(job.java()), job.java());
    if (objection != null) {
      throw new LaunchException(objection);
    }
  }

  /** Whether there is never more than one process, or that is not known to be otherwise. */
  private boolean isOneProcess() {
    return flags.processes() + job.spares() == 1;
  }

  /**
   * Refuses JVM options that only one process of a host can have.
   *
   * <p>Options with files get a name for each process.
   *
   * @throws LaunchException if all processes of a host would open the same port; says what to do
   */
  public void prepareOptions(PrintStream messages) {
    if (isOneProcess()) {
      return;
    }
    boolean areSeveralOnAHost = hosts.isKnown() && !hasMapping(line())
        && (Placement.of(hosts, flags.processes(), job.spareNodes(), cores).mostOnOne() > 1 || job.spares() > 0);
    String objection = areSeveralOnAHost ? PerProcessOptions.objectionToPorts(jvm.all()) : null;
    if (objection != null) {
      throw new LaunchException(objection);
    }
    PerProcessOptions.prepare(job.javaArguments().subList(0, job.javaArguments().size() - jvm.programWords()), messages);
  }

  /**
   * The probable cause of a failed job; null: none is known.
   *
   * <p>It is no reason to refuse the job, because programs can find classes in other ways.
   */
  public String suspicion() {
    boolean isSeen = isOnThisHostOnly() && !areRanksElsewhere() && jvm.mainClass() != null;
    return isSeen && !new ProgramClass(jvm).hasApi() ? ProgramClass.NO_API : null;
  }

  /** The number of the job's processes, with the spares that mpirun starts. */
  public int processes() {
    return flags.processes();
  }

  /** Who may have ended the job's processes, if they have not done so themselves: for messages. */
  public String whoMayHaveEndedThem() {
    return batchSystem == null ? "all have died, or ended without closing it"
        : batchSystem + " has ended them or their daemons"
            + (batchSystem == BatchSystem.SLURM ? "; what srun says is above" : "");
  }

  /** The empty nodes of a job under the fork; none if it has none, or the placement of the ranks is not known. */
  public SpareNodes spareNodes() {
    if (job.spareNodes() == 0 || !hosts.isKnown() || hasMapping(line())) {
      return SpareNodes.NONE;
    }
    int used = Placement.of(hosts, flags.processes(), job.spareNodes(), cores).used();
    // Daemon 0 is mpirun itself. If its host is none of the job's hosts, it counts as one more.
    return new SpareNodes(hosts.includeThis() ? used : used + 1, hosts.count() - used);
  }

  /**
   * The whole command line.
   *
   * @return the program first
   */
  public List<String> arguments() {
    MpirunLine line = line();
    line.add(mpi.mpirun().toString());
    flags.addTo(line, natives);
    if (isRefilled() && folders != null) {
      // Later processes are jobs of their own to Open MPI. They reach the others by shared memory
      // only with this name.
      line.mca("--mca", "btl_sm_family", folders.name());
    }
    addHosts(line);
    if (hosts.isKnown()) {
      share(line);
    } else {
      shareUnknownHosts(line);
    }
    if (mpi.libraries() != null && !line.exports(LIBRARY_PATH)) {
      // Ranks on other hosts get only exported variables.
      line.add("-x", LIBRARY_PATH + "=" + libraryPath());
    }
    places.forEach(line::export);
    if (folders != null && batchSystem == BatchSystem.SLURM && given.containsKey(PATH) && !line.exports(PATH)) {
      // Ranks find the user's commands, and not those that mpirun does: SlurmCommands.
      line.add("-x", PATH + "=" + given.get(PATH));
    }
    if (hosts.areOthersToo()) {
      RankLocale.forOtherHosts(given).forEach((name, value) -> {
        if (!line.exports(name)) {
          line.add("-x", name + "=" + value);
        }
      });
    }
    if (folders != null && hosts.areOthersToo()) {
      // Only the name, as every user can read a command line. mpirun sends the value to other hosts
      // in its own messages.
      line.add("-x", VariableNames.JOB_SECRET);
      if (given.containsKey(VariableNames.PERSIST_URL) && !line.exports(VariableNames.PERSIST_URL)) {
        line.add("-x", VariableNames.PERSIST_URL);
      }
    }
    line.addAll(job.mpirunOptions());
    line.add("-n", String.valueOf(flags.processes()));
    List<String> words = new ArrayList<>(flags.starter(natives, line));
    // Use the full path: PRRTE edits the arguments of a program named "java", and takes any
    // argument with "cp" in it for a class path.
    words.add(job.java().toString());
    words.addAll(jvmOptions());
    List<String> users = archive == null ? job.javaArguments() : jvm.withClassPath(archive::before);
    int options = users.size() - jvm.programWords();
    List<String> safe = PerProcessOptions.inOptions(users, options, PerProcessOptions::withoutEnvironment);
    words.addAll(isOneProcess() ? safe : PerProcessOptions.inOptions(safe, options, PerProcessOptions::withOwnFile));
    line.addAll(RankWords.forMpirun(words, jvm.programWords(), mpi.flavour() == Flavour.REINIT));
    return line.words();
  }

  /** In a batch job: hosts that mpirun does not find by itself, or that spares have for themselves. */
  private void addHosts(MpirunLine line) {
    if (Hosts.areGiven(job.mpirunOptions())) {
      return;
    }
    String file = Allocation.hostFile(given);
    if (file != null) {
      line.add("--hostfile", file);
    } else if (batchSystem == BatchSystem.GRID_ENGINE && allocation != null) {
      line.add("--host", allocation.asHostOption());
    } else if (hosts.isKnown() && batchSystem != null && flags.processes() > job.ranks() && !hasMapping(line())) {
      String apart = Placement.apart(hosts, job.ranks(), job.spares());
      if (!apart.isEmpty()) {
        line.add("--host", apart);
      }
    }
  }

  private MpirunLine line() {
    return new MpirunLine(job.mpirunOptions(), given, FlavourFlags.prefixes(mpi));
  }

  private static boolean hasMapping(MpirunLine line) {
    return line.has(MAPPINGS) || line.isSet("rmaps_default_mapping_policy");
  }

  /** The options for processes that share slots or cores, or that leave hosts empty. */
  private void share(MpirunLine line) {
    Placement placement = Placement.of(hosts, flags.processes(), job.spareNodes(), cores);
    if (placement.isScarce() && Oversubscription.of(line) == Oversubscription.NOT_SAID) {
      requireRoom();
      line.add("--oversubscribe");
    }
    if (!hasMapping(line)) {
      line.addAll(placement.mapping());
    }
    if (placement.mostOnOne() > cores) {
      // Ranks that wait must let those work that share their core.
      yieldWhenIdle(line);
    }
    if (!Binding.isChosen(line)) {
      if (placement.mostOnOne() > cores || Allocation.haveTasksSeveralCores(given)) {
        line.addAll(Binding.NONE);
      } else if (hosts.areOthersToo() && placement.mapping().isEmpty()) {
        shareCoresOfOtherHosts(line);
      }
    }
  }

  /** On one's own hosts, processes may share processors unasked. Those of an allocation are counted, and paid for. */
  private void requireRoom() {
    if (allocation != null) {
      throw new LaunchException("-n " + job.ranks() + (job.spares() > 0 ? " --spares " + job.spares() : "") + ": "
          + "this job has " + allocation.tasks() + " tasks from " + allocation.system() + ", and " + flags.processes()
          + " processes need one each: request as many (Slurm: --ntasks), or add --oversubscribe");
    }
  }

  private void yieldWhenIdle(MpirunLine line) {
    // The command line would win over the user's file.
    if (!McaFiles.isSet(YIELD, given, mpi.prefix())) {
      line.mca("--mca", YIELD, "1");
    }
  }

  /** The same where only mpirun knows the hosts. */
  private void shareUnknownHosts(MpirunLine line) {
    if (!Binding.isChosen(line) && Allocation.haveTasksSeveralCores(given)) {
      line.addAll(Binding.NONE);
    } else if (!Binding.isChosen(line)) {
      shareCoresOfOtherHosts(line);
    }
  }

  /**
   * Lets ranks on other hosts share cores.
   *
   * <p>Those hosts may have fewer cores than this one. (The fork does not insist on its default.)
   */
  private void shareCoresOfOtherHosts(MpirunLine line) {
    if (mpi.flavour() == Flavour.ULFM && !hasMapping(line)) {
      line.addAll(Binding.SHARED_CORES);
    }
  }

  /** Whether mpirun must not start a daemon on a host again: the batch system's command for that would fail, and end the job. */
  public boolean areHostsLostForGood() {
    return batchSystem == BatchSystem.SLURM || batchSystem == BatchSystem.GRID_ENGINE;
  }

  /** Unless the user says otherwise: an Open MPI without patches does not survive the loss of a host. */
  private boolean isRefilled() {
    return mpi.flavour() == Flavour.ULFM && job.isFaultTolerant()
        && job.isRefilled(isOnThisHostOnly() || mpi.isPatched() && hosts.isKnown());
  }

  private List<String> jvmOptions() {
    List<String> options = new ArrayList<>();
    // Perf data would remain in /tmp after a SIGKILL. A recovery waits for the start of a
    // replacement, so it must be quick.
    options.add("-XX:-UsePerfData");
    if (!jvm.nameCollector()) {
      options.add("-XX:+UseSerialGC");
    }
    if (!jvm.nameCompilers()) {
      options.addAll(LATER_COMPILED);
    }
    int java = JavaVersion.feature(job.java());
    if (java >= FIRST_WITH_FOREIGN_MEMORY) {
      options.add("--enable-native-access=" + String.join(",", jvm.modulesWithNatives(job.java())));
    }
    // Add the option only where it is needed: a future Java may not know it, and then does not
    // start.
    if (java >= FIRST_AGAINST_UNSAFE && !jvm.usesForeignMemory()) {
      options.add("--sun-misc-unsafe-memory-access=allow");
    }
    if (archive != null) {
      options.addAll(archive.options(java));
    }
    if (job.record() != null) {
      options.addAll(new RecordFolder(job.record(), job.restarts()).jvmOptions(job.recordCallsMicros()));
    } else if (jvm.all().anyMatch(PerProcessOptions::isRecording)) {
      options.addAll(RecordFolder.eventOptions());
    }
    if (natives != null) {
      options.add(property(PropertyNames.LIBRARY_PATH, natives));
    }
    options.add(property(PropertyNames.MPI_HOME, mpi.prefix()));
    options.add(property(PropertyNames.FLAVOUR, mpi.flavour()));
    options.add(property(PropertyNames.SPARES, job.spares()));
    options.add(property(PropertyNames.RANKS, job.ranks()));
    if (isRefilled()) {
      options.add(property(PropertyNames.REFILL, true));
    }
    if (!job.isFaultTolerant()) {
      options.add(property(PropertyNames.FAULT_TOLERANCE, false));
    }
    if (!job.kills().isEmpty()) {
      options.add(property(PropertyNames.KILL, String.join(KillSpec.SEPARATOR, job.kills())));
    }
    if (job.restarts() > 0) {
      options.add(property(PropertyNames.RESTARTS, job.restarts()));
    }
    if (job.proofFolder() != null) {
      options.add(property(PropertyNames.PROOF_DIR, job.proofFolder()));
      options.add(property(PropertyNames.PROOF_UNTIL, job.proofUntil()));
    }
    if (!job.javaAgent().isEmpty()) {
      options.add(job.javaAgent());
    }
    if (folders != null) {
      options.add(property(PropertyNames.JOB_NAME, folders.name()));
    }
    if (!job.launcherAddress().isEmpty()) {
      options.add(property(PropertyNames.LAUNCHER_ADDRESS, job.launcherAddress()));
      if (job.isChecked()) {
        options.add(property(PropertyNames.CHECK, true));
      }
    }
    if (!hosts.areOthersToo() && folders != null) {
      options.add(folders.option());
    }
    return options;
  }

  private static String property(String name, Object value) {
    return "-D" + name + "=" + value;
  }
}
