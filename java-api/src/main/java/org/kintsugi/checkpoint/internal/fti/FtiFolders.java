// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.fti;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kintsugi.checkpoint.internal.files.RunFolders;
import org.kintsugi.mpi.internal.files.OwnerOnly;

/**
 * The folders and files of one of FTI's instances: what FTI finds when it begins, and what is cleared away after it.
 *
 * <p>FTI reads its configuration file at every start, and writes into it whether there is something to recover, in place: a
 * death in that moment costs the file, and with it all checkpoints. So nothing is ever read from it but the name that FTI has
 * given its execution, right after a start; that is kept in a file of our own ({@code record}), and the configuration is
 * written anew before every start. So is FTI's topology, which is one file for all that a place holds.
 *
 * <p>FTI's metadata is one file per group of processes. A failure when they are being removed leaves some, and then the groups
 * look for different levels and wait for each other for good. So a level whose metadata is not complete is removed before FTI
 * looks at it.
 *
 * <p>Shared between all nodes: {@code config}, {@code record}, {@code meta}, {@code global}. On each node: {@code local}. All
 * readable by their owner only.
 */
final class FtiFolders {
  private static final Pattern EXECUTION = Pattern.compile("(?m)^\\s*exec_id\\s*=\\s*\"?([^\"\\s]+)");
  private static final Pattern CHECKPOINT = Pattern.compile("(?m)^\\s*ckpt_id\\s*=\\s*\"?(\\d+)");
  /** FTI's buffers for paths have 256 bytes, and the suffixes that it appends need at most the rest. */
  private static final int LONGEST_PATH = 256 - 100;
  /** The characters that FTI's configuration files can hold: none that begins a comment or ends a string. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._+,@:=-]+");
  private static final String TEMPORARY = "tmp";

  private final Path shared;
  private final Path local;

  /** Neither needs to be there. */
  FtiFolders(Path shared, Path local) {
    this.shared = shared;
    this.local = local;
    for (Path path : new Path[] {shared, local}) {
      if (path.toString().length() > LONGEST_PATH || !PLAIN.matcher(path.toString()).matches()) {
        throw new IllegalArgumentException("checkpoint folder " + path + " cannot be used with FTI: its path must have at most "
            + LONGEST_PATH + " characters, of letters, digits and /._+,@:=-");
      }
    }
  }

  Path shared() {
    return shared;
  }

  Path local() {
    return local;
  }

  Path config() {
    return shared.resolve("config.fti");
  }

  private Path record() {
    return shared.resolve("record");
  }

  private Path meta() {
    return shared.resolve("meta");
  }

  private Path topology(String execution) {
    return meta().resolve(execution).resolve("Topology.fti");
  }

  private Path global() {
    return shared.resolve("global");
  }

  /**
   * The state that an instance begins with.
   *
   * @param execution FTI's name for the execution to recover; empty: there is none, or it is not wanted
   */
  record Start(String execution) {
    boolean isRestart() {
      return !execution.isEmpty();
    }
  }

  /**
   * Makes the shared folders ready. Called by rank 0.
   *
   * @param fresh whether to forget the versions that are there
   * @throws IOException also if another number of ranks, or other nodes or groups, have written them
   */
  Start prepareShared(boolean fresh, FtiRules rules, int ranks) throws IOException {
    OwnerOnly.makeFolder(meta());
    OwnerOnly.makeFolder(global());
    FtiRecord record = fresh ? null : recorded(rules, ranks);
    String execution = record == null ? "" : record.execution();
    if (record != null && completeLevels(meta().resolve(execution), rules, ranks) == 0) {
      execution = "";
    }
    if (execution.isEmpty()) {
      Files.deleteIfExists(record());
    } else {
      write(topology(execution), record.topology());
    }
    removeAllBut(meta(), execution);
    removeAllBut(global(), execution);
    if (!execution.isEmpty()) {
      RunFolders.removeTree(meta().resolve(execution).resolve(TEMPORARY));
      RunFolders.removeTree(global().resolve(execution).resolve(TEMPORARY));
    }
    Start start = new Start(execution);
    write(config(), configuration(start, rules));
    return start;
  }

