// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.scr.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.reinit.SettingSamples;

/** SCR's settings. */
@Isolated("sets properties")
class ScrConfigTest {
  @AfterEach
  void forget() {
    for (CheckpointConfig property : new CheckpointConfig[] {
        CheckpointConfig.SCR_TYPE, CheckpointConfig.SCR_FLUSH, CheckpointConfig.DIR, CheckpointConfig.LOCAL_DIR}) {
      System.clearProperty(property.property());
    }
  }

  private static ScrConfig config(String... environment) {
    System.setProperty(CheckpointConfig.DIR.property(), "/shared/job");
    System.setProperty(CheckpointConfig.LOCAL_DIR.property(), "/local/me");
    Map<String, String> variables = environment.length == 0 ? Map.of() : Map.of(environment[0], environment[1]);
    return ScrConfig.of(variables::get);
  }

  private static void assertRefused(String variable, String value, String rule) {
    assertThatThrownBy(() -> config(variable, value)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(variable).hasMessageContaining(value).hasMessageContaining(rule);
  }

  @Test
  void theDefaultsAreSafe() {
    Map<String, String> settings = config().settings();
    assertThat(settings).containsEntry("SCR_PREFIX", "/shared/job/scr").containsEntry("SCR_CACHE_BASE", "/local/me/scr/cache")
        .containsEntry("SCR_CNTL_BASE", "/local/me/scr/control").containsEntry("SCR_CACHE_SIZE", "2")
        .containsEntry("SCR_CACHE_BYPASS", "0").containsEntry("SCR_COPY_TYPE", "XOR").containsEntry("SCR_FLUSH", "0")
        .containsEntry("SCR_FLUSH_ASYNC", "0").containsEntry("SCR_HALT_EXIT", "0").containsKey("SCR_USER_NAME");
    assertThat(settings.get("SCR_JOB_ID")).matches("kintsugi-[0-9a-f]{16}").isEqualTo(config().settings().get("SCR_JOB_ID"));
    System.setProperty(CheckpointConfig.DIR.property(), "/shared/other");
    assertThat(ScrConfig.of(name -> null).settings().get("SCR_JOB_ID")).isNotEqualTo(settings.get("SCR_JOB_ID"));
  }

  @Test
  void whatTheUserHasSetStays() {
    assertThat(config("SCR_JOB_ID", "mine").settings()).containsEntry("SCR_JOB_ID", "mine");
    assertThat(config("SCR_COPY_TYPE", "partner").type()).isEqualTo("PARTNER");
    assertThat(config("SCR_CACHE_SIZE", "5").settings()).containsEntry("SCR_CACHE_SIZE", "5");
    assertThat(config("SCR_FLUSH", "3").settings()).containsEntry("SCR_FLUSH", "3");
    System.setProperty(CheckpointConfig.SCR_TYPE.property(), "rs");
    assertThat(config().type()).isEqualTo("RS");
  }

  @Test
  void whatWouldLoseVersionsIsRefused() {
    assertRefused("SCR_CACHE_SIZE", "1", "2 or greater");
    assertRefused("SCR_CACHE_BYPASS", "1", "has to be 0");
    assertRefused("SCR_ENABLE", "0", "has to be 1");
    assertRefused("SCR_PURGE", "1", "throws the cache away");
    assertRefused("SCR_FLUSH_ASYNC", "1", "threads");
    assertRefused("SCR_HALT_EXIT", "1", "ends the process");
    assertRefused("SCR_COPY_TYPE", "MIRROR", "SINGLE, PARTNER, XOR, RS");
    assertRefused("SCR_JOB_ID", "a/b", "letters");
    assertRefused("SCR_FLUSH", "often", "whole number");
    assertRefused("SCR_SET_FAILURES", "8", "larger than the number of failures");
    assertRefused("SCR_CACHE_BASE", "cache", "absolute");
    assertRefused("SCR_CACHE_BASE", "/with space", "white space");
    assertRefused("SCR_CACHE_BASE", "/shared/job/scr/cache", "must not be inside the other");
    assertRefused("SCR_PREFIX", "/" + "x".repeat(900), "at most 1024");
  }

  @Test
  void twoThingsAtOnceAreRefused() {
    System.setProperty(CheckpointConfig.SCR_TYPE.property(), "RS");
    assertRefused("SCR_COPY_TYPE", "XOR", "say one thing");
  }

  @Test
  void foldersThatJavaGivesOneHashCodeAreTwoJobs() {
    String[] jobs = {"/shared/Aa", "/shared/BB"};
    assertThat(jobs[0]).hasSameHashCodeAs(jobs[1]);
    for (int i = 0; i < jobs.length; i++) {
      System.setProperty(CheckpointConfig.DIR.property(), jobs[i]);
      jobs[i] = ScrConfig.of(name -> null).settings().get("SCR_JOB_ID");
    }
    assertThat(jobs[0]).isNotEqualTo(jobs[1]);
  }

  @Test
  void anotherFolderAtTheSamePathIsAnotherJob() {
    ScrConfig config = config();
    assertThat(config.ofFolder("0123456789abcdef").jobFolder()).isEqualTo(config.jobFolder() + "-0123456789abcdef");
    ScrConfig second = config.ofFolder("0123456789abcdef").ofRun(2);
    assertThat(second.jobFolder()).isEqualTo(config.jobFolder() + "-0123456789abcdef.run-2");
    assertThat(second.prefix()).isEqualTo(config.prefix().resolve("run-2"));
    assertThat(config("SCR_JOB_ID", "mine").ofFolder("0123456789abcdef").jobFolder()).endsWith("/scr.mine");
  }

  @Test
  void theLimitsOfTheRedundancyAreReported() {
    assertThat(config().limits(0, 1, 2, 3)).isNull();
    assertThat(config().limits(0, 0, 0)).contains("one node (3 ranks").contains("XOR");
    assertThat(config("SCR_COPY_TYPE", "SINGLE").limits(0, 1)).contains("one copy");
  }

  @Test
  void nodesHaveToBearTheRedundancy() {
    assertThat(config().refusal(0, 1, 2, 3)).isNull();
    assertThat(config().refusal(0, 0, 1, 1)).isNull();
    assertThat(config().refusal(0, 0, 0)).isNull();
    assertThat(config("SCR_COPY_TYPE", "SINGLE").refusal(0, 0, 1)).isNull();
    assertThat(config().refusal(0, 0, 1)).contains("a node with 2 ranks has a set of 1");
    assertThat(config("SCR_COPY_TYPE", "RS").refusal(0, 1, 2)).isNull();
    assertThat(config("SCR_COPY_TYPE", "RS").refusal(0, 1)).contains("SCR_SET_FAILURES + 1");
    assertThat(config("SCR_COPY_TYPE", "PARTNER").refusal(0, 0, 1, 1, 2)).isNull();
    assertThat(config("SCR_COPY_TYPE", "PARTNER").refusal(0, 0, 1, 2)).contains("a node with 2 ranks has a set of 1");
  }

  @Test
  void anEpochWithoutRedundancyHasTheOtherSettings() {
    assertThat(config().settingsForSingle()).containsEntry("SCR_COPY_TYPE", "SINGLE").containsEntry("SCR_CACHE_SIZE", "2");
  }

  @Test
  void theLauncherTakesTheSame() {
    SettingSamples.judge(CheckpointConfig.SCR_TYPE, ScrConfigTest::config);
    SettingSamples.judge(CheckpointConfig.SCR_FLUSH, ScrConfigTest::config);
  }
}
