package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Testcontainers;

/**
 * The contract on three brokers of the image of docker-compose.yml, each in a container. Another
 * image is chosen with {@code -Dvarve.docker.kafka-image}.
 */
@Tag("docker")
@Testcontainers(disabledWithoutDocker = true)
class KafkaContainerLogTest extends MessageLogContract {

  private static BrokerContainers brokers;
  private static KafkaMessageLog log;

  @BeforeAll
  static void start() throws Exception {
    brokers = new BrokerContainers();
    log =
        new KafkaMessageLog(
            new KafkaLogConfig(
                brokers.bootstrapServers(), "test", 60_000, 60_000, 64L << 20, 15 << 20, "lz4"));
  }

  @AfterAll
  static void stop() {
    if (log != null) {
      log.close();
    }
    if (brokers != null) {
      brokers.close();
    }
  }

  @Override
  MessageLog log() {
    return log;
  }

  @Override
  protected void cutEnd(PartitionLog partition, long endOffset) throws Exception {
    brokers.cutEnd(partition, endOffset);
    awaitReplicas(partition.topic());
  }

  /** Waits until all replicas of the topic are in sync. */
  private static void awaitReplicas(String topic) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(10))
        .ignoreExceptionsInstanceOf(LogException.class)
        .until(() -> {
          LogPartitions partitions = log.partitions(topic);
          return partitions.total() > 0
              && partitions.offline() == 0
              && partitions.underReplicated() == 0;
        });
  }

  @Test
  void aTopicWithoutAFactorOfItsOwnHasThreeReplicas() throws Exception {
    log.createTopic(new TopicSpec("replicated.three", 1, 0, Map.of()));
    log.createTopic(new TopicSpec("replicated.one", 1, 1, Map.of("min.insync.replicas", "2")));

    awaitReplicas("replicated.three");
    assertThat(log.partitions("replicated.")).isEqualTo(new LogPartitions(2, 0, 0, 1));
  }

  @Test
  void whatWasAckedIsThereWhenABrokerIsKilledAndAppendsGoOn() throws Exception {
    PartitionLog partition = newPartition();
    awaitReplicas(partition.topic());
    for (int i = 0; i < 100; i++) {
      append(partition, record(i)).get(60, TimeUnit.SECONDS);
    }
    brokers.kill(0);
    try {
      assertThat(partition.endOffset()).isEqualTo(100);
      assertThat(append(partition, record(100)).get(60, TimeUnit.SECONDS)).isEqualTo(100);
    } finally {
      brokers.start(0);
      awaitReplicas(partition.topic());
    }
  }
}
