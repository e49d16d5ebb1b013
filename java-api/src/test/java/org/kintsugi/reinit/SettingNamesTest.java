// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.persist.PersistConfig;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.Setting;
import org.kintsugi.runtime.internal.SettingNames;

/** The launcher's list of settings is that of the classes that have them. */
class SettingNamesTest {
  @Test
  void theListIsWhole() {
    List<String> names = Stream.<Setting[]>of(JobConfig.values(), ReinitConfig.values(), CheckpointConfig.values(),
        PersistConfig.values()).flatMap(Stream::of).map(Setting::property).toList();
    assertThat(SettingNames.all()).containsAll(names);
    assertThat(SettingNames.all()).as("others than these").hasSize(names.size() + 2).contains("kintsugi.library.path",
        "kintsugi.home");
  }

  @Test
  void whatIsMisspeltIsGuessed() {
    assertThat(SettingNames.meantBy("kintsugi.checkpoint.stor")).isEqualTo("kintsugi.checkpoint.store");
    assertThat(SettingNames.meantBy("kintsugi.chekpoint.dir")).isEqualTo("kintsugi.checkpoint.dir");
    assertThat(SettingNames.meantBy("kintsugi.checkpoint.directory")).isEqualTo("kintsugi.checkpoint.dir");
    assertThat(SettingNames.meantBy("kintsugi.leak")).isEqualTo("kintsugi.leaks");
    assertThat(SettingNames.meantBy("kintsugi.reinit.polici")).isEqualTo("kintsugi.reinit.policy");
    for (String name : List.of("kintsugi.leaks", "kintsugi.test.flavour", "kintsugi.twins", "my.kintsugi.leak", "kintsugi")) {
      assertThat(SettingNames.meantBy(name)).as(name).isNull();
    }
  }
}
