// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.kintsugi.runtime.Setting;
import org.kintsugi.runtime.internal.SettingNames;

/** Values of settings, each right for some and wrong for others: the launcher has to judge each as the class that reads it. */
public final class SettingSamples {
  /** Group and node sizes among them divide {@link #RANKS}. */
  private static final List<String> VALUES = List.of("", "abc", "-1", "0", "1", "2", "+2", "1.5", " 3 ", "4", "31", "32", "2048",
      "2049", "2147483648", "9223372036854775807", "9223372036854775808", "true", " false", "TRUE", "yes",
      "auto", "Auto", "ranks", "hosts", "ulfm", "reinit", "shrink", "RESTART", "SPAWN", "SPAWN_TOGETHER", "GROW",
      "single", "PARTNER", "xor", "XOR", "RS", "memory", "file", "files", "memory:1", "memory:2", "memory,file", "memory,xor",
      "memory, xor:4, file:20", "file,memory:2", "memory,memory:2", "memory,xor:4,file:4", "memory,xor:x", "memory,,file:2",
      "memory,scr:2", "scr,memory:2", "memory,files:2",
      "1,2:2", "1,2:2,3:6,4:12", "4", "2,1:4", "1,5:2", "1:2", "12", "1,23:2");

  /** Divided by all numbers above that may be sizes. */
  public static final int RANKS = 2048 * 2049 * 31;

  private SettingSamples() {}

  /**
   * Sets one value after the other.
   *
   * @param setting has its default again afterwards
   * @param read throws an IllegalArgumentException where the value is refused
   */
  public static void judge(Setting setting, Runnable read) {
    try {
      for (String value : VALUES) {
        System.setProperty(setting.property(), value);
        assertThat(SettingNames.objection(setting.property(), value) == null).as("-D" + setting.property() + "=" + value)
            .isEqualTo(isTaken(read));
      }
    } finally {
      System.clearProperty(setting.property());
    }
  }

  private static boolean isTaken(Runnable read) {
    try {
      read.run();
      return true;
    } catch (UnsupportedOperationException noLibrary) {
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
