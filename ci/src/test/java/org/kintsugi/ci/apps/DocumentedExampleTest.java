// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.JobSpec;
import org.kintsugi.runtime.MpiHome;

/** The example on the package page of org.kintsugi.reinit, as it stands there: compiled, run, one rank killed. */
@Tag("flavours")
class DocumentedExampleTest {
  private static final Path PAGE = Path.of("../java-api/src/main/java/org/kintsugi/reinit/package-info.java");
  private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\\R(.*?)\\R \\* }</pre>", Pattern.DOTALL);
  private static final int RANKS = 3;

  private static String example() throws IOException {
    Matcher example = EXAMPLE.matcher(Files.readString(PAGE));
    assertThat(example.find()).as("an example in %s", PAGE).isTrue();
    return example.group(1).replaceAll("(?m)^ \\* ?", "");
  }

  private static void compile(Path folder) throws IOException {
    Path source = Files.writeString(folder.resolve("Example.java"), "import org.kintsugi.mpi.*;\nimport org.kintsugi.reinit.*;\n"
        + "public class Example {\n  public static void main(String[] args) {\n" + example() + "\n  }\n}\n");
    int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none",
        "-cp", System.getProperty("java.class.path"), "-d", folder.toString(), source.toString());
    assertThat(code).as("the example compiles").isZero();
  }

  private static String run(Path folder, String... kills) throws IOException {
    String classPath = System.getProperty("java.class.path") + ":" + folder;
    JobSpec spec = new JobSpec().ranks(RANKS).spares(1).javaArguments(new ArrayList<>(List.of("-cp", classPath, "Example")));
    List.of(kills).forEach(spec::kill);
    Path output = folder.resolve("output");
    int code = new Job(spec, MpiHome.find(null, System.getenv())).timeoutSeconds(60).outputTo(output).run();
    assertThat(code).as(Files.readString(output)).isZero();
    return Files.readString(output);
  }

  @Test
  void givesTheSameWithAndWithoutADeath(@TempDir Path folder) throws IOException {
    compile(folder);
    String expected = "sum " + RANKS * 4950.0;
    assertThat(run(folder)).contains(expected);
    assertThat(run(folder, "process:1@55")).contains(expected);
  }
}
