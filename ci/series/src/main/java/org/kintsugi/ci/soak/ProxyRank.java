// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.kintsugi.test.RankJob;

/** A rank of a proxy application in a {@link RankJob}, whose result is the job's report. */
public final class ProxyRank {
  private static final String JSON = "json";

  private ProxyRank() {}

  /** Arguments: the folder for reports, the application, and its own. */
  public static void main(String[] args) {
    List<String> line = new ArrayList<>(Arrays.asList(args).subList(2, args.length));
    line.addAll(List.of("--json", args[0] + "/report-" + JSON));
    SoakedApp.valueOf(args[1].toUpperCase(Locale.ROOT)).main().accept(line.toArray(new String[0]));
  }

  /** Runs an application by its name. */
  public static RankJob.Outcome run(RankJob job, String app, String... arguments) {
    return job.compiledAsForUsers().run(ProxyRank.class,
        Stream.concat(Stream.of(app), Stream.of(arguments)).toArray(String[]::new));
  }

  /** The result of a job that has ended well; null: there is none. */
  public static JsonNode result(RankJob.Outcome outcome) throws IOException {
    String json = outcome.exitCode() == 0 ? outcome.reports().get(JSON) : null;
    return json == null ? null : new ObjectMapper().readTree(json);
  }
}
