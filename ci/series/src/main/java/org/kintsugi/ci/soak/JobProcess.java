// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.Comparator;
import java.util.List;
import org.kintsugi.ci.ranks.ProcFiles;

/** A descendant of this process, as {@code /proc} shows it. */
public record JobProcess(long pid, String name, long startTicks) {
  // Fields of /proc/PID/stat, counted from the first one after the name; see proc(5).
  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;
  private static final int START_TICKS = 19;

  /** All that have this name and live, the longest-lived first. */
  public static List<JobProcess> named(String name) {
    return ProcessHandle.current().descendants().map(ProcessHandle::pid).map(JobProcess::of)
        .filter(process -> process.name.equals(name)).sorted(Comparator.comparingLong(JobProcess::startTicks)).toList();
  }

  private static JobProcess of(long pid) {
    String stat = ProcFiles.read(pid, "stat");
    if (stat.isEmpty() || stat.charAt(behindName(stat)) == 'Z') {
      return new JobProcess(pid, "", 0);
    }
    String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    return new JobProcess(pid, name, Long.parseLong(fields(stat)[START_TICKS]));
  }

  /** The processor time that it has used; 0 if it is gone. */
  long ticks() {
    String stat = ProcFiles.read(pid, "stat");
    return stat.isEmpty() ? 0 : Long.parseLong(fields(stat)[USER_TICKS]) + Long.parseLong(fields(stat)[SYSTEM_TICKS]);
  }

  /** A number of /proc/PID/status, such as {@code VmRSS} in KiB; 0 if it is gone. */
  public long status(String field) {
    return ProcFiles.status(pid, field);
  }

  /** The number of its open files; 0 if it is gone. */
  long files() {
    return ProcFiles.openFiles(pid);
  }

  private static int behindName(String stat) {
    return stat.lastIndexOf(')') + 2;
  }

  private static String[] fields(String stat) {
    return stat.substring(behindName(stat)).split(" ");
  }
}
