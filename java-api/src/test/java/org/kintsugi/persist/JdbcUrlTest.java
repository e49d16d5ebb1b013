// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The URL of a database: it is never shown with its password. */
class JdbcUrlTest {
  @TempDir
  private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"jdbc:postgresql://me:s3cr3t@host/db", "jdbc:postgresql://host/db?user=me&password=s3cr3t",
      "jdbc:postgresql://host/db?password=s3cr3t&user=me", "jdbc:postgresql://me:s3%40cr3t@host/db",
      "jdbc:mysql://me:s3/cr3t@host/db",
      "jdbc:mysql://me:s3@cr3t@host:3306/db", "jdbc:mysql://me%3As3cr3t%40host/db", "jdbc:mysql://m%65:s3cr3t@host/db",
      "jdbc:mysql://host/db?PassWord=s3cr3t", "jdbc:mysql://host/db?pass%77ord=s3cr3t&a=b",
      "jdbc:mysql://host/db?password%3Ds3cr3t",
      "jdbc:mysql://address=(host=a)(user=me)(password=s3cr3t)/db", "jdbc:mysql://(host=a,password=s3cr3t,port=1)/db",
      "jdbc:h2:tcp://host/./m;USER=me;PASSWORD=s3cr3t", "jdbc:h2:./m;PASSWORD=s3cr3t;CIPHER=AES",
      "jdbc:derby:db;user=me;password=s3cr3t",
      "jdbc:sqlserver://host:1433;user=me;password={s3;cr3t};encrypt=true", "jdbc:sqlserver://host;pwd=s3cr3t",
      "jdbc:sqlserver://host;trustStorePassword=s3cr3t;a=b", "jdbc:postgresql://host/db?sslpassword=s3cr3t",
      "jdbc:oracle:thin:me/s3cr3t@host:1521:db", "jdbc:oracle:thin:me/\"s3@cr3t\"@//host:1521/db", "jdbc:oracle:oci:me/s3cr3t@db",
      "jdbc:oracle:thin:\"m e\"/s3cr3t@host:1521:db", "jdbc:snowflake://host/?token=s3cr3t",
      "jdbc:db2://host:1/db:user=me;password=s3cr3t;", "jdbc:db2://host:1/db:password=s3cr3t;user=me;",
      "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(HOST=h))(SECURITY=(MY_WALLET_PASSWORD=s3cr3t)))"})
  void passwordsAreNotShown(String url) {
    JdbcUrl hidden = new JdbcUrl(url);
    assertThat(hidden.text()).isEqualTo(url);
    assertThat(hidden.shown()).doesNotContain("s3", "cr3t").contains("...").startsWith(url.substring(0, 8));
    assertThat(hidden.hide("cannot open " + url + ", it says")).doesNotContain("cr3t").startsWith("cannot open jdbc:")
        .endsWith(", it says");
    SQLException shown = hidden.hide(new SQLException("no driver for " + url, "08001", 7, new IOException(url)));
    assertThat(shown.getMessage()).doesNotContain("cr3t");
    assertThat(shown.getCause()).isNull();
    assertThat(shown.getSQLState()).isEqualTo("08001");
    assertThat(shown.getErrorCode()).isEqualTo(7);
    SQLException safe = new SQLException("no connection");
    safe.addSuppressed(new IOException("to " + url));
    assertThat(hidden.hide(safe).getSuppressed()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc:postgresql://host:5432/db?user=me&ssl=true", "jdbc:h2:tcp://localhost:9092/./messages",
      "jdbc:sqlite:/tmp/a.db?journal_mode=WAL&busy_timeout=1", "jdbc:oracle:thin:@//host:1521/db", ""})
  void othersAreShownAsTheyAre(String url) {
    assertThat(new JdbcUrl(url).shown()).isEqualTo(url);
    SQLException e = new SQLException("about " + url);
    assertThat(new JdbcUrl(url).hide(e) == e).isTrue();
  }

  @Test
  void comesFromAFileThatIsTheUsersAlone() throws IOException {
    Path file = Files.writeString(folder.resolve("url"), "jdbc:h2:./m;PASSWORD=s3cr3t\n");
    assertThat(JdbcUrl.of("@" + file).text()).isEqualTo("jdbc:h2:./m;PASSWORD=s3cr3t");
    assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertThatExceptionOfType(PersistException.class).isThrownBy(() -> JdbcUrl.of("@" + link))
        .withMessageContaining("symbolic link");
    assertThatExceptionOfType(PersistException.class).isThrownBy(() -> JdbcUrl.of("@" + folder.resolve("missing")));
    assertThat(JdbcUrl.of("jdbc:h2:./m").text()).isEqualTo("jdbc:h2:./m");
  }
}
