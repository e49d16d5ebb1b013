// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.control;

import java.io.PrintStream;
import java.util.Collection;
import java.util.OptionalInt;
import org.kintsugi.launch.internal.check.CheckedCalls;
import org.kintsugi.launch.internal.check.MessageBalance;
import org.kintsugi.launch.internal.connections.WatchedRank;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.protocol.CollectiveCall;
import org.kintsugi.runtime.internal.protocol.FromLauncher;
import org.kintsugi.runtime.internal.protocol.FromProcess;

/** Handles the reports of calls and messages under {@code jmpirun --check}: prints differences, and ends the job. */
final class JobChecks {

  private final PrintStream messages;
  private final CheckedCalls calls = new CheckedCalls();
  private final MessageBalance checkedMessages = new MessageBalance(CollectiveCall.JOB);
  private boolean isChecked;
  private boolean isEnding;
  private long endNanos;

  /**
   * The checks of a job.
   *
   * @param messages the stream for the user
   */
  JobChecks(PrintStream messages) {
    this.messages = messages;
  }

  /**
   * Handles a line of a process.
   *
   * @return whether it was about calls or messages
   */
  boolean hear(WatchedRank rank, FromProcess line, long now) {
    if (line instanceof FromProcess.Call call) {
      isChecked = true;
      calls.hear(call.call(), call.number(), number -> rank.say(new FromLauncher.Go(number)), rank, now);
    } else if (line instanceof FromProcess.Member member) {
      calls.addMember(member.member(), rank);
    } else if (line instanceof FromProcess.Fault fault) {
      calls.abandon(fault.comm());
    } else if (line instanceof FromProcess.Messages count) {
      checkedMessages.hear(count.count());
    } else if (line instanceof FromProcess.MessagesEnd end) {
      String wrong = checkedMessages.ends(end.comm(), end.rank(), end.size());
      if (wrong != null) {
        messages.println("jmpirun: messages that do not meet what they are for (--check):\n  " + wrong);
      }
    } else {
      return false;
    }
    return true;
  }

  /** A process has died. */
  void processFailed(long now, Collection<WatchedRank> ranks) {
    if (!isEnding) { // otherwise the process has printed its exception, and the others do not move
      print(calls.processFailed(now), now, ranks);
    }
    checkedMessages.processFailed();
  }

  /**
   * Ends a checked job that stalls with ranks at their end.
   *
   * <p>Others wait in MPI. Under {@code --check} ranks at their end wait for the launcher and not
   * inside MPI, so that they can still print the exception that has led them there.
   *
   * @return whether the job is checked
   */
  boolean endsStalled(long now, Collection<WatchedRank> ranks) {
    if (isChecked && !isEnding) {
      announceEnd(now, ranks);
    }
    return isChecked;
  }

  /** Whether the job is about to be ended. A message to the user has said so. */
  boolean isEnding() {
    return isEnding;
  }

  private void print(String table, long now, Collection<WatchedRank> ranks) {
    if (table != null) {
      messages.println("jmpirun: " + table);
      announceEnd(now, ranks);
    }
  }

  private void announceEnd(long now, Collection<WatchedRank> ranks) {
    isEnding = true;
    endNanos = now;
    ranks.forEach(rank -> rank.say(new FromLauncher.Different()));
  }

  /** Whether {@link #look} has something to do soon. */
  boolean isUrgent() {
    return calls.isDifferent() || isEnding;
  }

  /**
   * Reports a difference once, to the user and to all processes. To be called only while the job has not ended.
   *
   * @return the code with which the job must end now; empty: it may go on
   */
  OptionalInt look(long now, Collection<WatchedRank> ranks) {
    print(isEnding ? null : calls.verdict(now), now, ranks);
    if (!isEnding || now - endNanos < TimeLimits.nanos(TimeLimits.CHECK_LAST_WORDS_MILLIS)) {
      return OptionalInt.empty();
    }
    messages.println("jmpirun: the job is ended (--check). " + Installation.page("my-program-hangs.md") + " says what to do");
    return OptionalInt.of(ExitCodes.DIFFERENT_CALLS);
  }
}
