// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;

/** Code that is marked with {@link InRecovery} has no invokedynamic, no stream and no format. */
class RecoveryCodeTest {
  private static final String MARKED = """
      package org.kintsugi.wrong;
      import org.kintsugi.runtime.internal.InRecovery;
      class Wrong {
        record Pair(int one, int two) {}
        interface Step { @InRecovery void take(Object with); }
        static final class Taken implements Step {
          @Override public void take(Object with) { helper(with); }
          private void helper(Object with) { %s; }
        }
        void notMarked(Object with) { Runnable task = () -> {}; task.run(); }
      }
      """;

  @TempDir
  Path folder;

  @Test
  void theProductKeepsToIt() throws IOException, URISyntaxException {
    List<Path> folders = new ArrayList<>();
    for (Class<?> one : List.of(Mpi.class, JobConfig.class, MPI.class)) {
      folders.add(Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
    RecoveryCode code = new RecoveryCode(folders);
    assertThat(code.findings()).isEmpty();
    // Without marks nothing would be found. The last one overrides a marked method.
    assertThat(code.marked()).contains("org.kintsugi.reinit.ReinitPoint.enter", "org.kintsugi.reinit.UlfmProvider.meet",
        "org.kintsugi.reinit.ReinitPlusPlusProvider.meet", "org.kintsugi.mpi.internal.lifetime.Scope.failure",
        "org.kintsugi.checkpoint.internal.LevelsEngine.bind");
  }

  /** Each kind is found in a helper of a method that overrides a marked one; and nothing else in the same file. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "Runnable task = () -> {}; task.run()                  | a lambda or a method reference",
      "Runnable task = with::hashCode; task.run()            | a lambda or a method reference",
      "System.err.println(\"at \" + with)                    | a concatenation of strings",
      "new Pair(1, 2).toString()                             | a method that javac makes for a record",
      "new Pair(1, 2).equals(with)                           | a method that javac makes for a record",
      "java.util.List.of(with).stream()                      | a stream",
      "java.util.stream.Stream.of(with)                      | a stream",
      "String.format(\"at %%s\", with)                       | a format",
  })
  void eachKindIsFound(String statement, String what) throws IOException {
    assertThat(findingsIn(statement)).hasSize(1).first().asString().startsWith("org.kintsugi.wrong.Wrong$Taken.helper has ")
        .contains(what);
  }

  @Test
  void ordinaryCodeIsNot() throws IOException {
    assertThat(findingsIn("System.err.println(with)")).isEmpty();
  }

  private List<String> findingsIn(String statement) throws IOException {
    Path source = Files.writeString(folder.resolve("Wrong.java"), String.format(MARKED, statement.replace("%%", "%")));
    String path = System.getProperty("java.class.path");
    int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp", path, "-d", folder.toString(),
        source.toString());
    assertThat(code).as("the compiler's exit code").isZero();
    return new RecoveryCode(List.of(folder)).findings();
  }
}
