// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.persist.PersistConfig;
import org.kintsugi.reinit.ReinitConfig;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.Setting;

/** The page of settings has all that there are, with the values that they have unless they are set. */
class SettingsPageTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`kintsugi[^|]*) \\| ([^|]*) \\|");
  private static final Pattern NAME = Pattern.compile("`(kintsugi\\.[^`]*)`");
  /** Another one on each machine. */
  private static final Setting OF_THE_MACHINE = CheckpointConfig.LOCAL_DIR;

  private static String page;

  @BeforeAll
  static void read() throws IOException {
    page = Files.readString(Manual.DOCS.resolve("settings.md"));
  }

  private static List<Setting> settings() {
    List<Setting> all = new ArrayList<>();
    for (Class<? extends Setting> each : List.of(JobConfig.class, CheckpointConfig.class, PersistConfig.class,
        ReinitConfig.class)) {
      all.addAll(List.of(each.getEnumConstants()));
    }
    return all;
  }

  private static Map<String, String> valuesOfRows() {
    Map<String, String> values = new TreeMap<>();
    Matcher row = ROW.matcher(page);
    while (row.find()) {
      List<String> names = NAME.matcher(row.group(1)).results().map(name -> name.group(1)).toList();
      String[] defaults = row.group(2).split(", ");
      assertThat(defaults).as(row.group()).hasSameSizeAs(names);
      for (int i = 0; i < defaults.length; i++) {
        values.put(names.get(i), defaults[i].replace("`", "").replaceFirst("^none$", ""));
      }
    }
    return values;
  }

  @Test
  void allAreThereAndNoOther() {
    assertThat(NAME.matcher(page).results().map((MatchResult name) -> name.group(1)).distinct())
        .containsExactlyInAnyOrderElementsOf(settings().stream().map(Setting::property).toList());
  }

  @Test
  void valuesAreWhatTheyAreUnlessSet() {
    Map<String, String> values = valuesOfRows();
    Stream<Setting> inRows = settings().stream().filter(setting -> values.containsKey(setting.property()));
    assertThat(inRows.filter(setting -> setting != OF_THE_MACHINE))
        .hasSizeGreaterThan(20)
        .allSatisfy(setting -> assertThat(values.get(setting.property())).isEqualTo(setting.defaultValue()));
    // Authors of programs and of job scripts set these, so they must have rows.
    assertThat(values.keySet()).containsAll(
        EnumSet.allOf(CheckpointConfig.class).stream().map(Setting::property).toList());
  }
}
