package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class TailConsumersTest {

  private static final TopicPartition ONE = new TopicPartition("one", 0);
  private static final TopicPartition TWO = new TopicPartition("two", 0);
  private static final long CALM_NANOS = TailConsumers.CALM_AFTER.toNanos();

  private final List<RecordedConsumer> prompts = new ArrayList<>();
  private final List<RecordedConsumer> patients = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final TailConsumers consumers =
      new TailConsumers(() -> made(prompts), () -> made(patients), nanos::get);

  /** Records the leader epochs of the positions that it is given; the twin itself ignores them. */
  private static final class RecordedConsumer extends MockConsumer<byte[], byte[]> {

    final Map<TopicPartition, Optional<Integer>> epochs = new HashMap<>();

    /** Whether its positions cannot be validated. */
    boolean isMute;

    RecordedConsumer() {
      super("none");
    }

    @Override
    public synchronized void seek(TopicPartition partition, long offset) {
      epochs.put(partition, Optional.empty());
      super.seek(partition, offset);
    }

    @Override
    public void seek(TopicPartition partition, OffsetAndMetadata position) {
      super.seek(partition, position);
      epochs.put(partition, position.leaderEpoch());
    }

    @Override
    public synchronized long position(TopicPartition partition, Duration timeout) {
      if (isMute) {
        throw new TimeoutException("no answer");
      }
      return super.position(partition, timeout);
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(
        Collection<TopicPartition> partitions, Duration timeout) {
      return Map.of();
    }
  }

  private static RecordedConsumer made(List<RecordedConsumer> all) {
    RecordedConsumer consumer = new RecordedConsumer();
    all.add(consumer);
    return consumer;
  }

  /** The consumer reads a record of that leader epoch. */
  private void read(RecordedConsumer consumer, TopicPartition partition, long offset, int epoch) {
    consumer.addRecord(
        new ConsumerRecord<>(
            partition.topic(),
            partition.partition(),
            offset,
            0,
            TimestampType.CREATE_TIME,
            0,
            0,
            new byte[0],
            new byte[0],
            new RecordHeaders(),
            Optional.of(epoch)));
    try {
      consumers.poll(Duration.ZERO);
    } catch (WakeupException e) {
      // By the switch to this consumer.
      consumers.poll(Duration.ZERO);
    }
  }

  private void follow(long offset, TopicPartition... partitions) {
    consumers.usePrompt();
    consumers.assign(Set.of(partitions));
    for (TopicPartition partition : partitions) {
      consumers.seek(partition, offset);
    }
  }

  private void calm() {
    nanos.addAndGet(CALM_NANOS);
    consumers.rest();
  }

  private static List<Long> positions(Consumer<?, ?> consumer, TopicPartition... partitions) {
    List<Long> positions = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      positions.add(consumer.position(partition));
    }
    return positions;
  }

  private void assertRestsInTenSeconds() {
    nanos.addAndGet(CALM_NANOS - 1);
    consumers.rest();
    assertThat(consumers.current()).isSameAs(prompts.getFirst());

    nanos.incrementAndGet();
    consumers.rest();
    assertThat(consumers.current()).isSameAs(patients.getFirst());
  }

  @Test
  void restsOnlyAfterTenSecondsWithoutAChange() {
    follow(5, ONE);

    assertRestsInTenSeconds();
  }

  @Test
  void restsLaterIfThePositionsCannotBeValidated() {
    follow(5, ONE);
    calm();
    consumers.usePrompt();
    patients.getFirst().isMute = true;

    calm();
    assertThat(consumers.current()).isSameAs(prompts.getFirst());
    assertThat(positions(prompts.getFirst(), ONE)).containsExactly(5L);
    assertThat(patients.getFirst().assignment()).isEmpty();

    patients.getFirst().isMute = false;
    assertRestsInTenSeconds();
    assertThat(positions(patients.getFirst(), ONE)).containsExactly(5L);
  }

  @Test
  void keepsThePositionsInBothDirections() {
    follow(5, ONE, TWO);
    calm();
    assertThat(positions(patients.getFirst(), ONE, TWO)).containsExactly(5L, 5L);
    assertThat(prompts.getFirst().assignment()).isEmpty();

    read(patients.getFirst(), TWO, 8, 0);
    assertThat(consumers.usePrompt()).isTrue();
    assertThat(positions(prompts.getFirst(), ONE, TWO)).containsExactly(5L, 9L);
    assertThat(patients.getFirst().assignment()).isEmpty();
  }

  @Test
  void aPositionKeepsTheLeaderEpochOfTheRecordBeforeIt() {
    follow(5, ONE, TWO);
    read(prompts.getFirst(), ONE, 5, 3);
    calm();
    assertThat(patients.getFirst().epochs)
        .containsEntry(ONE, Optional.of(3))
        .containsEntry(TWO, Optional.empty());

    read(patients.getFirst(), TWO, 5, 4);
    consumers.usePrompt();
    assertThat(prompts.getFirst().epochs)
        .containsEntry(ONE, Optional.of(3))
        .containsEntry(TWO, Optional.of(4));

    consumers.renew();
    assertThat(prompts.getLast().epochs)
        .containsEntry(ONE, Optional.of(3))
        .containsEntry(TWO, Optional.of(4));
    assertThat(positions(prompts.getLast(), ONE, TWO)).containsExactly(6L, 6L);
  }

  @Test
  void aPositionThatWasSoughtHasNoLeaderEpoch() {
    follow(5, ONE);
    read(prompts.getFirst(), ONE, 5, 3);

    follow(2, ONE);
    calm();

    assertThat(patients.getFirst().epochs).containsEntry(ONE, Optional.empty());
    assertThat(positions(patients.getFirst(), ONE)).containsExactly(2L);
  }

  @Test
  void aPartitionThatIsAssignedAgainDoesNotContinueAtItsFormerPosition() {
    follow(5, ONE, TWO);
    read(prompts.getFirst(), TWO, 5, 3);
    follow(5, ONE);
    follow(7, ONE, TWO);

    calm();

    assertThat(positions(patients.getFirst(), ONE, TWO)).containsExactly(7L, 7L);
    assertThat(patients.getFirst().epochs).containsEntry(TWO, Optional.empty());
  }

  @Test
  void aChangeOfAPromptConsumerOnlyBeginsTheTimeAgain() {
    follow(5, ONE);
    nanos.addAndGet(CALM_NANOS - 1);

    assertThat(consumers.usePrompt()).isFalse();
    nanos.addAndGet(CALM_NANOS - 1);
    consumers.rest();

    assertThat(consumers.current()).isSameAs(prompts.getFirst());
  }

  @Test
  void doesNotRestWhileAPartitionIsPaused() {
    follow(5, ONE, TWO);
    consumers.current().pause(Set.of(TWO));
    calm();
    assertThat(consumers.current()).isSameAs(prompts.getFirst());

    consumers.current().resume(Set.of(TWO));
    consumers.rest();
    assertThat(consumers.current()).isSameAs(patients.getFirst());
  }

  @Test
  void aRenewalReplacesBoth() {
    follow(5, ONE);
    calm();
    follow(7, ONE);

    consumers.renew();

    assertThat(prompts.getFirst().closed()).isTrue();
    assertThat(patients.getFirst().closed()).isTrue();
    assertThat(consumers.current()).isSameAs(prompts.getLast());
    assertThat(positions(prompts.getLast(), ONE)).containsExactly(7L);
    calm();
    assertThat(consumers.current()).isSameAs(patients.getLast()).isNotSameAs(patients.getFirst());
  }
}
