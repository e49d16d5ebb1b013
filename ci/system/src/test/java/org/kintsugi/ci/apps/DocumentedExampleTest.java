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
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.runtime.MpiHome;

/** The examples of the README and of package pages, compiled and run with a kill. */
@Tag("once") // what a page says is the same for both
class DocumentedExampleTest {
  private static final Path README = Checkout.FOLDER.resolve("README.md");
  private static final Path API = Checkout.FOLDER.resolve("java-api/src/main/java/org/kintsugi");
  private static final Path TEST = Checkout.FOLDER.resolve("test-kit/src/main/java/org/kintsugi/test");
  private static final Pattern IN_MARKDOWN = Pattern.compile("```java\\R(.*?)\\R```", Pattern.DOTALL);
  private static final Pattern IN_JAVADOC = Pattern.compile("<pre>\\{@code\\R(.*?)\\R \\* }</pre>", Pattern.DOTALL);
  private static final String IMPORTS = "import java.util.*;\nimport java.util.stream.*;\n"
      + "import org.kintsugi.bindings.SCR;\nimport org.kintsugi.checkpoint.*;\nimport org.kintsugi.checkpoint.engine.*;\n"
      + "import org.kintsugi.checkpoint.scr.*;\nimport org.kintsugi.inject.*;\nimport org.kintsugi.mpi.*;\n"
      + "import org.kintsugi.persist.*;\nimport org.kintsugi.reinit.*;\nimport org.kintsugi.runtime.*;\n"
      + "import org.kintsugi.test.*;\nimport org.kintsugi.test.cluster.*;\n"
      + "import static org.junit.jupiter.api.Assertions.*;\n";
  private static final String MAIN = "public static void main(String[] args) ";
  private static final int RANKS = 3;
  private static final long SUM = 4950; // of the numbers up to 99

  @TempDir
  private Path folder;

  private int spares = 1;

  /** The first one on a page. */
  private static String example(Path page, Pattern pattern) throws IOException {
    Matcher example = pattern.matcher(Files.readString(page));
    assertThat(example.find()).as("an example in %s", page).isTrue();
    return example.group(1).replaceAll("(?m)^ \\* ?", "");
  }

  private void compile(String members) throws IOException {
    Path source = Files.writeString(folder.resolve("Example.java"), IMPORTS + "public class Example {\n" + members + "\n}\n");
    int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none",
        "-cp", System.getProperty("java.class.path"), "-d", folder.toString(), source.toString());
    assertThat(code).as("the example compiles").isZero();
  }

  private String run(String... kills) throws IOException {
    String classPath = System.getProperty("java.class.path") + ":" + folder;
    JobSpec spec = new JobSpec().ranks(RANKS).spares(spares).javaArguments(new ArrayList<>(List.of("-cp", classPath,
        "-Dkintsugi.persist.dir=" + folder.resolve("persist"), "Example")));
    List.of(kills).forEach(spec::kill);
    Path output = folder.resolve("output");
    int code = new Job(spec, MpiHome.find(null, System.getenv())).timeoutSeconds(60).outputTo(output).run();
    assertThat(code).as(Files.readString(output)).isZero();
    return Files.readString(output);
  }

  private void assertSumWithAndWithoutAFailure(String sum) throws IOException {
    assertThat(run()).contains(sum);
    assertThat(run("process:1@55")).contains(sum);
  }

  @Tag("flavours")
  @Test
  void thePageOfReinit() throws IOException {
    compile(MAIN + "{\n" + example(API.resolve("reinit/package-info.java"), IN_JAVADOC) + "\n}");
    assertSumWithAndWithoutAFailure("sum " + (double) (RANKS * SUM));
  }

  @Test
  void thePageOfMpi() throws IOException {
    compile(MAIN + "{\n" + example(API.resolve("mpi/package-info.java"), IN_JAVADOC) + "\n}");
    spares = 0; // they would be in the job's world
    assertThat(run()).contains("sum " + (double) (RANKS * (RANKS - 1) / 2));
  }

  @Test
  void thePageOfCheckpoint() throws IOException {
    compile(MAIN + "{\n" + example(API.resolve("checkpoint/package-info.java"), IN_JAVADOC) + "\n}");
    assertSumWithAndWithoutAFailure("sum " + RANKS * SUM);
  }

  @Test
  void theReadme() throws IOException {
    compile(example(README, IN_MARKDOWN));
    assertSumWithAndWithoutAFailure("sum " + (double) (RANKS * SUM));
  }

  @Test
  void thePageOfPersist() throws IOException {
    compile(MAIN + "{\n" + example(API.resolve("persist/package-info.java"), IN_JAVADOC) + "\n}");
    assertThat(run("process:1@55")).as("who has stored more goes back with the others").contains("100 iterations");
  }

  /** Fragments, for programs that bring their own engine, call SCR themselves, or have no Reinit run. */
  @Test
  void thePagesForSpecialPrograms() throws IOException {
    compile(example(API.resolve("checkpoint/engine/package-info.java"), IN_JAVADOC)
        + "\nstatic class ObjectStore { static Engine engine(String node) { return null; } }\n"
        + "static void scr(Comm world) {\n" + example(API.resolve("checkpoint/scr/package-info.java"), IN_JAVADOC) + "\n}\n"
        + "static void step(long i) {}\nstatic void inject(Comm world, int failures, long first, long last) {\n"
        + example(API.resolve("inject/package-info.java"), IN_JAVADOC) + "\n}");
  }

  /** The examples of the pages for tests; they run in TestingPageTest, from the manual. */
  @Test
  void thePagesOfTest() throws IOException {
    compile("static " + example(TEST.resolve("package-info.java"), IN_JAVADOC) + "\nstatic class Program {}\n"
        + "static void nodes() throws Exception {\n" + example(TEST.resolve("cluster/package-info.java"), IN_JAVADOC) + "\n}");
  }
}
