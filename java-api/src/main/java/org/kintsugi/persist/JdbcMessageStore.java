// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.collective.Partners;
import org.kintsugi.persist.Entry.Kind;

/**
 * Messages in a table of a {@link JdbcDatabase}, each stored by a transaction of its own. A statement that fails because the
 * connection is lost is tried again on a new one; as every statement names its row by key, this cannot store twice.
 *
 * <p>A process has two kinds of rows besides entries, whose numbers begin at 1: number 0 has the identity of its entries; on a
 * server, which has no locks that end with a process, number -1 has their owner. The last process to open them owns them. A
 * process that owned them before, of a job that was taken for dead or has the same key by mistake, can change nothing any more,
 * and gets an exception that says so.
 */
final class JdbcMessageStore implements MessageStore {
  private static final String TABLE = "kintsugi_persist";
  /** SQLSTATE class. */
  private static final String INTEGRITY = "23";
  private static final int SQLITE_CONSTRAINT = 19;
  /** The number of the row with the owner of the rows. */
  private static final int OWNER = -1;

  private final Records records = new Records();
  /** The value of row -1 while no other process has opened the rows. */
  private final long token = ThreadLocalRandom.current().nextLong();
  private StoreContext context;
  private JdbcDatabase database;
  private String space;
  private SQLException noTable;

  @Override
  public void open(StoreContext newContext) {
    context = newContext;
    space = context.folderName() + "|" + context.key();
    database = new JdbcDatabase(context);
    try {
      database.open(this::createTable);
      requireIdentity();
    } catch (PersistException e) {
      close();
      if (noTable == null) {
        throw e;
      }
      e.addSuppressed(noTable);
      throw new PersistException(
          e.getMessage() + "; before that the table " + TABLE + " could not be made: " + noTable.getMessage(), e);
    }
  }

  private Void createTable(Connection on) throws SQLException {
    String product = on.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
    String binary = product.contains("postgres") ? "BYTEA" : product.contains("mysql") || product.contains("maria")
        ? "LONGBLOB" : "BLOB";
    try (Statement statement = on.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS " + TABLE + " (space VARCHAR(300) NOT NULL, source INT NOT NULL, "
          + "number BIGINT NOT NULL, kind INT NOT NULL, dest INT NOT NULL, tag INT NOT NULL, sequence BIGINT NOT NULL, "
          + "bytes BIGINT NOT NULL, checksum INT NOT NULL, payload " + binary + ", PRIMARY KEY (space, source, number))");
    } catch (SQLException e) {
      // Two processes at once: the table exists all the same. Any other error shows at the next statement, which reports this
      // one, too.
      if (JdbcDatabase.isGone(e)) {
        throw e;
      }
      noTable = e;
    }
    return null;
  }

  /** Row 0 of a process has the identity of its rows. */
  private void requireIdentity() {
    byte[] identity = context.identity().getBytes(StandardCharsets.UTF_8);
    Entry row = new Entry(0, Kind.ROUND, 0, 0, 0, identity.length);
    byte[] found = bytes(context.rank(), row);
    if (found != null && !Arrays.equals(found, identity)) {
      throw StoreContext.isOfAnother("the database " + database.shownUrl(), new String(found, StandardCharsets.UTF_8),
          context.identity());
    }
    if (!database.isEmbedded()) {
      takeOver();
    }
    if (found == null) {
      insert(row, identity, 0);
    }
  }

  /** Makes the rows this process's own. */
  private void takeOver() {
    database.run("take over what is stored", on -> {
      try (PreparedStatement update =
          on.prepareStatement("UPDATE " + TABLE + " SET sequence = ? WHERE space = ? AND source = ? AND number = " + OWNER)) {
        update.setLong(1, token);
        update.setString(2, space);
        update.setInt(3, context.rank());
        if (update.executeUpdate() > 0) {
          return null;
        }
      }
      try (PreparedStatement insert = insertion(on, new Entry(OWNER, Kind.ROUND, 0, 0, token, 0), new byte[0], 0)) {
        insert.executeUpdate();
      }
      return null;
    });
  }

