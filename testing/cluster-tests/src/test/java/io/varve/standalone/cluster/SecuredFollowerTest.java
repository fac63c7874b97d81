package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.kafka.FreePorts;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaSecurity;
import io.varve.standalone.ChildJvm;
import io.varve.standalone.RestCalls;
import io.varve.standalone.SecurityFolder;
import io.varve.standalone.tail.Tail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A secured cluster follows a secured one, with a user, a certificate and connections to brokers
 * that its leader's authority admits: it copies segment files from the leader's nodes, because the
 * log lacks the first operations, and reads the others from the leader's log. {@code varve tail}
 * reads the same log.
 */
@Tag("system")
@Tag("nightly")
class SecuredFollowerTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);

  private static final String SETTINGS =
      """
      {"settings":{"number_of_shards":1,"number_of_replicas":0,"refresh_interval":"200ms",\
      "remote_store.enabled":false,"log.retention":"auto","log.retention.min_copies":1,\
      "log.retention.grace":"0s"}}\
      """;

  @TempDir Path data;

  private RestCalls leader;
  private int port;

  @Test
  void copiesTheSegmentsAndReadsTheLogOfItsLeader() throws Exception {
    port = FreePorts.next();
    ClusterOptions options =
        ClusterOptions.parse(
            "--data",
            data.toString(),
            "--port",
            Integer.toString(port),
            "--shard-services",
            "1",
            "--replication-services",
            "0",
            "--follower",
            "--secured");
    try (LocalCluster cluster = LocalCluster.start(options)) {
      assertThat(cluster.awaitGreen(WITHIN)).as(cluster::whyNotUp).isTrue();
      try (RestCalls first = calls(cluster.url(), data);
          RestCalls follower =
              calls(cluster.followerUrl().orElseThrow(), data.resolve("follower"))) {
        leader = first;
        leader.call("PUT", "/archive", SETTINGS).orThrow();
        TestIndex index = new TestIndex(leader, "archive");
        index.index(0, 2_000);
        TruncatedLog.await(reader(cluster.kafka()), index, 1, 100);
        follower
            .call(
                "PUT",
                "/archive/_ccr/follow?wait_for_active_shards=1",
                "{\"remote_cluster\":\"leader\",\"leader_index\":\"archive\"}")
            .orThrow();
        index.index(2_000, 2_100);
        Awaitility.await()
            .atMost(WITHIN)
            .untilAsserted(() -> {
              follower.call("POST", "/archive/_refresh", "").orThrow();
              assertThat(follower.get("/archive/_count").orThrow().json().path("count").asInt())
                  .isEqualTo(2_100);
            });
        tailPrints(100);
      }
    }
  }

  private static RestCalls calls(String url, Path folder) throws IOException {
    return new RestCalls(url, WITHIN, new SecurityFolder(folder).access());
  }

  private Path consumer() {
    return data.resolve("security/nodes/follower");
  }

  /** Of a client that may read the topics. */
  private KafkaLogConfig reader(String bootstrapServers) throws Exception {
    Path files = consumer();
    return KafkaLogConfig.of(bootstrapServers, "test")
        .withSecurity(
            KafkaSecurity.tls(
                new KafkaSecurity.PemFiles(files.resolve("node.pem"), files.resolve("ca.pem"))));
  }

  private void tailPrints(int more) throws Exception {
    Path out = data.resolve("tail.out");
    List<String> command = new ArrayList<>(ChildJvm.command(Child.class.getName()));
    command.addAll(
        List.of(
            Tail.class.getName(),
            "archive",
            "--port",
            Integer.toString(port),
            "--from",
            "end",
            "--ca",
            data.resolve("security/ca.pem").toString(),
            "--password-file",
            data.resolve("security/admin.password").toString(),
            "--certificate",
            consumer().resolve("node.pem").toString()));
    Process tail =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(data.resolve("tail.err").toFile())
            .start();
    try {
      TestIndex index = new TestIndex(leader, "archive");
      int[] next = {10_000};
      Awaitility.await()
          .atMost(WITHIN)
          .until(() -> {
            assertThat(tail.isAlive()).as(() -> read(data.resolve("tail.err"))).isTrue();
            index.index(next[0], next[0] + more);
            next[0] += more;
            return Files.readAllLines(out).size() >= more;
          });
    } finally {
      tail.destroyForcibly();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
