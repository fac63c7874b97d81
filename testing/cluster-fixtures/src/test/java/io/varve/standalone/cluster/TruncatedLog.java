package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import java.time.Duration;

/** Waits until the log of an index has lost its beginning, because its segments have it. */
final class TruncatedLog {

  private static final Duration WITHIN = Duration.ofMinutes(5);

  private TruncatedLog() {}

  /**
   * Flushes the index until the log of each of its shards begins at this offset or later.
   *
   * @param config of a client that may read the index's topic
   */
  static void await(KafkaLogConfig config, TestIndex index, int shards, long offset)
      throws Exception {
    String topic = "varve.varve.ops." + index.uuid();
    try (KafkaMessageLog log = new KafkaMessageLog(config)) {
      Await.within(WITHIN)
          .pollInterval(Duration.ofMillis(500))
          .untilAsserted(() -> {
            index.call("POST", "/_flush", "").orThrow();
            for (int shard = 0; shard < shards; shard++) {
              assertThat(log.open(topic, shard).startOffset())
                  .as("shard %d", shard)
                  .isGreaterThanOrEqualTo(offset);
            }
          });
    }
  }
}
