package io.varve.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/**
 * The log of a shard loses its end or contains an unreadable record: the shard is red, reports the
 * reason, and recovers when the log is repaired. Other indices are not affected.
 */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class RefusedLogTest {

  private static final int SHOWN = 20;

  private ServicesInOneJvm cluster;

  @BeforeEach
  void take(ServicesInOneJvm shared) {
    cluster = shared;
  }

  private TestIndex create(String name, int replicas) throws Exception {
    return cluster.create(
        name, "{\"number_of_replicas\":%d,\"refresh_interval\":\"-1\"}".formatted(replicas));
  }

  private static String operations(TestIndex index) throws IOException {
    return "varve.varve.ops." + index.uuid();
  }

  private JsonNode explained(TestIndex index) throws IOException {
    return cluster
        .rest()
        .call(
            "POST",
            "/_cluster/allocation/explain",
            "{\"index\":\"%s\",\"shard\":0,\"primary\":true}".formatted(index.name()))
        .orThrow()
        .json();
  }

  private void assertSaysWhy(TestIndex index, String... reasons) throws IOException {
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .ignoreExceptionsInstanceOf(IllegalStateException.class)
        .untilAsserted(() ->
            assertThat(explained(index).at("/unassigned_info/details").asString(""))
                .contains(reasons));
    assertThat(explained(index).path("current_state").asString()).isEqualTo("initializing");
    assertThat(explained(index).at("/unassigned_info/reason").asString())
        .isEqualTo("ALLOCATION_FAILED");
    assertThat(index.copies("unassigned.reason,unassigned.details"))
        .filteredOn(row -> row.path("prirep").asString("").equals("p"))
        .singleElement()
        .satisfies(
            row -> assertThat(row.path("unassigned.details").asString("")).contains(reasons));
    // An explain without parameters finds the shard although it is assigned.
    assertThat(
            cluster
                .rest()
                .get("/_cluster/allocation/explain")
                .orThrow()
                .json()
                .path("index")
                .asString())
        .isEqualTo(index.name());
  }

  /** Writes to the shard's topic as a foreign producer would. */
  private long writeUnreadable(TestIndex index) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, cluster.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(operations(index), 0, "d1".getBytes(UTF_8), "{}".getBytes(UTF_8));
      record.headers().add("varve", new byte[] {(byte) 0xF0, 1, 2});
      return producer.send(record).get(60, TimeUnit.SECONDS).offset();
    }
  }

  @Test
  void aRecordThatCanNotBeReadMakesItsShardRedAndACutRightBeforeItRepairsTheShard()
      throws Exception {
    TestIndex index = create("unreadable", 1);
    TestIndex other = create("beside-unreadable", 1);
    index.index(0, SHOWN);
    index.refresh();
    index.put(SHOWN);
    long offset = writeUnreadable(index);

    assertThat(index.call("PUT", "/_doc/late?timeout=1s", "{\"n\":1}").status())
        .isGreaterThanOrEqualTo(400);

    index.awaitHealth("red");
    assertSaysWhy(index, "offset " + offset, operations(index) + ", partition 0");
    assertThat(index.count("_replica")).as("what was shown is served").isEqualTo(SHOWN);
    other.put(1);
    assertThat(other.call("GET", "/_doc/d1", "").status()).isEqualTo(200);

    String reindex = "{\"source\":{\"index\":\"unreadable\"},\"dest\":{\"index\":\"rescued\"}}";
    cluster.rest().call("POST", "/_reindex?refresh=true", reindex).orThrow();
    new TestIndex(cluster.rest(), "rescued").awaitCount("_primary", SHOWN);

    cluster.whileTheBrokerIsStopped(stopped -> stopped.cutEnd(operations(index), 0, offset));

    index.awaitGreen();
    index.refresh();
    assertThat(index.count("_primary"))
        .as("with what was acked and not shown")
        .isEqualTo(SHOWN + 1);
    index.put(SHOWN + 1);
  }

  @Test
  void aLogThatWasCutMakesItsShardRedUntilTheIndexIsDeleted() throws Exception {
    TestIndex index = create("cut", 1);
    for (int n = 0; n < SHOWN; n++) {
      index.put(n);
    }
    index.refresh();
    cluster.whileTheBrokerIsStopped(stopped -> stopped.cutEnd(operations(index), 0, SHOWN / 2));

    assertThat(index.call("PUT", "/_doc/late?timeout=1s", "{\"n\":1}").status())
        .as("nothing is acked on what is left")
        .isGreaterThanOrEqualTo(400);

    index.awaitHealth("red");
    // The write that detected the damage may be in the log but was not acked.
    assertSaysWhy(
        index, "applied everything up to offset " + SHOWN, "the log ends at", operations(index));
    assertThat(index.call("GET", "/_doc/d1?timeout=1s", "").status()).isGreaterThanOrEqualTo(400);
    index.call("DELETE", "", "").orThrow();
    TestIndex other = create("beside-cut", 1);
    other.put(1);
  }
}
