// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.pages;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The pages of known issues: what a user may meet, and why not a stock Open MPI. */
final class IssuePages {
  /** The tables of a page, in their order, with their headings. */
  static final Map<String, String> AREAS = new LinkedHashMap<>();

  static {
    AREAS.put("mpirun", "Under a plain mpirun");
    AREAS.put("start", "Starting a job");
    AREAS.put("end", "The end of a job");
    AREAS.put("recovery", "Recoveries and spares");
    AREAS.put("hosts", "Several hosts");
    AREAS.put("checkpoints", "Checkpoints and persistent communicators");
    AREAS.put("messages", "Messages and collectives");
    AREAS.put("communicators", "Communicators and spawned processes");
    AREAS.put("threads", "Threads and objects");
  }

  private final List<Issue> issues;

  private IssuePages(List<Issue> issues) {
    this.issues = issues;
  }

  /** The pages by their paths in a checkout. */
  static Map<String, String> of(Path checkout) throws IOException {
    IssuePages pages = new IssuePages(Issue.readAll(checkout.resolve("docs/issues")));
    return Map.of("docs/known-issues.md", pages.known(), "docs/stock-open-mpi.md", pages.stock());
  }

  private String known() {
    return KNOWN + tables("every", "###") + FORK + tables("fork", "###");
  }

  private String stock() {
    return STOCK + tables("stock", "##");
  }

  private String tables(String user, String heading) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> area : AREAS.entrySet()) {
      List<Issue> rows =
          issues.stream().filter(issue -> issue.who().contains(user) && issue.area().equals(area.getKey())).toList();
      if (!rows.isEmpty()) {
        // The fork's tables have names of their own, so that links lead to one table.
        text.append("\n").append(heading).append(' ').append(area.getValue()).append(user.equals("fork") ? ", on the fork" : "")
            .append("\n\n| what you see | what to do | more |\n|---|---|---|\n");
        rows.forEach(issue -> text.append(row(issue)));
      }
    }
    return text.toString();
  }

  private static String row(Issue issue) {
    return "| " + cell(issue.symptom()) + " | " + cell(issue.remedy().isEmpty() ? "–" : issue.remedy()) + " | "
        + String.join("; ", more(issue)) + " |\n";
  }

  private static List<String> more(Issue issue) {
    List<String> more = new ArrayList<>();
    if (!issue.patches().isEmpty()) {
      more.add((issue.patches().size() == 1 ? "patch " : "patches ") + String.join(", ", issue.patches()));
    }
    issue.tests().forEach(test -> more.add("`" + test + "`"));
    issue.upstream().forEach(number -> more.add(
        "[" + number + "](https://github.com/" + number.replace("#", "/issues/") + ")"));
    if (!issue.since().isEmpty()) {
      more.add("since " + issue.since());
    }
    return more;
  }

  /** Without a line that ends a cell. */
  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static final String KNOWN =
      """
          <!-- Written by make pages, from docs/issues. -->

          # Known issues, and what to do

          This page has what you may meet with the Open MPI that Kintsugi builds (`kintsugi info` says "built by Kintsugi"),
          and with the Reinit++ fork. With another Open MPI you may also meet [what Kintsugi's patches fix](stock-open-mpi.md).
          How a rank may end, and what happens to the job then, is in [Recovery explained](recovery.md#how-a-rank-may-end).

          ## All flavours
          """;

  private static final String FORK =
      """

          ## Under the Reinit++ fork

          Found with commit 50b09466; [reinit-fork.md](reinit-fork.md) has the details.
          """;

  private static final String STOCK =
      """
          <!-- Written by make pages, from docs/issues. -->

          # Why not a stock Open MPI

          Kintsugi works with Open MPI 5.0 as others build it, but then you may meet what this page lists.

          **The remedy for every row is the Open MPI that Kintsugi builds**: Open MPI 5.0.7 with
          [patches](../native/openmpi/patches/README.md). `make setup` builds it, and so does `build-from-tarball.sh` of an
          installation ([install](install.md)); `kintsugi info` then says "built by Kintsugi", and no row of this page concerns
          you. The second column has what helps with another Open MPI; a dash means that nothing else does. The third column
          names the patch, the test that shows it, if there is one, and the first version that is known to have it.
          """;
}
