// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.kintsugi.mpi.Comm;
import org.kintsugi.runtime.JobConfig;

/**
 * Messages in memory, twice.
 *
 * <p><b>On the node.</b> A process stores its messages in memory that the processes of its node share ({@link MappedLog}). A
 * message is there when its send returns, and stays when the process dies, or several do, at any moment. No other process takes
 * part: no message, no acknowledgement. So a single process ({@code self}) can store, and the Reinit++ fork, which drops all
 * messages under way, loses none.
 *
 * <p><b>On another node.</b> If a communicator has processes on several nodes, a barrier on it (see {@link Replicas}) copies new
 * entries to a partner on another node, and to their receivers. When the barrier has returned, the loss of any one node loses no
 * entry that was stored before it.
 *
 * <p>The memory belongs to the job: the launcher removes it with the job's folder; where there is none (a job on several hosts,
 * or plain mpirun) each process removes its own when it ends, and that of dead processes without a successor.
 */
@SuppressWarnings("exports") // those who extend it have nothing to do with MappedLog
public class MemoryMessageStore extends LogStore<MappedLog> {
  private final Replicas replicas = new Replicas();

  /** For {@link MessageStores}, and for stores that keep these messages elsewhere, too. */
  protected MemoryMessageStore() {}

  @Override
  public void open(StoreContext newContext) {
    String domain = PersistConfig.DOMAIN.value();
    StoreContext context = domain.isEmpty() ? newContext : newContext.onNode(domain);
    if (JobConfig.JOB_DIR.value().isEmpty()) {
      MemoryCleanup.atExit(folderOfJob(context.node()));
    }
    super.open(context);
  }

  @Override
  Path folder(StoreContext of) {
    return folderOfJob(of.node()).resolve(of.folderName());
  }

  @Override
  String suffix() {
    return ".mem";
  }

  @Override
  MappedLog openOwn(Path file, boolean isShared) throws IOException {
    return MappedLog.own(file, context().identity(), context().settings().memoryBytes());
  }

  @Override
  MappedLog openOther(Path file) throws IOException {
    return MappedLog.other(file);
  }

  /** The folder shared by the processes of a node: a replacement finds it, and no process of another job does. */
  private static Path folderOfJob(String node) {
    String name = "kintsugi-persist-" + node.replaceAll("[^A-Za-z0-9.-]", "_");
    String job = JobConfig.JOB_DIR.value();
    if (!job.isEmpty()) {
      Path memory = Path.of(job, "shm");
      return (Files.isDirectory(memory) ? memory : Path.of(job)).resolve(name);
    }
    String namespace = System.getenv("PMIX_NAMESPACE");
    if (namespace == null) {
      namespace = "pid-" + ProcessHandle.current().pid();
    }
    Path memory = Path.of("/dev/shm");
    Path base = Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
    return base.resolve(name + "-" + System.getProperty("user.name") + "-" + namespace.replaceAll("[^A-Za-z0-9.-]", "_"));
  }

  @Override
  public void drop(Entry entry) {
    super.drop(entry);
    replicas.dropped(entry.number());
  }

  @Override
  public void cut(long number) {
    super.cut(number);
    replicas.cut(number);
  }

  /** The log of a rank: in the shared memory of this node, or else this process's copy of it, null if it has none. */
  @Override
  MappedLog log(int source) throws IOException {
    return source == context().rank() || replicas.isHere(source) ? super.log(source) : replicas.copyOf(source);
  }

  @Override
  public void recover(Comm wire) {
    try {
      replicas.recover(wire, context(), folder(), own());
    } catch (IOException e) {
      throw failed("recover", e);
    }
  }

  @Override
  public void settle(Comm wire) {
    try {
      replicas.settle(wire);
    } catch (IOException e) {
      throw failed("copy to other nodes", e);
    }
  }

  @Override
  public void tidy() {
    try {
      replicas.removeOld();
    } catch (IOException e) {
      throw failed("remove old copies beside", e);
    }
  }

  /**
   * All that this process has stored, as bytes.
   *
   * @return a copy, for {@link #restore}
   */
  protected ByteBuffer snapshot() {
    return Replicas.records(own(), own().entries(0), List.of(), 0);
  }

  /**
   * Goes back to a {@link #snapshot}, or to an empty store. {@link #settle} reports that to others.
   *
   * @param snapshot the bytes, from position to limit; null: nothing
   */
  protected void restore(ByteBuffer snapshot) {
    cut(0);
    if (snapshot != null) {
      try {
        Replicas.store(snapshot, own());
        own().keepBeside();
      } catch (IOException e) {
        throw failed("write", e);
      }
    }
  }

  @Override
  public void close() {
    replicas.close();
    super.close();
  }
}
