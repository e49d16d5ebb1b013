// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.checkpoint.Partners;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.MpiConfig;
import org.kintsugi.mpi.internal.LockFile;
import org.kintsugi.mpi.internal.OwnerOnly;
import org.kintsugi.persist.Entry.Kind;

/**
 * Messages in a table of a database, each stored by a transaction of its own: by default an embedded SQLite in a folder, or
 * whatever database a JDBC URL leads to, its driver on the class path.
 *
 * <p>SQLite is the default because processes share it by locks of the operating system: none of them serves the others, so the
 * death of any of them, at any instruction, is nothing to the rest. (An embedded H2 in the same place, with AUTO_SERVER, took up
 * to 20 s to be open again.) Its processes must be on one node; communicators over several nodes need a server.
 *
 * <p>A statement that fails because the connection is gone is tried again on a new one; as every statement names its row by key,
 * trying again cannot store twice.
 */
final class JdbcMessageStore implements MessageStore {
  /** One statement, and how to hold it. */
  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private static final String TABLE = "kintsugi_persist";
  private static final String NATIVE_LIBRARY_DIR = "org.sqlite.tmpdir";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  /** SQLSTATE classes: connection exceptions; integrity violations. */
  private static final String CONNECTION = "08";
  private static final String INTEGRITY = "23";
  private static final int SQLITE_CONSTRAINT = 19;
  /** In spite of its busy_timeout: when several processes make the database at once. */
  private static final int SQLITE_BUSY = 5;
  private final Records records = new Records();
  private StoreContext context;
  private String url;
  private String space;
  private boolean embedded;
  private Connection connection;
  private OwnerLock owner;
  private Comm wire;

  @Override
  public void open(StoreContext newContext) {
    context = newContext;
    space = context.folderName() + "|" + context.key();
    url = context.settings().value(PersistSettings.URL);
    embedded = url.isEmpty();
    try {
      if (embedded) {
        openEmbedded();
      } else {
        requireDriver();
        create();
      }
      requireIdentity();
    } catch (PersistException e) {
      close();
      throw e;
    }
  }

  private void openEmbedded() {
    Path folder = Path.of(context.settings().value(PersistSettings.DIR)).toAbsolutePath();
    try {
      OwnerOnly.makeFolder(folder);
    } catch (IOException e) {
      throw new PersistException("rank " + context.rank() + " cannot make the folder " + folder + ": " + e, e);
    }
    Path file = folder.resolve("persist.db");
    embed(file);
    takeOwnerLock(folder);
    createAlone(file, folder.resolve("persist.lock"));
  }

  /** A server has nothing like it: there two jobs with one key are told apart only when both store the same entry. */
  private void takeOwnerLock(Path folder) {
    Path rows = folder.resolve(context.folderName() + ".rank-" + context.rank());
    try {
      owner = OwnerLock.take(rows);
    } catch (IOException e) {
      throw new PersistException("rank " + context.rank() + " cannot lock " + rows + ": " + e, e);
    }
  }

  /** One process after the other: several that make a SQLite database at once take its journal away from each other. */
  private void createAlone(Path file, Path lockFile) {
    try (LockFile lock = LockFile.take(lockFile, Duration.ofNanos(PATIENCE_NANOS))) {
      if (lock == null) {
        throw new PersistException("rank " + context.rank() + " cannot lock " + lockFile + ": another process has kept it for "
            + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s");
      }
      if (!Files.exists(file)) {
        // SQLite gives the files beside it the same permissions.
        OwnerOnly.makeFile(file);
      }
      create();
    } catch (IOException e) {
      throw new PersistException("rank " + context.rank() + " cannot lock " + lockFile + ": " + e, e);
    }
  }

  private void embed(Path file) {
    boolean forced = context.settings().sync() == PersistSettings.Sync.MESSAGE;
    url = "jdbc:sqlite:" + file + "?journal_mode=WAL&busy_timeout=" + TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS)
        + "&synchronous=" + (forced ? "FULL" : "NORMAL");
    String job = MpiConfig.JOB_DIR.value();
    if (!job.isEmpty() && System.getProperty(NATIVE_LIBRARY_DIR) == null) {
      // Where its driver unpacks its library: a process that is killed leaves it behind, and here the launcher removes it.
      System.setProperty(NATIVE_LIBRARY_DIR, job);
    }
  }

