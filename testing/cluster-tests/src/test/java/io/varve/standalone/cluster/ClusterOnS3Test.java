package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * An index keeps its segments in S3-compatible storage. The only process with a copy is killed and
 * loses its disk. Another process takes over: it starts from the stored segments and replays the
 * operations that exist only in the log.
 */
@Tag("system")
@Tag("nightly")
class ClusterOnS3Test {

  /** Time for failure detection and process start. */
  private static final Duration BACK_WITHIN = Duration.ofMinutes(5);

  private static final String ACCESS_KEY = "varve-access";
  private static final String SECRET_KEY = "canary-of-the-secret-key";

  @TempDir private Path folder;
  private S3Proxy s3;

  @BeforeEach
  void startS3() throws Exception {
    Path objects = Files.createDirectories(folder.resolve("s3"));
    s3 =
        S3Proxy.builder()
            .blobStore(new FilesystemNio2BlobStore(objects.toString()))
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
            .build();
    s3.start();
  }

  @AfterEach
  void stopS3() throws Exception {
    s3.stop();
  }

  private RunningCluster start() throws Exception {
    return RunningCluster.start(
        folder.resolve("cluster"),
        "--shard-services",
        "1",
        "--replication-services",
        "0",
        "--ccr-followers",
        "0",
        "--store.type",
        "s3",
        "--store.s3.endpoint",
        "http://127.0.0.1:" + s3.getPort(),
        "--store.s3.bucket",
        "segments",
        "--store.s3.create-bucket",
        "true",
        "--store.s3.path-style",
        "true",
        "--secrets",
        secrets().toString());
  }

  private Path secrets() throws IOException {
    Path secrets = Files.createDirectories(folder.resolve("secrets"));
    Files.writeString(secrets.resolve("varve.store.s3.access-key"), ACCESS_KEY);
    Files.writeString(secrets.resolve("varve.store.s3.secret-key"), SECRET_KEY);
    return secrets;
  }

  @Test
  void aProcessThatIsKilledAndLosesItsDiskIsFollowedByOneThatHasEverything() throws Exception {
    try (RunningCluster cluster = start()) {
      TestIndex index = new TestIndex(cluster.rest(), "stored");
      index
          .call(
              "PUT",
              "",
              """
              {"settings": {"number_of_replicas": 0, "remote_store.enabled": true}}\
              """)
          .orThrow();
      index.awaitGreen();
      index.index(0, 500);
      index.refresh();
      Awaitility.await()
          .atMost(TestIndex.SOON)
          .untilAsserted(() -> assertThat(objects()).isPositive());
      index.index(500, 600);
      long term = index.put(600).path("_primary_term").asLong();

      cluster.killWithItsDisk("shard-service-1");

      Await.within(BACK_WITHIN)
          .untilAsserted(() -> assertThat(index.count("_primary")).isEqualTo(601));
      assertThat(index.put(601).path("_seq_no").asInt()).isEqualTo(601);
      assertThat(index.put(601).path("_primary_term").asLong()).isGreaterThan(term);
      index.awaitGreen();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theSecretKeyIsNotInCommandLinesLogsAndResponses() throws Exception {
    try (RunningCluster cluster = start()) {
      long pid = cluster.pid("shard-service-1");
      assertThat(Files.readString(Path.of("/proc", Long.toString(pid), "cmdline")))
          .contains("configtree:")
          .doesNotContain(SECRET_KEY);
      for (String name : new String[] {"shard-service-1", "coordinator-1"}) {
        assertThat(cluster.output(name)).isNotEmpty().doesNotContain(SECRET_KEY);
      }
      for (String path : new String[] {"/_nodes", "/_cluster/state", "/_cluster/settings"}) {
        assertThat(cluster.rest().get(path).text()).isNotEmpty().doesNotContain(SECRET_KEY);
      }
    }
  }

  private long objects() throws Exception {
    try (Stream<Path> files = Files.walk(folder.resolve("s3"))) {
      return files.filter(Files::isRegularFile).count();
    }
  }
}
