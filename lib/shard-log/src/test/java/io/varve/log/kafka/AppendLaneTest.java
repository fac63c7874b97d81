package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.PartitionLog.AppendCallback;
import io.varve.process.Sleeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class AppendLaneTest {

  private final List<MockProducer<byte[], byte[]>> clients = new ArrayList<>();
  private final List<Long> appended = new ArrayList<>();
  private SharedProducer current = newProducer();
  private long nowNanos;
  private final AppendLane lane =
      new AppendLane(Duration.ofSeconds(10), () -> nowNanos, Sleeper.SYSTEM, () -> current);

  private SharedProducer newProducer() {
    clients.add(
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()));
    return new SharedProducer(clients.getLast());
  }

  private boolean append() {
    AppendCallback callback =
        new AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            appended.add(offset);
          }

          @Override
          public void unknown(String reason) {
            throw new AssertionError(reason);
          }
        };
    return lane.append(
        new PendingAppend(
            new ProducerRecord<>("topic", 0, null, new byte[] {1}),
            callback,
            () -> {},
            (failing, failure) -> {}));
  }

  private void retireCurrent() {
    SharedProducer last = current;
    current = newProducer();
    last.retire();
  }

  @Test
  void keepsToARetiredProducerWhileAnAppendIsInFlightThere() {
    append();
    retireCurrent();
    append();
    assertThat(clients.getFirst().history()).hasSize(2);
    assertThat(clients.getFirst().completeNext()).isTrue();
    append();
    assertThat(clients.getFirst().history()).hasSize(3);
    assertThat(clients.getLast().history()).isEmpty();
    assertThat(appended).hasSize(1);
  }

  @Test
  void changesToTheNewProducerWhenNothingIsInFlight() {
    append();
    retireCurrent();
    assertThat(clients.getFirst().completeNext()).isTrue();
    append();
    assertThat(clients.getFirst().history()).hasSize(1);
    assertThat(clients.getLast().history()).hasSize(1);
  }

  @Test
  void leavesAFailedProducerAtOnce() {
    append();
    SharedProducer failed = current;
    current = newProducer();
    failed.fail();
    append();
    assertThat(clients.getLast().history()).hasSize(1);
  }

  @Test
  void endsOnlyWhenItIsIdle() {
    assertThat(append()).isTrue();
    nowNanos = 100;
    assertThat(lane.endIfIdleSince(50)).as("an append is in flight").isFalse();
    assertThat(lane.endIfIdle()).as("an append is in flight").isFalse();
    assertThat(clients.getFirst().completeNext()).isTrue();
    assertThat(lane.endIfIdleSince(0)).as("used since").isFalse();
    assertThat(lane.endIfIdleSince(50)).isTrue();
    assertThat(append()).as("the caller must take another lane").isFalse();
  }
}