  private PersistException failed(String what, SQLException e) {
    return new PersistException("rank " + context.rank() + " cannot " + what + " (" + context.identity() + ") in the database "
        + shownUrl() + ": " + e.getMessage(), e);
  }

  private String shownUrl() {
    return url.replaceAll("(?i)(password=)[^;&]*", "$1...");
  }

  /** Else it would look like a connection that is gone. */
  private void requireDriver() {
    try {
      DriverManager.getDriver(url);
    } catch (SQLException e) {
      throw new PersistException("no JDBC driver on the class path takes the URL " + shownUrl() + " ("
          + PersistSettings.URL + "): add the database's driver to the class path, or correct the URL", e);
    }
  }

  private <T> T run(String what, Work<T> work) {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        if (connection == null) {
          connection = DriverManager.getConnection(url);
        }
        return work.on(connection);
      } catch (SQLException e) {
        if (!isGone(e) || System.nanoTime() - until > 0) {
          throw failed(what, e);
        }
        disconnect();
        LockSupport.parkNanos(PAUSE_NANOS);
        if (wire != null) {
          // The process that served the database may be dead, and then the recovery comes first.
          wire.iProbe(Comm.ANY_SOURCE, Comm.ANY_TAG, null);
        }
      }
    }
  }

  private static boolean isGone(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.startsWith(CONNECTION) || e.getErrorCode() == SQLITE_BUSY
        || e.getCause() instanceof IOException;
  }

  private void create() {
    run("make the table", on -> {
      String product = on.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
      String binary = product.contains("postgres") ? "BYTEA" : product.contains("mysql") || product.contains("maria")
          ? "LONGBLOB" : "BLOB";
      try (Statement statement = on.createStatement()) {
        statement.execute("CREATE TABLE IF NOT EXISTS " + TABLE + " (space VARCHAR(300) NOT NULL, source INT NOT NULL, "
            + "number BIGINT NOT NULL, kind INT NOT NULL, dest INT NOT NULL, tag INT NOT NULL, sequence BIGINT NOT NULL, "
            + "bytes BIGINT NOT NULL, checksum INT NOT NULL, payload " + binary + ", PRIMARY KEY (space, source, number))");
      } catch (SQLException e) {
        // Two processes at once: the table is there all the same. Anything else shows at the next statement.
        if (isGone(e)) {
          throw e;
        }
      }
      return null;
    });
  }

  /** Row 0 of a process says what its rows are of. */
  private void requireIdentity() {
    byte[] identity = context.identity().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    Entry row = new Entry(0, Kind.ROUND, 0, 0, 0, identity.length);
    byte[] found = bytes(context.rank(), row);
    if (found == null) {
      insert(row, identity, 0);
    } else if (!java.util.Arrays.equals(found, identity)) {
      throw new PersistException("the database " + shownUrl() + " has messages of "
          + new String(found, java.nio.charset.StandardCharsets.UTF_8) + ", and not of " + context.identity());
    }
  }

  private byte[] bytes(int source, Entry entry) {
    return run("read entry " + entry.number() + " of rank " + source, on -> {
      try (PreparedStatement select =
          on.prepareStatement("SELECT payload FROM " + TABLE + " WHERE space = ? AND source = ? AND number = ?")) {
        select.setString(1, space);
        select.setInt(2, source);
        select.setLong(3, entry.number());
        try (ResultSet rows = select.executeQuery()) {
          return rows.next() ? rows.getBytes(1) : null;
        }
      }
    });
  }

  @Override
  public void append(Entry entry, ByteBuffer payload) {
    int checksum = records.checksum(payload);
    byte[] bytes = new byte[payload.remaining()];
    payload.get(bytes);
    insert(entry, bytes, checksum);
  }

  private void insert(Entry entry, byte[] bytes, int checksum) {
    boolean[] again = new boolean[1];
    run("store entry " + entry.number(), on -> {
      boolean repeats = again[0];
      again[0] = true;
      try (PreparedStatement insert = on.prepareStatement("INSERT INTO " + TABLE
          + " (space, source, number, kind, dest, tag, sequence, bytes, checksum, payload) VALUES (?,?,?,?,?,?,?,?,?,?)")) {
        insert.setString(1, space);
        insert.setInt(2, context.rank());
        insert.setLong(3, entry.number());
        insert.setInt(4, entry.kind().ordinal());
        insert.setInt(5, entry.dest());
        insert.setInt(6, entry.tag());
        insert.setLong(7, entry.sequence());
        insert.setLong(8, entry.bytes());
        insert.setInt(9, checksum);
        insert.setBytes(10, bytes);
        insert.executeUpdate();
      } catch (SQLException e) {
        if (!isThere(e)) {
          throw e;
        }
        if (!repeats) {
          throw new PersistException(
              "entry " + entry.number() + " of rank " + context.rank() + " is there already in the database "
                  + url + ": does another job run with the same key (" + context.identity() + ")?",
              e);
        }
      }
      return null;
    });
  }

  private static boolean isThere(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith(INTEGRITY) || e.getErrorCode() == SQLITE_CONSTRAINT;
  }

  private void delete(String what, String condition, long number) {
    run(what, on -> {
      try (PreparedStatement delete =
          on.prepareStatement("DELETE FROM " + TABLE + " WHERE space = ? AND source = ? AND number " + condition + " ?")) {
        delete.setString(1, space);
        delete.setInt(2, context.rank());
        delete.setLong(3, number);
        delete.executeUpdate();
      }
      return null;
    });
  }

  @Override
  public void drop(Entry entry) {
    delete("drop entry " + entry.number(), "=", entry.number());
  }

  @Override
  public void cut(long number) {
    delete("forget entries", ">", number);
  }

  @Override
  public List<Entry> entries(int source, long after) {
    return run("list what rank " + source + " has stored", on -> {
      List<Entry> entries = new ArrayList<>();
      try (PreparedStatement select = on.prepareStatement("SELECT number, kind, dest, tag, sequence, bytes FROM " + TABLE
          + " WHERE space = ? AND source = ? AND number > ? ORDER BY number")) {
        select.setString(1, space);
        select.setInt(2, source);
        select.setLong(3, Math.max(after, 0));
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            entries.add(new Entry(rows.getLong(1), Kind.values()[rows.getInt(2)], rows.getInt(3), rows.getInt(4),
                rows.getLong(5), rows.getLong(6)));
          }
        }
      }
      return entries;
    });
  }

  @Override
  public boolean read(int source, Entry entry, ByteBuffer target) {
    return run("read entry " + entry.number() + " of rank " + source, on -> {
      try (PreparedStatement select =
          on.prepareStatement("SELECT payload, checksum FROM " + TABLE + " WHERE space = ? AND source = ? AND number = ?")) {
        select.setString(1, space);
        select.setInt(2, source);
        select.setLong(3, entry.number());
        try (ResultSet rows = select.executeQuery()) {
          if (!rows.next()) {
            return false;
          }
          byte[] payload = rows.getBytes(1);
          int position = target.position();
          if (payload == null || payload.length != entry.bytes()) {
            throw new PersistException("entry " + entry.number() + " of rank " + source + " is damaged in the database " + url);
          }
          target.limit(position + payload.length);
          target.put(payload).position(position);
          if (records.checksum(target) != rows.getInt(2)) {
            throw new PersistException("entry " + entry.number() + " of rank " + source + " is damaged in the database " + url
                + ": its bytes are not those that were stored");
          }
          return true;
        }
      }
    });
  }

  @Override
  public void recover(Comm newWire) {
    wire = newWire;
    if (embedded) {
      requireOneNode();
    }
  }

  private void requireOneNode() {
    if (Arrays.stream(Partners.nodes(wire, context.node())).distinct().count() > 1) {
      throw new PersistException("rank " + context.rank() + " (" + context.identity() + ") is on " + context.node()
          + ", and others are on other nodes: the embedded database serves one node; set info " + PersistSettings.URL
          + " to a server's, or use another store");
    }
  }

  @Override
  public void settle(Comm newWire) {
    // Every entry was a transaction.
  }

  @Override
  public void clear() {
    cut(0);
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
