// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.kintsugi.launch.internal.recording.JobLog;
import org.kintsugi.launch.internal.timeline.CommonClock.Correction;
import org.kintsugi.launch.internal.timeline.ProcessRecord.EpochMark;
import org.kintsugi.launch.internal.timeline.ProcessRecord.Step;
import org.kintsugi.launch.internal.timeline.RecordedJob.Loss;
import org.kintsugi.launch.internal.timeline.RecordedJob.Recovered;
import org.kintsugi.launch.spec.LaunchException;

/** The page of a recorded job: one file, without references to others. */
public final class JobTimeline {
  private static final String TEMPLATE = "page.html";
  /** What only the page's script needs. */
  private static final String FOR_THE_SCRIPT = " data-[a-z]+=\"-?\\d+\"";
  private static final double SECOND = 1e6;
  private static final long LEAST_AROUND_MICROS = 200;

  private final RecordedJob job;
  private final List<ProcessLine> lines = new ArrayList<>();

  JobTimeline(RecordedJob job) {
    this.job = job;
    job.processes().forEach(process -> lines.add(ProcessLine.of(process, job)));
  }

  /**
   * Writes the page of a recording.
   *
   * @param folder that jmpirun --record was given
   * @param page the file to write; with the ending .svg only one picture
   * @param epoch of the picture: the one of the recovery that led to it; 0: of the whole job
   * @throws LaunchException if the folder has no recording
   */
  public static void write(Path folder, Path page, int epoch) throws IOException {
    JobTimeline timeline = new JobTimeline(RecordedJob.read(folder));
    String content = page.toString().endsWith(".svg") ? timeline.picture(folder, epoch).replaceAll(FOR_THE_SCRIPT, "")
        : timeline.page();
    try {
      Files.writeString(page, content, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new LaunchException("the timeline of " + folder + " cannot be written to " + page + ": " + e + "; name another file "
          + "by --output", e);
    }
  }

  private String picture(Path folder, int epoch) {
    if (epoch == 0) {
      return overview();
    }
    return job.recoveries().stream().filter(one -> one.epoch() == epoch).map(this::picture).findFirst().orElseThrow(
        () -> new LaunchException("--epoch " + epoch + ": the recording in " + folder + " has no recovery to that epoch; it has "
            + count(job.recoveries().size(), "recovery")));
  }

  /** A recovery, and some time before and after it. */
  private String picture(Recovered recovery) {
    long around = Math.max((recovery.ended() - recovery.began()) / 4, LEAST_AROUND_MICROS);
    return new Drawing(job, lines, recovery.began() - around, recovery.ended() + around).draw();
  }

  String page() throws IOException {
    String command = job.logged(JobLog.Kind.BEGINS);
    return template().replace("@TITLE@", "A job of " + job.processes().size() + " processes")
        .replace("@COMMAND@", command == null ? "" : "<p><code>" + Drawing.escaped(command) + "</code></p>")
        .replace("@SUMMARY@", summary()).replace("@LEGEND@", legend()).replace("@OVERVIEW@", overview())
        .replace("@RECOVERIES@", recoveries()).replace("@CLOCKS@", clocks());
  }

  private static String template() throws IOException {
    try (InputStream template = JobTimeline.class.getResourceAsStream(TEMPLATE)) {
      return new String(Objects.requireNonNull(template, TEMPLATE).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String overview() {
    return new Drawing(job, lines, job.begin(), job.end()).draw();
  }

  private String summary() {
    StringBuilder text =
        new StringBuilder(String.format(Locale.ROOT, "<p>%.1f s, %d processes, ", (job.end() - job.begin()) / SECOND,
            job.processes().size()));
    text.append(job.losses().isEmpty() ? "no process failure" : count(job.losses().size(), "process failure")).append(", ")
        .append(job.recoveries().isEmpty() ? "no recovery" : count(job.recoveries().size(), "recovery")).append('.');
    String code = job.logged(JobLog.Kind.ENDS);
    text.append(code == null ? "" : " The job ended with code " + Drawing.escaped(code) + ".").append("</p>\n");
    if (!job.losses().isEmpty()) {
      text.append("<ul>\n");
      for (Loss loss : job.losses()) {
        text.append("<li>").append(text(loss)).append("</li>\n");
      }
      text.append("</ul>\n");
    }
    return text.toString();
  }

  private static String count(int number, String what) {
    return number + " " + (number == 1 ? what : what.equals("recovery") ? "recoveries" : what + "s");
  }

  private String text(Loss loss) {
    String who = loss.rank() < 0 ? "a spare" : "rank " + loss.rank();
    String text = String.format(Locale.ROOT, "At %.3f s %s (%s) fails", (loss.at() - job.begin()) / SECOND, who,
        loss.process().name());
    EpochMark next = loss.replacement() == null ? null : RecordedJob.markOf(loss.replacement(), loss.epoch() + 1);
    return Drawing
        .escaped(next == null ? text + "." : text + "; " + loss.replacement().name() + " continues as rank " + loss.rank()
            + " " + ProcessLine.millis(next.at() - loss.at()) + " later, in epoch " + next.epoch() + ".");
  }

  private static String legend() {
    StringBuilder legend = new StringBuilder("<ul class=\"legend\">\n");
    for (BarKind kind : BarKind.values()) {
      String colour = kind == BarKind.LOST ? "repeating-linear-gradient(45deg, #fff 0 4px, #8d96a3 4px 6px)"
          : kind == BarKind.STEP ? "linear-gradient(90deg, #f19a8e, #d2749a, #e2703a, #8e5bb5, #d65fa0, #c4616c)"
              : kind == BarKind.FAILED ? "repeating-linear-gradient(-45deg, #fff 0 4px, #d84b4b 4px 7px)" : kind.colour;
      legend.append("<li><span style=\"background: ").append(colour).append("\"></span>").append(kind.text).append("</li>\n");
    }
    return legend.append("</ul>\n").toString();
  }

  private String recoveries() {
    StringBuilder all = new StringBuilder();
    for (Recovered recovery : job.recoveries()) {
      all.append("<section>\n<h2>Recovery to epoch ").append(recovery.epoch()).append(": ").append(what(recovery))
          .append("</h2>\n").append(picture(recovery)).append(steps(recovery)).append("</section>\n");
    }
    return all.toString();
  }

  private static String what(Recovered recovery) {
    String who = recovery.failed().isEmpty() ? "a spare failed"
        : (recovery.failed().size() == 1 ? "rank " : "ranks ")
            + String.join(", ", recovery.failed().stream().map(String::valueOf).toList()) + " failed";
    return who + ", " + ProcessLine.millis(recovery.ended() - recovery.began());
  }

  /** The step of a recovery over all processes. */
  private static final class StepTimes {
    private long first = Long.MAX_VALUE;
    private long longest = -1;
    private long shortest = Long.MAX_VALUE;
    private String process;
    private int processes;

    private void add(long begin, long micros, String name) {
      processes++;
      first = Math.min(first, begin);
      shortest = Math.min(shortest, micros);
      if (micros > longest) {
        longest = micros;
        process = name;
      }
    }
  }

  private String steps(Recovered recovery) {
    Map<String, StepTimes> steps = new LinkedHashMap<>();
    for (ProcessRecord process : job.processes()) {
      EpochMark mark = RecordedJob.markOf(process, recovery.epoch());
      if (mark != null) {
        for (Step step : ProcessLine.stepsTo(process, mark)) {
          steps.computeIfAbsent(step.name(), name -> new StepTimes()).add(step.begin(), step.end() - step.begin(),
              (mark.rank() < 0 ? "spare" : "rank " + mark.rank()) + ", " + process.name());
        }
      }
    }
    StringBuilder table = new StringBuilder("<table>\n<tr><th>step</th><th>begins after the failure</th><th>longest</th>"
        + "<th>shortest</th><th>processes</th><th>longest in</th></tr>\n");
    steps.entrySet().stream().sorted(Comparator.comparingLong(entry -> entry.getValue().first)).forEach(entry -> {
      StepTimes times = entry.getValue();
      table.append("<tr><td><span style=\"background: ").append(StepColours.of(entry.getKey())).append("\"></span>")
          .append(Drawing.escaped(entry.getKey()));
      for (String cell : List.of(ProcessLine.millis(times.first - recovery.began()), ProcessLine.millis(times.longest),
          ProcessLine.millis(times.shortest), String.valueOf(times.processes), times.process)) {
        table.append("</td><td>").append(Drawing.escaped(cell));
      }
      table.append("</td></tr>\n");
    });
    return table.append("</table>\n").toString();
  }

  private String clocks() {
    StringBuilder text = new StringBuilder();
    job.corrections().forEach((process, correction) -> {
      if (correction.micros() != 0) {
        text.append("<li>").append(Drawing.escaped(process.name())).append(": moved by ")
            .append(signed(correction)).append("</li>\n");
      } else if (!correction.isKnown()) {
        text.append("<li>").append(Drawing.escaped(process.name()))
            .append(": has no step in common with the others, and its clock is taken as it is</li>\n");
      }
    });
    return text.isEmpty() ? "<p>The clocks of all processes agree: no clock was moved.</p>" : "<ul>\n" + text + "</ul>\n";
  }

  private static String signed(Correction correction) {
    return (correction.micros() < 0 ? "-" : "+") + ProcessLine.millis(Math.abs(correction.micros())) + " (possible: "
        + correction.least() / 1000.0 + " to " + correction.most() / 1000.0 + " ms)";
  }
}
