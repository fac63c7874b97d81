package io.varve.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rally and OpenSearch Benchmark, unmodified, race against a leader and record the statistics of
 * its follower. Installs the tools on the first run; skipped, with the reason, if that fails.
 */
@Tag("system")
@Tag("nightly")
class RaceToolsTest {

  private static final Path SCRIPT =
      Path.of(System.getProperty("basedir", "."), "..", "..", "load-tests", "ccr", "run.sh")
          .toAbsolutePath()
          .normalize();

  /** The exit status of the script if the tool can't be installed. */
  private static final int SKIPPED = 77;

  @TempDir private static Path data;
  private static RunningCluster clusters;

  @BeforeAll
  static void start() throws Exception {
    clusters =
        RunningCluster.start(
            data, "--follower", "--shard-services", "1", "--replication-services", "0");
  }

  @AfterAll
  static void stop() throws Exception {
    clusters.close();
  }

  @Test
  void rallyRunsToTheEndWithItsStatisticsOfReplication() throws Exception {
    race("rally", "Rally's ccr-stats recorded 3 shards");
  }

  @Test
  void openSearchBenchmarkRunsToTheEndWithItsStatisticsOfReplication() throws Exception {
    race("osb", "ccr-stats recorded ccr-leader-stats");
  }

  private static void race(String tool, String recorded) throws Exception {
    Path output = Files.createTempFile(data, tool, ".log");
    List<String> command =
        List.of(
            SCRIPT.toString(),
            tool,
            "--quick",
            "--leader",
            "http://" + clusters.hostAndPort(),
            "--follower",
            clusters.followerUrl());
    Process race =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    int status = race.waitFor();
    String text = Files.readString(output, UTF_8);
    assumeTrue(status != SKIPPED, text);
    assertThat(status).as(text).isZero();
    assertThat(text).contains(recorded).contains("the race ended well");
  }
}
