// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.kintsugi.runtime.internal.protocol.RankPlace.Doing;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/** All lines of the protocol, there and back; and lines that are refused. */
class LinesTest {
  private static final String DIGITS_32 = "0123456789abcdef".repeat(2);
  private static final String DIGITS_64 = DIGITS_32.repeat(2);
  private static final RankPlace PLACE =
      new RankPlace(-1, Phase.BODY, Doing.WAITS, 61_000, "MPI_Bcast", "Comm.bcast on the run's world", "", "Main.java:31 step()");
  private static final CollectiveCall CALL = new CollectiveCall("job", "mpi.world()", 1, 4, "MPI_Bcast", "Comm.bcast",
      "Main.java:3 main()", "0", "", "4 doubles", "d4", "", "1,2");

  private static final List<FromProcess> FROM_PROCESS = List.of(
      new FromProcess.Introduction(4711, "host-1.example", 3, "prterun-host-1-4710@1", 0),
      new FromProcess.Introduction(1, "?", -1, "-", Integer.MAX_VALUE), new FromProcess.Stacks(),
      new FromProcess.Here(7, PLACE), new FromProcess.Here(Long.MAX_VALUE, PLACE.afterMillis(0)),
      new FromProcess.Limit("no progress  for 10 s, in \u00fcber \u4e2d"), new FromProcess.Limit(""), new FromProcess.Left(),
      new FromProcess.Ends(), new FromProcess.Alive(), new FromProcess.Call(0, CALL), new FromProcess.Call(9, CALL),
      new FromProcess.Member(new CommMember("job/1", 0, 2, "mpi.world()", 3)), new FromProcess.Fault("job/1 2"),
      new FromProcess.Messages(new MessageCount("job", "job/1", "mine", 0, 1, true, -7, "double", "Comm.send Main.java:3", 12)),
      new FromProcess.MessagesEnd(3, 4, "job"), new FromProcess.Keep(0), new FromProcess.Keep(Line.MOST_PROCESSES),
      new FromProcess.Unable(2, "no such host"), new FromProcess.Ready(), new FromProcess.Living(3), new FromProcess.Need(2),
      new FromProcess.Joined(), new FromProcess.ProcessFailed("job@1", 2));

  private static final List<FromLauncher> FROM_LAUNCHER = List.of(new FromLauncher.Still(1), new FromLauncher.Where(2),
      new FromLauncher.Reported(), new FromLauncher.Ends(), new FromLauncher.Alive(), new FromLauncher.Go(3),
      new FromLauncher.Different(), new FromLauncher.EndAnnounced(), new FromLauncher.Start(1, "", false),
      new FromLauncher.Start(2, "b", false), new FromLauncher.Start(3, "b", true), new FromLauncher.Called("kintsugi-key-1"),
      new FromLauncher.None(),
      new FromLauncher.Come("kintsugi-key-1"), new FromLauncher.Prefetch("job@1", 2), new FromLauncher.Gone("kintsugi-key-1"),
      new FromLauncher.ProcessFailed("job@1", 2), new FromLauncher.Forget("job@2"), new FromLauncher.Over());

  private static final List<OutputLine> OUTPUT =
      List.of(new OutputLine.End(0), new OutputLine.End(255), new OutputLine.RollBack());

  private static <T extends Line> void comeBack(List<T> lines, Function<String, ? extends Line> parse, Class<T> all) {
    for (T line : lines) {
      assertThat(parse.apply(line.toLine())).isEqualTo(line);
    }
    assertThat(lines.stream().map(Object::getClass).collect(Collectors.toSet())).as("each kind of line is tried")
        .isEqualTo(Set.of(all.getPermittedSubclasses()));
  }

  @Test
  void allLinesComeBackAsTheyWere() {
    comeBack(FROM_PROCESS, FromProcess::parse, FromProcess.class);
    comeBack(FROM_LAUNCHER, FromLauncher::parse, FromLauncher.class);
    comeBack(OUTPUT, OutputLine::parse, OutputLine.class);
    HandshakeLine.Hello hello = new HandshakeLine.Hello(HandshakeLine.VERSION, DIGITS_32);
    assertThat(HandshakeLine.Hello.parse(hello.toLine())).isEqualTo(hello);
    HandshakeLine.LauncherProof launcher = new HandshakeLine.LauncherProof(DIGITS_32, DIGITS_64);
    assertThat(HandshakeLine.LauncherProof.parse(launcher.toLine())).isEqualTo(launcher);
    HandshakeLine.ClientProof client = new HandshakeLine.ClientProof(DIGITS_64, "process 1 host 0 job 0");
    assertThat(HandshakeLine.ClientProof.parse(client.toLine())).isEqualTo(client);
  }

  /** Both sides tell lines apart by their first word only. */
  @Test
  void eachKindHasAWordOfItsOwn() {
    for (List<? extends Line> side : List.of(FROM_PROCESS, FROM_LAUNCHER)) {
      List<String> words = side.stream().collect(Collectors.toMap(Object::getClass, line -> line.toLine().split(" ")[0],
          (one, other) -> one)).values().stream().toList();
      assertThat(words).doesNotHaveDuplicates();
    }
  }

