// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.persist.Entry.Kind;

/** A database server that goes away at the worst moments, and is as strict as PostgreSQL: a failed transaction takes nothing. */
class LostConnectionTest {
  private static final String URL = "jdbc:strict:";

  @TempDir
  private Path folder;

  private String failsBefore = "";
  private String failsBehind = "";
  private String state = "";
  private boolean aborted;
  private boolean lost;
  private int connections;

  private final Driver driver = new Driver() {
    @Override
    public Connection connect(String url, Properties info) throws SQLException {
      if (!acceptsURL(url)) {
        return null;
      }
      connections++;
      aborted = false;
      lost = false;
      return strict(DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("db")));
    }

    @Override
    public boolean acceptsURL(String url) {
      return url.startsWith(URL);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
      return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
      return 1;
    }

    @Override
    public int getMinorVersion() {
      return 0;
    }

    @Override
    public boolean jdbcCompliant() {
      return false;
    }

    @Override
    public Logger getParentLogger() {
      return Logger.getGlobal();
    }
  };

  @BeforeEach
  void register() throws SQLException {
    DriverManager.registerDriver(driver);
  }

  @AfterEach
  void deregister() throws SQLException {
    DriverManager.deregisterDriver(driver);
  }

  private Connection strict(Connection to) {
    return (Connection) Proxy.newProxyInstance(LostConnectionTest.class.getClassLoader(), new Class<?>[] {Connection.class},
        (proxy, method, arguments) -> call(to, to, method, arguments));
  }

  private Object call(Connection connection, Object to, Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    if (name.equals("isValid")) {
      return !lost;
    }
    if (lost && !name.equals("close")) {
      throw new SQLException("connection is lost", "XX000");
    }
    if (name.equals("rollback")) {
      aborted = false;
    } else if (aborted && (name.equals("commit") || name.startsWith("execute"))) {
      throw new SQLException("current transaction is aborted", "25P02");
    }
    fail(connection, name, failsBefore);
    try {
      Object result = method.invoke(to, arguments);
      if (result instanceof PreparedStatement statement) {
        result = Proxy.newProxyInstance(LostConnectionTest.class.getClassLoader(), new Class<?>[] {PreparedStatement.class},
            (proxy, of, with) -> call(connection, statement, of, with));
      }
      fail(connection, name, failsBehind);
      return result;
    } catch (InvocationTargetException e) {
      aborted = !connection.getAutoCommit();
      throw e.getCause();
    }
  }

  private void fail(Connection connection, String name, String at) throws SQLException {
    if (at.equals(name)) {
      failsBefore = "";
      failsBehind = "";
      lost = true;
      connection.close();
      throw new SQLException("the server ends", state);
    }
  }

  private MessageStore store() {
    MessageStore store = new JdbcMessageStore();
    store.open(new StoreContext("key", "0@0", 0, 2, "node", PersistSettings.of(Map.of(PersistSettings.URL, URL))));
    return store;
  }

  private static Entry entry(long number) {
    return new Entry(number, Kind.MESSAGE, 1, 7, number, Long.BYTES);
  }

  @Test
  void whatIsStoredIsStoredOnceWhereverTheServerEnds() {
    try (MessageStore store = store()) {
      long number = 0;
      for (String its : new String[] {"57P01", "08006", "XX000"}) {
        for (String at : new String[] {"executeUpdate", "commit", "setAutoCommit"}) {
          for (boolean before : new boolean[] {true, false}) {
            int known = connections;
            state = its;
            failsBefore = before ? at : "";
            failsBehind = before ? "" : at;
            number++;
            store.append(entry(number), ByteBuffer.allocateDirect(Long.BYTES).putLong(0, number));
            assertThat(connections).as(its + " " + at).isEqualTo(known + 1);
            assertThat(store.entries(0, number - 1)).containsExactly(entry(number));
          }
        }
      }
      assertThat(store.entries(0, 0)).hasSize((int) number);
    }
  }

  @Test
  void theFirstErrorIsReported() {
    try (MessageStore store = store()) {
      store.append(entry(1), ByteBuffer.allocateDirect(Long.BYTES));
      assertThatThrownBy(() -> store.append(entry(1), ByteBuffer.allocateDirect(Long.BYTES)))
          .isInstanceOf(PersistException.class).hasMessageContaining("is there already");
      store.append(entry(2), ByteBuffer.allocateDirect(Long.BYTES));
      assertThat(store.entries(0, 0)).containsExactly(entry(1), entry(2));
    }
  }
}
