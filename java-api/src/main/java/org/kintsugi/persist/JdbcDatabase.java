// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.files.LockFile;
import org.kintsugi.mpi.internal.files.OwnerOnly;
import org.kintsugi.runtime.JobConfig;

/**
 * The database in which one process has its messages: an embedded SQLite in a folder, or whatever database a JDBC URL leads to,
 * its driver on the class path.
 *
 * <p>SQLite is the default because processes share it by locks of the operating system: none of them serves the others, so the
 * death of any of them, at any instruction, is nothing to the rest. (An embedded H2 in the same place, with AUTO_SERVER, took up
 * to 20 s to be open again.) Its processes must be on one node; communicators over several nodes need a server.
 */
final class JdbcDatabase implements AutoCloseable {
  /** Statements on a connection. */
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private static final String NATIVE_LIBRARY_DIR = "org.sqlite.tmpdir";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  /** SQLSTATE class. */
  private static final String CONNECTION = "08";
  /** SQL states of a PostgreSQL server that is about to end, has crashed, or is starting. */
  private static final Set<String> SERVER = Set.of("57P01", "57P02", "57P03");
  private static final int VALID_SECONDS = 5;
  /** Returned in spite of the busy_timeout when several processes make the database at once. */
  private static final int SQLITE_BUSY = 5;

  private final StoreContext context;
  private final boolean embedded;
  private JdbcUrl url;
  private Connection connection;
  private OwnerLock owner;
  private Comm wire;

  JdbcDatabase(StoreContext context) {
    this.context = context;
    url = JdbcUrl.of(context.settings().value(PersistSettings.URL));
    embedded = url.text().isEmpty();
  }

  /** Whether the database serves one node, and notices the end of its processes. */
  boolean isEmbedded() {
    return embedded;
  }

  /** Opens it, and makes its tables: where they exist already, {@code create} does nothing. */
  void open(Work<?> create) {
    if (embedded) {
      openEmbedded(create);
    } else {
      requireDriver();
      run("make the table", create);
    }
  }

  private void openEmbedded(Work<?> create) {
    Path folder = Path.of(context.settings().value(PersistSettings.DIR)).toAbsolutePath();
    try {
      OwnerOnly.makeFolder(folder);
    } catch (IOException e) {
      throw new PersistException("rank " + context.rank() + " cannot make the folder " + folder + ": " + e, e);
    }
    Path file = folder.resolve("persist.db");
    embed(file);
    requireDriver();
    takeOwnerLock(folder);
    createAlone(file, folder.resolve("persist.lock"), create);
  }

  private void takeOwnerLock(Path folder) {
    Path rows = folder.resolve(context.folderName() + ".rank-" + context.rank());
    try {
      owner = OwnerLock.take(rows);
    } catch (IOException e) {
      throw new PersistException("rank " + context.rank() + " cannot lock " + rows + ": " + e, e);
    }
  }

  /** Lets one process after the other make the database: several at once would remove each other's SQLite journal. */
  private void createAlone(Path file, Path lockFile, Work<?> create) {
    try (LockFile lock = LockFile.take(lockFile, Duration.ofNanos(PATIENCE_NANOS))) {
      if (lock == null) {
        throw new PersistException("rank " + context.rank() + " cannot lock " + lockFile + ": another process has kept it for "
            + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s");
      }
      // SQLite gives its other files the same permissions.
      if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
        OwnerOnly.makeFile(file);
      }
      OwnerOnly.requireFile(file);
      run("make the table", create);
    } catch (IOException e) {
      throw new PersistException("rank " + context.rank() + " cannot lock " + lockFile + ": " + e, e);
    }
  }

  private void embed(Path file) {
    boolean forced = context.settings().sync() == PersistSettings.Sync.MESSAGE;
    url = new JdbcUrl("jdbc:sqlite:" + file + "?journal_mode=WAL&busy_timeout=" + TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS)
        + "&synchronous=" + (forced ? "FULL" : "NORMAL"));
    String job = JobConfig.JOB_DIR.value();
    if (!job.isEmpty() && System.getProperty(NATIVE_LIBRARY_DIR) == null) {
      // The driver unpacks its library here. A process that is killed does not remove it; the
      // launcher does, together with the job's folder.
      System.setProperty(NATIVE_LIBRARY_DIR, job);
    }
  }

  private PersistException failed(String what, SQLException e) {
    return new PersistException("rank " + context.rank() + " cannot " + what + " (" + context.identity() + ") in the database "
        + shownUrl() + ": " + url.hide(e.getMessage()), url.hide(e));
  }

  /** Without the password. */
  String shownUrl() {
    return url.shown();
  }

  /** Without this check a missing driver would look like a lost connection. */
  private void requireDriver() {
    try {
      DriverManager.getDriver(url.text());
    } catch (SQLException e) {
      throw new PersistException(
          "rank " + context.rank() + ": no JDBC driver on the class path takes the URL " + shownUrl() + ": "
              + (embedded ? "add org.xerial:sqlite-jdbc to the class path, or set info " + PersistSettings.URL + " to a server's"
                  : "add the database's driver to the class path, or correct info " + PersistSettings.URL),
          url.hide(e));
    }
  }

  /** Sets the communicator on which failures of these processes are noticed during a wait for a server. */
  void serve(Comm newWire) {
    wire = newWire;
  }

  /** Runs some work, and again on a new connection if the connection is lost, for a while. */
  <T> T run(String what, Work<T> work) {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        if (connection == null) {
          connect();
        }
        return work.on(connection);
      } catch (SQLException e) {
        boolean gone = isGone(e) || connection != null && !isValid();
        disconnect(); // also if the connection works: its state is not known
        if (!gone || System.nanoTime() - until > 0) {
          throw failed(what, e);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        if (wire != null) {
          // The process that served the database may be dead, and then the recovery must come first.
          wire.iProbe(Comm.ANY_SOURCE, Comm.ANY_TAG, null);
        }
      }
    }
  }

  /** A server that does not answer counts as gone after a while, like one that reports it. */
  private void connect() throws SQLException {
    if (!embedded && DriverManager.getLoginTimeout() == 0) {
      DriverManager.setLoginTimeout((int) TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS));
    }
    connection = DriverManager.getConnection(url.text());
    if (!embedded) {
      try {
        connection.setNetworkTimeout(Runnable::run, (int) TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
      } catch (SQLException notWithThisDriver) {
        // Then the time limits of the operating system apply.
      }
    }
  }

  private boolean isValid() {
    try {
      return connection.isValid(VALID_SECONDS);
    } catch (SQLException e) {
      return false;
    }
  }

  static boolean isGone(SQLException e) {
    String state = e.getSQLState();
    return state != null && (state.startsWith(CONNECTION) || SERVER.contains(state)) || e.getErrorCode() == SQLITE_BUSY
        || e instanceof SQLRecoverableException || e instanceof SQLTransientConnectionException
        || e.getCause() instanceof IOException;
  }

  @Override
  public void close() {
    disconnect();
    if (owner != null) {
      owner.close();
      owner = null;
    }
  }

  private void disconnect() {
    Connection old = connection;
    connection = null;
    if (old != null) {
      try {
        old.close();
      } catch (SQLException gone) {
        // Then it is closed.
      }
    }
  }
}
