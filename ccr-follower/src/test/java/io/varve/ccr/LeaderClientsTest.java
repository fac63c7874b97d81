package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.InMemoryMessageLog;
import io.varve.log.kafka.KafkaLogConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which pullers share the Kafka clients of a process. */
class LeaderClientsTest {

  private static final KafkaLogConfig.Fetch SMALL = new KafkaLogConfig.Fetch(1, 1, 1, 1, 1);

  private final List<KafkaLogConfig> made = new ArrayList<>();
  private final LeaderClients clients =
      new LeaderClients(
          config -> {
            made.add(config);
            return new InMemoryMessageLog(Runnable::run, () -> 0);
          },
          "ccr-n1");

  @Test
  void pullersOfTheSameBrokersWithTheSameLimitsShareOne() {
    for (int shard = 0; shard < 200; shard++) {
      var client =
          clients.open("east:9092", KafkaLogConfig.Fetch.DEFAULT, KafkaLogConfig.Security.NONE);
      assertThat(client.open("ops", shard).partition()).isEqualTo(shard);
    }

    assertThat(made)
        .containsExactly(
            KafkaLogConfig.of("east:9092", "ccr-n1").withFetch(KafkaLogConfig.Fetch.DEFAULT));
  }

  @Test
  void otherBrokersAndOtherLimitsHaveTheirOwn() {
    var _ = clients.open("east:9092", KafkaLogConfig.Fetch.DEFAULT, KafkaLogConfig.Security.NONE);
    var _ = clients.open("west:9092", KafkaLogConfig.Fetch.DEFAULT, KafkaLogConfig.Security.NONE);
    var _ = clients.open("east:9092", SMALL, KafkaLogConfig.Security.NONE);

    assertThat(made).hasSize(3);
  }

  @Test
  void aClientEndsWithItsLastUser() {
    var first = clients.open("east:9092", SMALL, KafkaLogConfig.Security.NONE);
    var second = clients.open("east:9092", SMALL, KafkaLogConfig.Security.NONE);
    first.close();
    first.close();
    var _ = clients.open("east:9092", SMALL, KafkaLogConfig.Security.NONE);
    assertThat(made).as("the second user still has it").hasSize(1);

    second.close();
    var third = clients.open("east:9092", SMALL, KafkaLogConfig.Security.NONE);

    assertThat(made).as("the third user had it").hasSize(1);
    third.close();
  }
}
