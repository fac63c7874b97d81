package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LogEndsTest {

  private static final TopicPartition ONE = new TopicPartition("one", 0);
  private static final TopicPartition TWO = new TopicPartition("two", 0);

  private final LogEnds ends = new LogEnds();

  @Test
  void aBatchWithAnotherHighWatermarkWasRequestedAfterThePollOfTheBatchBefore() {
    assertThat(ends.returned(ONE, 10, 100, 105)).isEmpty();
    assertThat(ends.returned(ONE, 14, 110, 130)).hasValue(new LogEnds.End(14, 30));
    assertThat(ends.returned(ONE, 20, 140, 150)).hasValue(new LogEnds.End(20, 40));
  }

  /** Its request may be older than the batch before. */
  @Test
  void theRestOfAResponseProvesNothing() {
    assertThat(ends.returned(ONE, 10, 100, 105)).isEmpty();
    assertThat(ends.returned(ONE, 10, 110, 120)).isEmpty();
    assertThat(ends.returned(ONE, 14, 125, 130)).hasValue(new LogEnds.End(14, 20));
  }

  @Test
  void theFirstBatchAfterASeekProvesNothing() {
    ends.returned(ONE, 10, 100, 105);
    ends.returned(TWO, 10, 100, 105);
    ends.sought(ONE);
    assertThat(ends.returned(ONE, 14, 110, 120)).isEmpty();
    assertThat(ends.returned(TWO, 14, 110, 120)).hasValue(new LogEnds.End(14, 20));

    ends.allSought();
    assertThat(ends.returned(ONE, 20, 130, 140)).isEmpty();
    assertThat(ends.returned(TWO, 20, 130, 140)).isEmpty();
  }
}
