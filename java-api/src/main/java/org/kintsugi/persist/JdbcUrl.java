// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kintsugi.mpi.internal.files.OwnerOnly;
import org.kintsugi.runtime.internal.VariableNames;

/**
 * The URL of a database, and how it is shown: never with a password. It comes from a setting, from
 * the environment ({@link VariableNames#PERSIST_URL}), or from a file that only the user can
 * read: a process's command line can be read by all users.
 *
 * <p>Drivers have many forms for passwords. Where it is not clear where one ends, more is hidden
 * than has to be.
 */
final class JdbcUrl {
  private static final String OF_FILE = "@";
  private static final String HIDDEN = "...";
  /** A shorter one would be found in innocent words. */
  private static final int HIDDEN_EVERYWHERE = 4;

  /** {@code //user:password@host}, the marks possibly in percent code. */
  private static final Pattern OF_HOST = Pattern.compile("(//[^/:@?;%]*(?:%(?!3[aA])[^/:@?;%]*)*(?::|%3[aA]))(.*)((?:@|%40))");

  /** {@code user/password@host} of Oracle. */
  private static final Pattern OF_ORACLE = Pattern.compile("(?i)^(jdbc:oracle:[^:/@]*:\"?[^/@\"]*\"?/)(.*)(@)");

  private static final Pattern PARAMETER = Pattern.compile("([?&;,(:\\s])([^?&;,(=\\s]*?)(\\s*(?:=|%3[dD])\\s*)");
  private static final Pattern SECRET = Pattern.compile("(?i).*(pass|pwd|secret|token|credential|apikey|accesskey).*");

  private final String url;
  private final String shown;
  private final Set<String> secrets = new LinkedHashSet<>();

  /** The URL itself. */
  JdbcUrl(String url) {
    this.url = url;
    shown = hideParameters(hide(OF_ORACLE, hide(OF_HOST, url)));
  }

  /**
   * The URL that a setting leads to.
   *
   * @param setting the URL, or {@code @} and a file that has it, or empty: the environment's
   * @throws PersistException if the file cannot be read, or is not this user's alone
   */
  static JdbcUrl of(String setting) {
    String given = setting.isEmpty() ? System.getenv().getOrDefault(VariableNames.PERSIST_URL, "").trim() : setting;
    if (!given.startsWith(OF_FILE)) {
      return new JdbcUrl(given);
    }
    Path file = Path.of(given.substring(OF_FILE.length()));
    try {
      return new JdbcUrl(new String(OwnerOnly.read(file), StandardCharsets.UTF_8).trim());
    } catch (IOException e) {
      throw new PersistException("cannot read the URL of the database from the file " + file + ": " + e, e);
    }
  }

  /** The whole URL, for the driver alone. */
  String text() {
    return url;
  }

  /** Without passwords. */
  String shown() {
    return shown;
  }

  /** A driver's words without passwords. */
  String hide(String message) {
    if (message == null || url.isEmpty()) {
      return message;
    }
    String safe = message.replace(url, shown);
    for (String secret : secrets) {
      safe = secret.length() < HIDDEN_EVERYWHERE ? safe : safe.replace(secret, HIDDEN);
    }
    return safe;
  }

  /** A driver's exception as it may be printed: the same one, if it has no password in it. */
  SQLException hide(SQLException e) {
    if (isSafe(e)) {
      return e;
    }
    SQLException safe = new SQLException(hide(e.getMessage()), e.getSQLState(), e.getErrorCode());
    safe.setStackTrace(e.getStackTrace());
    return safe;
  }

  /** With its causes and suppressed exceptions, which are printed as well. */
  private boolean isSafe(Throwable e) {
    if (e == null) {
      return true;
    }
    boolean isSafe = String.valueOf(e.getMessage()).equals(String.valueOf(hide(e.getMessage()))) && isSafe(e.getCause());
    for (int i = 0; isSafe && i < e.getSuppressed().length; i++) {
      isSafe = isSafe(e.getSuppressed()[i]);
    }
    return isSafe;
  }

  private String hide(Pattern form, String text) {
    Matcher found = form.matcher(text);
    if (!found.find()) {
      return text;
    }
    note(found.group(2));
    return text.substring(0, found.start(2)) + HIDDEN + text.substring(found.end(2));
  }

  private String hideParameters(String text) {
    StringBuilder safe = new StringBuilder();
    Matcher parameter = PARAMETER.matcher(text);
    int from = 0;
    while (parameter.find(from)) {
      safe.append(text, from, parameter.end());
      from = parameter.end();
      if (SECRET.matcher(decoded(parameter.group(2))).matches()) {
        int end = endOfValue(text, from, parameter.group(1));
        note(text.substring(from, end));
        safe.append(HIDDEN);
        from = end;
      }
    }
    return safe.append(text.substring(from)).toString();
  }

  /**
   * Where a value ends that begins there. One in brackets of Oracle's or MySQL's may have anything
   * in it: all is hidden then.
   */
  private static int endOfValue(String text, int from, String before) {
    if (before.equals("(") || before.equals(",")) {
      return text.length();
    }
    if (from < text.length() && "{\"'".indexOf(text.charAt(from)) >= 0) {
      int end = text.lastIndexOf(text.charAt(from) == '{' ? '}' : text.charAt(from));
      return end > from ? end + 1 : text.length();
    }
    int end = from;
    while (end < text.length() && "&;".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  private void note(String secret) {
    if (!secret.isEmpty()) {
      secrets.add(secret);
      secrets.add(decoded(secret));
    }
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return text;
    }
  }
}
