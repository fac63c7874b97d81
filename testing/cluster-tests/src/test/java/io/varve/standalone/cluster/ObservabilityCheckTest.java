package io.varve.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.varve.standalone.ChildJvm;
import io.varve.standalone.security.SecurityTool;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code observability/check} on a cluster and its follower: every panel shows something, every
 * rule names what exists, and alerts that are provoked fire and end.
 */
@Tag("system")
@Tag("nightly")
class ObservabilityCheckTest {

  private static final Path CHECK =
      Path.of(System.getProperty("basedir", "."), "..", "..", "observability", "check")
          .toAbsolutePath()
          .normalize();

  private static final long MINUTES = 30;

  @TempDir private Path folder;

  @Test
  void everyPanelHasDataAndProvokedAlertsFireAndEnd() throws Exception {
    check();
  }

  @Test
  void everyPanelHasDataWithSecurityToo() throws Exception {
    check("--secured", "--security-tool", command(SecurityTool.class));
  }

  private void check(String... options) throws Exception {
    for (String program : List.of("python3", "prometheus", "promtool")) {
      assumeTrue(isOnPath(program), program + " is not on the PATH");
    }
    Path output = folder.resolve("check.log");
    List<String> command = new ArrayList<>();
    command.addAll(List.of(CHECK.toString(), "--launcher", command(LocalCluster.class)));
    command.addAll(List.of(options));
    Process check =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(check.waitFor(MINUTES, TimeUnit.MINUTES)).as("ends; %s", read(output)).isTrue();

      String log = read(output);
      assertThat(check.exitValue()).as(log).isZero();
      for (String alerts :
          List.of(
              "VarveCopyLagging, VarveProcessDown",
              "VarveWritesRejected",
              "VarveFollowerStopped",
              "VarveSeedBreakerOpen")) {
        assertThat(log).contains("check: " + alerts + ": fired and ended");
      }
    } finally {
      check.descendants().forEach(ProcessHandle::destroyForcibly);
      check.destroyForcibly().waitFor();
    }
  }

  /** The command that runs this class, quoted for a shell. */
  private static String command(Class<?> main) {
    return ChildJvm.command(main.getName()).stream()
        .map(word -> "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }

  private static boolean isOnPath(String program) {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getenv().getOrDefault("PATH", ""))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static String read(Path file) throws Exception {
    return new String(Files.readAllBytes(file), UTF_8);
  }
}