  /** What the program names, and what exceptions say, may have any character. */
  @Test
  void textsOfTheProgramAreSentWithoutControlCharacters() {
    String text = "red \u001b[31m\u0007\u202e";
    for (FromProcess line : List.of(new FromProcess.Limit(text), new FromProcess.Unable(1, text), new FromProcess.Fault(text),
        new FromProcess.Here(1, new RankPlace(0, Phase.BODY, Doing.WAITS, 1, "", text, "", "")),
        new FromProcess.MessagesEnd(0, 1, text), new FromProcess.Member(new CommMember(text, 0, 1, text, 0)))) {
      assertThat(line.toLine()).contains("red ?[31m??").isEqualTo(FromProcess.parse(line.toLine()).toLine());
    }
  }

  /** The peer is another program, or the same on another Java: the text is not refused, but it is not printed as it is. */
  @Test
  void textsOfAPeerAreParsedWithoutControlCharacters() {
    assertThat(FromProcess.parse("limit a\u001b[2Jb\u202e\r")).isEqualTo(new FromProcess.Limit("a?[2Jb??"));
    RankPlace place = new RankPlace(0, Phase.BODY, Doing.WAITS, 1, "", "x\u0007", "", "");
    assertThat(FromProcess.parse("here 1 " + place.toLine())).extracting(line -> ((FromProcess.Here) line).place().call())
        .isEqualTo("x?");
  }

  @Test
  void otherLinesAreRefused() {
    List<String> lines = new ArrayList<>(List.of("", " ", "unknown", "unknown 1", "left 1", "left ", "ready now", "need", "need ",
        "need 1 2", "need  1", "need x", "need +1", "need -1", "need 16777217", "need 99999999999999999999", "living 1.0",
        "keep 0x1", "process 1 host 0 job", "process 1 host 0 job 0 0", "process 1  0 job 0", "process -1 host 0 job 0",
        "process 1 host -2 job 0", "process 1 ho\tst 0 job 0", "here 1", "here 1 ", "here 1 0\tBODY", "here -1 " + PLACE.toLine(),
        "here 1 " + PLACE.toLine().replace("BODY", "NOWHERE"), "here 1 " + PLACE.toLine().replace("61000", "-1"),
        "here 1 " + PLACE.toLine().replaceFirst("-1", "-2"), "dead job", "dead job -1", "dead a b 1", "call 1", "call x y",
        "member x", "messages x", "messages-end 1 2", "unable 1", "still 1", "come x",
        "left\n", "need \u001b1", "dead \u202e 1", "dead " + "x".repeat(Line.LONGEST_NAME + 1) + " 1"));
    for (String line : lines) {
      assertThatIllegalArgumentException().as(line).isThrownBy(() -> FromProcess.parse(line));
    }
    for (String line : List.of("", "unknown", "still", "still x", "still -1", "where 1 2", "start", "start 0", "start 1 a b",
        "start 1 ", "start 1 +", "called", "called ", "called a b", "come \u0007", "prefetch job", "prefetch job -2",
        "died job x",
        "forget ", "forget a b", "over now", "need 1", "gone " + "x".repeat(Line.LONGEST_OF_LAUNCHER))) {
      assertThatIllegalArgumentException().as(line).isThrownBy(() -> FromLauncher.parse(line));
    }
    for (String line : List.of("", "end", "end x", "end 256", "end -1", "end 1 2", "roll-back now", "left")) {
      assertThatIllegalArgumentException().as(line).isThrownBy(() -> OutputLine.parse(line));
    }
    for (String line : List.of("hello", "hello " + DIGITS_32, "hello 0 " + DIGITS_32, "hello 10000 " + DIGITS_32,
        "hello 1 " + DIGITS_32 + "0", "hello 1 " + DIGITS_32.replace('a', 'g'), "hello 1 " + DIGITS_32 + " 1",
        "hello 1 " + "0".repeat(Line.LONGEST_OF_STRANGER))) {
      assertThatIllegalArgumentException().as(line).isThrownBy(() -> HandshakeLine.Hello.parse(line));
    }
  }

  @Test
  void namesThatWouldChangeALineCannotBeMade() {
    for (String name : List.of("", "a b", "a\tb", "a\nb", "\u001b", "x".repeat(Line.LONGEST_NAME + 1))) {
      Stream.<Runnable>of(() -> new FromLauncher.Come(name), () -> new FromLauncher.ProcessFailed(name, 1),
          () -> new FromLauncher.Start(1, name.isEmpty() ? " " : name, false), () -> new FromLauncher.Start(1, name, true),
          () -> new FromProcess.ProcessFailed(name, 1), () -> new FromProcess.Introduction(1, name, 1, "job", 0))
          .forEach(make -> assertThatIllegalArgumentException().isThrownBy(make::run));
    }
  }
}
