package io.varve.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checks that unneeded data is deleted from the disks of a real broker and of the nodes. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class ReclaimedDisksTest {

  private static final int DOCUMENTS = 5_000;
  private static final long SEGMENT_BYTES = 1 << 20;

  private ServicesInOneJvm cluster;
  private Admin admin;

  @BeforeEach
  void take(ServicesInOneJvm shared) {
    cluster = shared;
    Properties properties = new Properties();
    properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, cluster.bootstrapServers());
    admin = Admin.create(properties);
  }

  @AfterEach
  void close() {
    admin.close();
  }

  private TestIndex create(String name, String settings) throws Exception {
    TestIndex index = cluster.create(name, "{\"remote_store.enabled\":false," + settings + "}");
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, operations(index)),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry("segment.bytes", Long.toString(SEGMENT_BYTES)),
                        AlterConfigOp.OpType.SET))))
        .all()
        .get();
    return index;
  }

  private static String operations(TestIndex index) throws IOException {
    return "varve.varve.ops." + index.uuid();
  }

  /** Indexes about 5 MB of incompressible data. */
  private void load(TestIndex index) throws IOException {
    Random random = new Random(7);
    byte[] noise = new byte[750];
    for (int from = 0; from < DOCUMENTS; from += 500) {
      StringBuilder body = new StringBuilder();
      for (int n = from; n < from + 500; n++) {
        random.nextBytes(noise);
        body.append("{\"index\":{\"_id\":\"d%d\"}}\n".formatted(n))
            .append(
                "{\"n\":%d,\"noise\":\"%s\"}\n"
                    .formatted(n, Base64.getEncoder().encodeToString(noise)));
      }
      assertThat(
              cluster
                  .rest()
                  .call(
                      "POST",
                      "/" + index.name() + "/_bulk",
                      "application/x-ndjson",
                      body.toString().getBytes(UTF_8))
                  .orThrow()
                  .json()
                  .path("errors")
                  .asBoolean())
          .isFalse();
    }
    index.refresh();
  }

  private long offset(TestIndex index, OffsetSpec spec) throws Exception {
    TopicPartition partition = new TopicPartition(operations(index), 0);
    return admin.listOffsets(Map.of(partition, spec)).partitionResult(partition).get().offset();
  }

  private void awaitNothingIsLeft(TestIndex index) {
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() -> {
          index.call("POST", "/_flush", "").orThrow();
          assertThat(offset(index, OffsetSpec.earliest()))
              .isEqualTo(offset(index, OffsetSpec.latest()));
        });
  }

  private static long bytes(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    } catch (UncheckedIOException e) {
      return Long.MAX_VALUE;
    }
  }

  @Test
  void aLogWithoutAStoreKeepsWhatIsNeededAndTheBrokersDiskFalls() throws Exception {
    TestIndex index = create("shortened", "\"number_of_replicas\":1,\"log.retention\":\"auto\"");
    Path partition = cluster.brokerFolder().resolve(operations(index) + "-0");
    load(index);
    long loaded = bytes(partition);
    assertThat(loaded).isGreaterThan(4 * SEGMENT_BYTES);

    awaitNothingIsLeft(index);

    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() -> assertThat(bytes(partition)).isLessThanOrEqualTo(SEGMENT_BYTES));
    index.awaitCount("_replica", DOCUMENTS);
    assertThat(index.count("_primary")).isEqualTo(DOCUMENTS);
    String lost = index.nodeOfPrimary();
    cluster.stop(lost);
    try {
      index.awaitPrimaryElsewhereThan(lost);
      index.put(DOCUMENTS);
      index.refresh();
      assertThat(index.count("_primary")).isEqualTo(DOCUMENTS + 1);
    } finally {
      cluster.start(lost);
    }
    index.awaitGreen();
  }

  @Test
  void aDocumentReplicaIsBuiltFromThePrimaryWhenTheLogHasLostItsBeginning() throws Exception {
    TestIndex index =
        create(
            "document-rebuilt",
            "\"number_of_replicas\":0,\"replication.type\":\"DOCUMENT\","
                + "\"log.retention\":\"auto\",\"log.retention.min_copies\":1");
    load(index);
    awaitNothingIsLeft(index);

    index.call("PUT", "/_settings", "{\"number_of_replicas\":1}").orThrow();

    index.awaitGreen();
    index.put(DOCUMENTS);
    index.refresh();
    index.awaitCount("_replica", DOCUMENTS + 1);
  }

  @Test
  void aDeletedIndexLeavesNoTopicAndNoFolderAlsoOnANodeThatWasAway() throws Exception {
    TestIndex index = create("deleted", "\"number_of_replicas\":1");
    index.index(0, 100);
    index.refresh();
    String uuid = index.uuid();
    String away = index.nodesOf("r").getFirst();
    cluster.stop(away);
    try {
      cluster.rest().call("DELETE", "/" + index.name(), "").orThrow();
    } finally {
      cluster.start(away);
    }
    // Topics are kept until their writers have closed them, or until a new leader takes over.
    cluster.restart("coordinator");

    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() -> {
          assertThat(named(admin.listTopics().names().get(), uuid)).isEmpty();
          assertThat(cluster.shardFolders(uuid)).isEmpty();
          try (Stream<Path> topics = Files.list(cluster.brokerFolder())) {
            assertThat(named(topics.map(Path::toString).toList(), uuid)).isEmpty();
          }
        });
  }

  private static List<String> named(Collection<String> all, String uuid) {
    return Set.copyOf(all).stream().filter(name -> name.contains(uuid)).toList();
  }
}
