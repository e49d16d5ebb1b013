// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.MpiConfig;

/**
 * Messages in memory, twice.
 *
 * <p><b>On the node.</b> What a process stores lies in memory that the processes of its node have in common ({@link MappedLog}).
 * When a send returns it is there, and there it stays when the process dies, or several do, at any moment. Nobody has to take
 * part: no message, no acknowledgement; so a single process ({@code self}) can store, and the Reinit++ fork, which drops all
 * messages under way, loses none.
 *
 * <p><b>On another node.</b> Where a communicator has processes on several nodes, a barrier on it (see {@link Replicas}) copies
 * what is new to a partner on another node, and to those that it is for. When the barrier has returned, the loss of any one node
 * costs nothing that was stored before it.
 *
 * <p>The memory belongs to the job: the launcher removes it with the job's folder; where there is none (a job on several hosts,
 * or plain mpirun) each process removes its own when it ends, and that of dead processes which nobody has taken over.
 */
final class MemoryMessageStore implements MessageStore {
  private final Map<Integer, MappedLog> others = new HashMap<>();
  private final Replicas replicas = new Replicas();
  private StoreContext context;
  private Path folder;
  private OwnerLock lock;
  private MappedLog own;

  @Override
  public void open(StoreContext newContext) {
    String domain = MpiConfig.PERSIST_DOMAIN.value();
    context = domain.isEmpty() ? newContext : newContext.onNode(domain);
    try {
      Path job = folderOfJob(context.node());
      OwnerLock.makeFolder(job);
      folder = job.resolve(context.folderName());
      OwnerLock.makeFolder(folder);
      if (MpiConfig.JOB_DIR.value().isEmpty()) {
        MemoryCleanup.atExit(job);
      }
      lock = OwnerLock.take(file(context.rank()));
      own = MappedLog.own(file(context.rank()), context.identity(), context.settings().memoryBytes());
    } catch (IOException e) {
      close();
      throw failed("open", e);
    } catch (PersistException e) {
      close();
      throw e;
    }
  }

  /** Where the processes of a node meet: known to whoever takes a dead one's place, and to nobody of another job. */
  private static Path folderOfJob(String node) {
    String name = "kintsugi-persist-" + node.replaceAll("[^A-Za-z0-9.-]", "_");
    String job = MpiConfig.JOB_DIR.value();
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

  private Path file(int rank) {
    return folder.resolve("rank-" + rank + ".mem");
  }

  private PersistException failed(String what, IOException e) {
    return new PersistException("rank " + context.rank() + " cannot " + what + " " + file(context.rank()) + ": " + e, e);
  }

  @Override
  public void append(Entry entry, ByteBuffer payload) {
    try {
      own.append(entry, payload);
    } catch (IOException e) {
      throw failed("append to", e);
    }
  }

  @Override
  public void drop(Entry entry) {
    own.drop(entry.number());
    replicas.dropped(entry.number());
  }

  @Override
  public void cut(long number) {
    own.cut(number);
    replicas.cut(number);
  }

  private MappedLog log(int source) {
    if (source == context.rank()) {
      return own;
    }
    if (!replicas.isHere(source)) {
      return replicas.copyOf(source);
    }
    MappedLog log = others.get(source);
    if (log == null) {
      try {
        log = MappedLog.other(file(source));
      } catch (IOException e) {
        throw new PersistException("cannot read what rank " + source + " has stored in " + file(source) + ": " + e, e);
      }
      if (log != null) {
        others.put(source, log);
      }
    }
    return log;
  }

  @Override
  public List<Entry> entries(int source, long after) {
    MappedLog log = log(source);
    return log == null ? List.of() : log.entries(after);
  }

  @Override
  public boolean read(int source, Entry entry, ByteBuffer target) {
    MappedLog log = log(source);
    return log != null && log.read(entry, target);
  }

  @Override
  public void recover(Comm wire) {
    try {
      replicas.recover(wire, context, folder, own);
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
  public void clear() {
    cut(0);
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
      own = null;
    }
    replicas.close();
    others.values().forEach(MappedLog::close);
    others.clear();
    if (lock != null) {
      lock.close();
      lock = null;
    }
  }
}
