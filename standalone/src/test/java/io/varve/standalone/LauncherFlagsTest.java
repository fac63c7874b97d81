package io.varve.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The flags with which the launcher starts a JVM. A copy of the launcher beside an empty
 * distribution runs a {@code java} that prints its arguments.
 */
@Timeout(120)
class LauncherFlagsTest {

  private static final String SMALL_HEAP = "-Xms64m";
  private static final String SMALL_UNTIL_BUSY = "-XX:GCTimeRatio=19";

  @TempDir private Path root;

  @BeforeEach
  void makeDistributionAndJdk() throws IOException {
    Files.copy(Modules.ROOT.resolve("varve"), root.resolve("varve"));
    Files.copy(Modules.ROOT.resolve("jvm.options"), root.resolve("jvm.options"));
    for (String module : List.of("standalone", "load-tests", "testing/conformance")) {
      Files.createDirectories(root.resolve(module + "/target/dist/lib"));
    }
    Files.createDirectories(root.resolve("target"));
    Files.createFile(root.resolve("target/launcher-build.stamp"));
    Files.createFile(root.resolve("target/varve.aot"));
    Files.createDirectories(root.resolve("jdk/bin"));
    Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"25.0.3\"\n");
    program("jdk/bin/javac", "");
    program("jdk/bin/java", "for argument; do printf '%s\\n' \"$argument\"; done\n");
  }

  private void program(String name, String body) throws IOException {
    Path file = Files.writeString(root.resolve(name), "#!/bin/sh\n" + body);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private List<String> flags(String command, String more) throws Exception {
    ProcessBuilder launcher =
        new ProcessBuilder("sh", root.resolve("varve").toString(), command)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    launcher
        .environment()
        .putAll(Map.of("VARVE_JAVA_HOME", root + "/jdk", "VARVE_JAVA_OPTS", more));
    Process process = launcher.start();
    List<String> flags =
        new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(process.waitFor()).isZero();
    return flags;
  }

  @ParameterizedTest
  @ValueSource(strings = {"up", "demo"})
  void theRecordedStartIsUsed(String command) throws Exception {
    assertThat(flags(command, ""))
        .contains("-XX:AOTCache=" + root.toRealPath().resolve("target/varve.aot"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cluster", "status", "tail"})
  void otherProcessesHaveTheUsualHeap(String command) throws Exception {
    assertThat(flags(command, "")).doesNotContain(SMALL_HEAP, SMALL_UNTIL_BUSY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"up", "demo"})
  void theHeapIsSmallUntilItIsNeeded(String command) throws Exception {
    assertThat(flags(command, "")).contains(SMALL_HEAP, SMALL_UNTIL_BUSY);
  }

  @Test
  void flagsOfTheUserAreTheLastOnes() throws Exception {
    List<String> flags = flags("up", "-Xms1g -Xmx2g -XX:GCTimeRatio=99 -XX:MetaspaceSize=32m");

    assertThat(flags)
        .containsSubsequence(SMALL_HEAP, "-Xms1g")
        .containsSubsequence(SMALL_UNTIL_BUSY, "-XX:GCTimeRatio=99")
        .containsSubsequence(
            flags.stream().filter(flag -> flag.startsWith("-Xmx")).findFirst().orElseThrow(),
            "-Xmx2g")
        .containsSubsequence("@" + root.toRealPath() + "/jvm.options", "-XX:MetaspaceSize=32m");
  }
}
