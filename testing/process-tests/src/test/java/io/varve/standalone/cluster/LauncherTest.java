package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.varve.events.Json;
import io.varve.kafka.FreePorts;
import io.varve.standalone.ChildJvm;
import io.varve.standalone.DataLock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Runs {@link LocalCluster} as a process: when it ends, for whatever reason, its child processes
 * end too.
 */
@Tag("system")
class LauncherTest {

  private static final Duration ENDS_WITHIN = Duration.ofMinutes(2);

  @TempDir private Path folder;

  @Test
  void aProcessThatCannotStartEndsBothClustersAndTheLastLinesSayWhy() throws Exception {
    Process launcher =
        launch(
            folder,
            FreePorts.next(),
            "--follower",
            "--ccr-followers",
            "1",
            "--varve.leader.timeout-millis",
            "never");
    try {
      List<Long> children = children();
      assertThat(children).as("processes of both clusters").hasSize(8);

      assertThat(launcher.waitFor(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)).isTrue();

      assertThat(launcher.exitValue()).isEqualTo(1);
      assertThat(String.join("\n", LogTail.of(output(), 10)))
          .contains("ended with status 1", "varve.leader.timeout-millis");
      assertAllEnd(children);
    } finally {
      launcher.destroyForcibly().waitFor();
    }
  }

  @ParameterizedTest
  @CsvSource({"0, coordinator-1 is in use", "100, coordinator-1 of the follower is in use"})
  void aPortThatIsTakenIsNamedBeforeAnyProcessStarts(int distance, String reason) throws Exception {
    try (ServerSocket taken =
        new ServerSocket(FreePorts.next(), 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort() - distance;
      Process launcher = launch(folder, port, "--follower", "--ccr-followers", "1");
      try {
        assertThat(launcher.waitFor(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)).isTrue();

        assertThat(launcher.exitValue()).isEqualTo(1);
        assertThat(Files.readString(output()))
            .contains("varve: port " + taken.getLocalPort() + " of " + reason)
            .doesNotContain("\tat ");
        assertThat(folder.resolve("cluster.json")).doesNotExist();
      } finally {
        launcher.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void aDataFolderInUseIsNamed() throws Exception {
    try (DataLock _ = DataLock.acquire(folder)) {
      Process launcher = launch(FreePorts.next());
      try {
        assertThat(launcher.waitFor(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)).isTrue();

        assertThat(launcher.exitValue()).isEqualTo(1);
        assertThat(Files.readString(output()))
            .contains("varve: another process uses the data folder " + folder)
            .doesNotContain("\tat ");
      } finally {
        launcher.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void aDiskThatIsFullEndsTheStartAndTheLastLinesSayWhy() throws Exception {
    Path data = Files.createDirectory(folder.resolve("full"));
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/mount")), "there is no mount(8) here");
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", data.toString()),
        "a tmpfs can't be mounted here: that takes CAP_SYS_ADMIN");
    Process launcher = launch(data, FreePorts.next());
    try {
      assertThat(launcher.waitFor(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)).isTrue();

      assertThat(launcher.exitValue()).isEqualTo(1);
      assertThat(String.join("\n", LogTail.of(output(), 10))).contains("No space left on device");
      assertThat(launcher.descendants()).isEmpty();
    } finally {
      launcher.destroyForcibly().waitFor();
      run("umount", "--lazy", data.toString());
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
  }

  @Test
  void noProcessOutlivesALauncherThatIsKilled() throws Exception {
    Process launcher = launch(FreePorts.next());
    try {
      List<Long> children = children();
      assertThat(children).hasSize(3).allMatch(LauncherTest::isAlive);

      launcher.destroyForcibly().waitFor();

      assertAllEnd(children);
    } finally {
      launcher.destroyForcibly().waitFor();
    }
  }

  private Path output() {
    return folder.resolve("launcher.log");
  }

  private Process launch(int port) throws IOException {
    return launch(folder, port);
  }

  private Process launch(Path data, int port, String... more) throws IOException {
    List<String> command = ChildJvm.command(Child.class.getName());
    command.add(LocalCluster.class.getName());
    command.addAll(List.of("--data", data.toString(), "--port", Integer.toString(port)));
    command.addAll(List.of("--heap", "256m", "--shard-services", "1"));
    command.addAll(List.of("--replication-services", "0", "--ccr-followers", "0"));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output().toFile())
        .start();
  }

  /** Returns the ids of all processes when they have been started. Some may have ended again. */
  private List<Long> children() {
    Path file = folder.resolve("cluster.json");
    Awaitility.await().atMost(ENDS_WITHIN).until(() -> Files.exists(file));
    List<Long> children = new ArrayList<>();
    for (JsonNode row : Json.mapper().readTree(file.toFile()).path("processes")) {
      children.add(row.path("pid").asLong());
    }
    return children;
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private static void assertAllEnd(List<Long> children) {
    Awaitility.await()
        .atMost(ENDS_WITHIN)
        .untilAsserted(() -> assertThat(children).noneMatch(LauncherTest::isAlive));
  }
}
