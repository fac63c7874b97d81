package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TailConsumersTest {

  private static final TopicPartition ONE = new TopicPartition("one", 0);
  private static final TopicPartition TWO = new TopicPartition("two", 0);
  private static final long CALM_NANOS = TailConsumers.CALM_AFTER.toNanos();

  private final List<MockConsumer<byte[], byte[]>> prompts = new ArrayList<>();
  private final List<MockConsumer<byte[], byte[]>> patients = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final TailConsumers consumers =
      new TailConsumers(() -> made(prompts), () -> made(patients), nanos::get);

  private static MockConsumer<byte[], byte[]> made(List<MockConsumer<byte[], byte[]>> all) {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    all.add(consumer);
    return consumer;
  }

  private void follow(long offset, TopicPartition... partitions) {
    consumers.usePrompt();
    consumers.current().assign(Set.of(partitions));
    for (TopicPartition partition : partitions) {
      consumers.current().seek(partition, offset);
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

  @Test
  void restsOnlyAfterTenSecondsWithoutAChange() {
    follow(5, ONE);

    nanos.addAndGet(CALM_NANOS - 1);
    consumers.rest();
    assertThat(consumers.current()).isSameAs(prompts.getFirst());

    nanos.incrementAndGet();
    consumers.rest();
    assertThat(consumers.current()).isSameAs(patients.getFirst());
  }

  @Test
  void keepsThePositionsInBothDirections() {
    follow(5, ONE, TWO);
    calm();
    assertThat(positions(patients.getFirst(), ONE, TWO)).containsExactly(5L, 5L);
    assertThat(prompts.getFirst().assignment()).isEmpty();

    patients.getFirst().seek(TWO, 9);
    assertThat(consumers.usePrompt()).isTrue();
    assertThat(positions(prompts.getFirst(), ONE, TWO)).containsExactly(5L, 9L);
    assertThat(patients.getFirst().assignment()).isEmpty();
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

  @Test
  void withoutPatientConsumersItNeverRests() {
    TailConsumers always = new TailConsumers(() -> made(prompts), null, nanos::get);

    nanos.addAndGet(CALM_NANOS);
    always.rest();

    assertThat(always.current()).isSameAs(prompts.getLast());
  }
}