  private String configuration(Start start, FtiRules rules) {
    StringBuilder text = new StringBuilder();
    text.append("[basic]\nhead = 0\nnode_size = ").append(rules.nodeSize())
        .append("\ngroup_size = ").append(rules.groupSize())
        .append("\nckpt_dir = ").append(local)
        .append("\nglbl_dir = ").append(global())
        .append("\nmeta_dir = ").append(meta())
        // FTI_Checkpoint gets its level as an argument; FTI's own timer is off.
        .append("\nckpt_l1 = 0\nckpt_l2 = 0\nckpt_l3 = 0\nckpt_l4 = 0\ninline_l2 = 1\ninline_l3 = 1\ninline_l4 = 1")
        .append("\nckpt_io = 1\nmax_sync_intv = 512\nmax_var_id = 16\nkeep_last_ckpt = 0\nverbosity = ")
        .append(rules.verbosity())
        .append("\n\n[restart]\nfailure = ").append(start.isRestart() ? 1 : 0)
        .append("\nexec_id = ").append(start.isRestart() ? start.execution() : "none")
        .append("\n\n[advanced]\nblock_size = ").append(rules.blockKilobytes())
        .append("\ntransfer_size = 16\nlocal_test = ").append(rules.byHost() ? 0 : 1)
        .append("\n");
    return text.toString();
  }

  /** Null: there is nothing to recover. */
  private FtiRecord recorded(FtiRules rules, int ranks) throws IOException {
    FtiRecord record;
    try {
      record = FtiRecord.of(read(record()));
    } catch (NoSuchFileException e) {
      return null;
    }
    if (record == null) {
      System.err.println("kintsugi: FTI: " + record() + " is damaged. That place is begun anew");
      return null;
    }
    String layout = layout(rules, ranks);
    if (!layout.equals(record.layout())) {
      throw new IOException("the checkpoints in " + shared + " were written by " + record.layout()
          + ", and now there are " + layout + ": start as then, or use another folder");
    }
    return record;
  }

  private static String layout(FtiRules rules, int ranks) {
    return ranks + " rank(s) in nodes of " + rules.nodeSize() + ", groups of " + rules.groupSize() + " node(s) of "
        + (rules.byHost() ? "hosts" : "ranks");
  }

  /** Called by rank 0 after FTI has begun anew: records the execution that can be recovered from now on. */
  void recordExecution(FtiRules rules, int ranks) throws IOException {
    Matcher execution = EXECUTION.matcher(read(config()));
    if (!execution.find()) {
      throw new IOException("FTI has not written its execution's name into " + config());
    }
    String name = execution.group(1);
    write(record(), new FtiRecord(layout(rules, ranks), name, read(topology(name))).text());
  }

  /**
   * After the files of a save were recovered: removes the incomplete files of later ones, which must not come back with the rest
   * of them (from a node that was away). Called by rank 0.
   */
  void removeLaterThan(long save, String execution) throws IOException {
    for (int level = 1; level <= FtiRules.LEVELS; level++) {
      Path folder = meta().resolve(execution).resolve("l" + level);
      Path metadata = folder.resolve("sector0-group0.fti");
      if (Files.exists(metadata)) {
        Matcher id = CHECKPOINT.matcher(read(metadata));
        if (!id.find() || Long.parseLong(id.group(1)) > (save & Integer.MAX_VALUE)) {
          RunFolders.removeTree(folder);
        }
      }
    }
  }

  /** Called by rank 0: from now on nothing can be recovered, whenever this process dies. */
  void forget() throws IOException {
    if (Files.deleteIfExists(record())) {
      OwnerOnly.syncFolder(shared);
    }
  }

  /** The number of levels that have metadata of all groups; the files of other levels are removed. */
  private static int completeLevels(Path execution, FtiRules rules, int ranks) throws IOException {
    int complete = 0;
    for (int level = 1; level <= FtiRules.LEVELS; level++) {
      Path folder = execution.resolve("l" + level);
      boolean all = Files.isDirectory(folder);
      for (int sector = 0; sector < rules.nodes(ranks) / rules.groupSize(); sector++) {
        for (int group = 0; group < rules.nodeSize(); group++) {
          all &= Files.exists(folder.resolve("sector" + sector + "-group" + group + ".fti"));
        }
      }
      if (all) {
        complete++;
      } else {
        RunFolders.removeTree(folder);
      }
    }
    return complete;
  }