  /** Changes this process's rows, if they are still its own: row -1 stays locked until it is done. */
  private <T> void change(String what, JdbcDatabase.Work<T> work) {
    if (database.isEmbedded()) {
      database.run(what, work);
      return;
    }
    database.run(what, on -> {
      on.setAutoCommit(false);
      T result;
      try {
        requireOwned(on);
        result = work.on(on);
        on.commit();
      } catch (SQLException | RuntimeException e) {
        undo(on, e);
        throw e;
      }
      on.setAutoCommit(true);
      return result;
    });
  }

  /** Rolls back; the first error is the one to report. */
  private static void undo(Connection on, Exception reason) {
    try {
      on.rollback();
      on.setAutoCommit(true);
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }

  private void requireOwned(Connection on) throws SQLException {
    try (PreparedStatement update = on.prepareStatement("UPDATE " + TABLE
        + " SET bytes = bytes + 1 WHERE space = ? AND source = ? AND number = " + OWNER + " AND sequence = ?")) {
      update.setString(1, space);
      update.setInt(2, context.rank());
      update.setLong(3, token);
      if (update.executeUpdate() == 0) {
        throw new PersistException("rank " + context.rank() + " can store nothing more (" + context.identity()
            + ") in the database " + database.shownUrl()
            + ": another process has taken over what it had stored. Does another job run with "
            + "the same key?");
      }
    }
  }

  private byte[] bytes(int source, Entry entry) {
    return database.run("read entry " + entry.number() + " of rank " + source, on -> {
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
    AtomicBoolean begun = new AtomicBoolean();
    change("store entry " + entry.number(), on -> {
      boolean repeats = begun.getAndSet(true);
      try (PreparedStatement insert = insertion(on, entry, bytes, checksum)) {
        insert.executeUpdate();
      } catch (SQLException e) {
        if (!isThere(e)) {
          throw e;
        }
        if (!repeats) {
          throw new PersistException(
              "entry " + entry.number() + " of rank " + context.rank() + " is there already in the database "
                  + database.shownUrl() + ": does another job run with the same key (" + context.identity() + ")?",
              e);
        }
        // The connection was lost after the statement was executed. This transaction can do nothing more, and need not.
        if (!on.getAutoCommit()) {
          on.rollback();
        }
      }
      return null;
    });
  }

  private PreparedStatement insertion(Connection on, Entry entry, byte[] bytes, int checksum) throws SQLException {
    PreparedStatement insert = on.prepareStatement("INSERT INTO " + TABLE
        + " (space, source, number, kind, dest, tag, sequence, bytes, checksum, payload) VALUES (?,?,?,?,?,?,?,?,?,?)");
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
    return insert;
  }

  private static boolean isThere(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith(INTEGRITY) || e.getErrorCode() == SQLITE_CONSTRAINT;
  }

  private void delete(String what, String condition, long number) {
    change(what, on -> {
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
    return database.run("list what rank " + source + " has stored", on -> {
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
    return database.run("read entry " + entry.number() + " of rank " + source, on -> {
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
            throw new PersistException(
                "entry " + entry.number() + " of rank " + source + " is damaged in the database " + database.shownUrl());
          }
          target.limit(position + payload.length);
          target.put(payload).position(position);
          if (records.checksum(target) != rows.getInt(2)) {
            throw new PersistException(
                "entry " + entry.number() + " of rank " + source + " is damaged in the database " + database.shownUrl()
                    + ": its bytes are not those that were stored");
          }
          return true;
        }
      }
    });
  }

  @Override
  public void recover(Comm newWire) {
    database.serve(newWire);
    if (database.isEmbedded()) {
      requireOneNode(newWire);
    }
  }

  private void requireOneNode(Comm wire) {
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
  public String place() {
    return "the database " + database.shownUrl();
  }

  @Override
  public void clear() {
    cut(0);
  }

  @Override
  public void close() {
    if (database != null) {
      database.close();
    }
  }
}
