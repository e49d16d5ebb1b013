// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.persist.PersistConfig;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.Setting;
import org.kintsugi.runtime.internal.SettingNames;

/** The launcher's list of settings is that of the classes that have them. */
@Isolated("sets properties")
class SettingNamesTest {
  private static Stream<Setting> settings() {
    return Stream.<Setting[]>of(JobConfig.values(), ReinitConfig.values(), CheckpointConfig.values(), PersistConfig.values())
        .flatMap(Stream::of);
  }

  @Test
  void theListIsWhole() {
    List<String> names = settings().map(Setting::property).toList();
    assertThat(SettingNames.all()).containsAll(names);
    assertThat(SettingNames.all()).as("others than these").hasSize(names.size() + 3).contains("kintsugi.library.path",
        "kintsugi.home", "kintsugi.locale");
  }

  @Test
  void defaultsAreTaken() {
    settings().forEach(setting -> assertThat(SettingNames.objection(setting.property(), setting.defaultValue())).isNull());
  }

  /** The others: {@code EnginesTest}, {@code FtiRulesTest}, {@code ScrConfigTest}, {@code MessageStoresTest}. */
  @Test
  void valuesAreJudgedAsByTheClasses() {
    for (JobConfig setting : List.of(JobConfig.REFILL, JobConfig.CHECK, JobConfig.MEMORY_HOLDER, JobConfig.LEAKS,
        JobConfig.SPAWNED, JobConfig.FAULT_TOLERANCE)) {
      SettingSamples.judge(setting, setting::booleanValue);
    }
    for (Setting setting : List.of(JobConfig.SPARES, JobConfig.RESTARTS, JobConfig.INIT_TIMEOUT_SECONDS,
        JobConfig.FINALIZE_TIMEOUT_SECONDS, JobConfig.RECOVERY_TIMEOUT_SECONDS, JobConfig.STAGING_BYTES, JobConfig.STARTED,
        ReinitConfig.SPARE_POLL_MICROS)) {
      SettingSamples.judge(setting, setting::longValue);
    }
    SettingSamples.judge(JobConfig.FLAVOUR, () -> requireFlavour(JobConfig.FLAVOUR.value()));
    SettingSamples.judge(ReinitConfig.POLICY, Reinit.Options::new);
    for (Setting free : List.of(JobConfig.MPI_HOME, JobConfig.JOB_DIR, JobConfig.JOB_NAME, JobConfig.LAUNCHER_ADDRESS,
        CheckpointConfig.DIR, CheckpointConfig.LOCAL_DIR, PersistConfig.DIR, PersistConfig.URL, PersistConfig.DOMAIN)) {
      SettingSamples.judge(free, free::value);
    }
  }

  /** As {@link Flavour#current}, which remembers its answer; empty: that of the MPI. */
  private static void requireFlavour(String word) {
    if (!word.isEmpty() && Stream.of(Flavour.values()).noneMatch(flavour -> flavour.toString().equals(word))) {
      throw new IllegalArgumentException(word);
    }
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