  /** Prepares the folder on this rank's node: removes files of earlier executions, and unfinished files of this rank. */
  void prepareLocal(Start start, FtiRules rules, int rank) throws IOException {
    OwnerOnly.makeFolder(local);
    Path node = nodeFolder(rules, rank);
    OwnerOnly.makeFolder(node);
    removeAllBut(node, start.execution());
    if (start.isRestart()) {
      Path temporary = node.resolve(start.execution()).resolve(TEMPORARY);
      for (String kind : new String[] {"Rank", "Pcof", "RSed"}) {
        removeMatching(temporary, "Ckpt*-" + kind + rank + ".fti");
      }
      shorten(start, node, rank);
    }
  }

  /**
   * Cuts a file back to the length in the metadata. While FTI rebuilds a lost node's files of level
   * 3, it extends all files of the group to the length of the longest. If that was interrupted, the
   * length differs from the metadata, and FTI would reject the file as damaged.
   */
  private void shorten(Start start, Path node, int rank) throws IOException {
    String level = start.execution() + "/l3";
    Pattern mine =
        Pattern.compile("(Ckpt\\d+-Rank" + rank + "\\.fti)\\s+ckpt_file_size\\s*=\\s*(\\d{1,18})", Pattern.CASE_INSENSITIVE);
    for (Path metadata : list(meta().resolve(level), "sector*.fti")) {
      Matcher match = mine.matcher(read(metadata));
      Path file = match.find() ? node.resolve(level).resolve(match.group(1)) : null;
      if (file != null && Files.exists(file)) {
        try (FileChannel channel = OwnerOnly.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(Long.parseLong(match.group(2)));
        }
      }
    }
  }

  private Path nodeFolder(FtiRules rules, int rank) {
    return rules.byHost() ? local : local.resolve("node" + rank / rules.nodeSize());
  }

  /** Whether a save can succeed here: the folders exist, can be written, and have enough space. */
  void checkSave(FtiRules rules, int rank, int level, long bytes) throws IOException {
    Path folder = level == FtiRules.LEVELS ? global() : nodeFolder(rules, rank);
    if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new IOException("folder " + folder + " is gone or cannot be written");
    }
    // Levels 2 and 3 write as much again for the others of the group.
    long needed = level == 2 || level == 3 ? 2 * bytes : bytes;
    long free = folder.toFile().getUsableSpace(); // a FileStore would read the list of all mounts
    if (free < needed) {
      throw new IOException("no room in " + folder + ": " + needed + " bytes are needed and " + free + " are free");
    }
  }

  /** This rank's part of the end: all its files are removed. */
  void removeLocal(FtiRules rules, int rank) throws IOException {
    RunFolders.removeTree(nodeFolder(rules, rank));
    RunFolders.removeIfEmpty(local);
    RunFolders.removeIfEmpty(local.getParent());
  }

  /** For rank 0. */
  void removeShared() throws IOException {
    forget();
    RunFolders.removeTree(shared);
    if (RunFolders.ordinalOf(shared.getParent().getFileName().toString()) != 0) {
      RunFolders.removeIfEmpty(shared.getParent()); // a later run's; the first run's has the job's lock
    }
  }

  /** A damaged file has any bytes. */
  private static String read(Path file) throws IOException {
    return new String(OwnerOnly.read(file), StandardCharsets.UTF_8);
  }

  private static void write(Path file, String text) throws IOException {
    OwnerOnly.replace(file, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void removeAllBut(Path folder, String name) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (!entry.getFileName().toString().equals(name)) {
          RunFolders.removeTree(entry);
        }
      }
    } catch (NoSuchFileException e) {
      // Another rank of this node was quicker.
    }
  }

  private static void removeMatching(Path folder, String glob) throws IOException {
    for (Path entry : list(folder, glob)) {
      Files.deleteIfExists(entry);
    }
  }

  /** The matching entries of a folder; none if the folder does not exist. */
  private static List<Path> list(Path folder, String glob) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
      entries.forEach(found::add);
    } catch (NoSuchFileException e) {
      return List.of();
    }
    return found;
  }
}
