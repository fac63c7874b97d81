package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.varve.log.LogException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaReadersTest {

  private static final TopicPartition PARTITION = new TopicPartition("topic", 0);
  private static final long END = 5;
  private static final Duration POLL_LASTS = Duration.ofSeconds(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration OFFSET_TIMEOUT = Duration.ofSeconds(3);

  private final List<SlowConsumer> consumers = new ArrayList<>();
  private final List<Long> read = new ArrayList<>();
  private long nowNanos;
  private int pollsPerRecord = 1;
  private long served = END;
  private boolean topicExists = true;
  private final KafkaReaders readers =
      new KafkaReaders(
          () -> {
            consumers.add(new SlowConsumer());
            return consumers.getLast();
          },
          turns(),
          TIMEOUT,
          OFFSET_TIMEOUT,
          () -> nowNanos);

  private OffsetTurns turns() {
    return new OffsetTurns(new ScriptedLeaders(), TIMEOUT, () -> nowNanos);
  }

  /** Returns one record after some polls, each of which takes time. */
  private final class SlowConsumer extends MockConsumer<byte[], byte[]> {
    private int polls;

    /** Fails on an interrupted thread, as the client does. */
    @Override
    public void close(CloseOptions options) {
      if (Thread.interrupted()) {
        throw new InterruptException("closed on an interrupted thread");
      }
      super.close(options);
    }

    SlowConsumer() {
      super("earliest");
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      nowNanos += POLL_LASTS.toNanos();
      polls++;
      if (Thread.interrupted()) {
        throw new InterruptException(new InterruptedException("on purpose"));
      }
      long next = position(PARTITION);
      if (polls % pollsPerRecord == 0 && next < served) {
        addRecord(
            new ConsumerRecord<>(
                PARTITION.topic(), 0, next, new byte[0], new byte[] {(byte) next}));
      }
      return super.poll(timeout);
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(
        Collection<TopicPartition> partitions) {
      return Map.of(PARTITION, END);
    }

    /** As for a topic that does not exist: the client retries until the limit. */
    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(
        Collection<TopicPartition> partitions, Duration timeout) {
      if (!topicExists) {
        nowNanos += timeout.toNanos();
        throw new TimeoutException("on purpose");
      }
      return endOffsets(partitions);
    }
  }

  private void read(long from, long to) throws LogException {
    readers.read(PARTITION, from, to, stored -> read.add(stored.offset()));
  }

  @AfterEach
  void close() {
    readers.close();
    assertThat(consumers).allSatisfy(consumer -> assertThat(consumer.closed()).isTrue());
  }

  @Test
  void readsTheRange() throws Exception {
    read(1, 4);

    assertThat(read).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aReadThatMakesProgressMayTakeLongerThanTheTimeout() throws Exception {
    pollsPerRecord = 9;
    read(0, 5);

    assertThat(read).containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThat(Duration.ofNanos(nowNanos)).isEqualTo(Duration.ofSeconds(45));
  }

  @Test
  void failsAfterTheTimeoutWithoutARecord() {
    pollsPerRecord = Integer.MAX_VALUE;

    assertThatThrownBy(() -> read(2, 5))
        .isInstanceOf(LogException.Unavailable.class)
        .hasMessage("topic-0 returned nothing for 10000 ms at offset 2");
    assertThat(Duration.ofNanos(nowNanos)).isEqualTo(TIMEOUT);
  }

  @Test
  void theTimeoutBeginsAnewWithEachRecord() {
    pollsPerRecord = 4;
    served = 2;

    assertThatThrownBy(() -> read(0, 3)).isInstanceOf(LogException.Unavailable.class);
    assertThat(read).containsExactly(0L, 1L);
    assertThat(Duration.ofNanos(nowNanos)).isEqualTo(Duration.ofSeconds(8).plus(TIMEOUT));
  }

  /** A copy that is closed interrupts its thread, perhaps in the middle of a read. */
  @Test
  void aReadOnAnInterruptedThreadFailsAsUnavailableAndKeepsTheInterrupt() {
    Thread.currentThread().interrupt();
    Throwable failure = catchThrowable(() -> read(0, 3));
    boolean interrupted = Thread.interrupted();

    assertThat(failure)
        .isInstanceOf(LogException.Unavailable.class)
        .hasCauseInstanceOf(InterruptException.class);
    assertThat(interrupted).isTrue();
    assertThat(consumers).singleElement().satisfies(c -> assertThat(c.closed()).isTrue());
  }

  @Test
  void anOffsetRequestFailsAfterItsOwnLimit() {
    topicExists = false;

    assertThatThrownBy(() -> readers.endOffset(PARTITION))
        .isInstanceOf(LogException.Unavailable.class)
        .hasMessageContaining("on purpose");
    assertThat(nowNanos).isEqualTo(OFFSET_TIMEOUT.toNanos());
  }

  @Test
  void aConsumerThatCannotBeCreatedIsUnavailable() {
    KafkaReaders without =
        new KafkaReaders(
            () -> {
              throw new KafkaException("on purpose");
            },
            turns(),
            TIMEOUT,
            OFFSET_TIMEOUT,
            () -> nowNanos);
    assertThatThrownBy(() -> without.endOffset(PARTITION))
        .isInstanceOf(LogException.Unavailable.class)
        .hasMessage("KafkaException: on purpose");
  }

  @Test
  void aRangeBeyondTheEndIsRefusedWithoutWaiting() {
    assertThatThrownBy(() -> read(5, 6))
        .isInstanceOf(LogException.OutOfRange.class)
        .hasMessage("topic-0 ends at 5, asked for up to 6");
    assertThat(nowNanos).isEqualTo(POLL_LASTS.toNanos());
  }

  @Test
  void consumersAreUsedAgain() throws Exception {
    read(0, 2);
    read(3, 5);

    assertThat(consumers).hasSize(1);
    assertThat(read).containsExactly(0L, 1L, 3L, 4L);
  }

  @Test
  void aConsumerThatFailedIsReplaced() throws Exception {
    pollsPerRecord = Integer.MAX_VALUE;
    assertThatThrownBy(() -> read(2, 5)).isInstanceOf(LogException.Unavailable.class);
    pollsPerRecord = 1;
    read(2, 5);

    assertThat(consumers).hasSize(2);
    assertThat(consumers.getFirst().closed()).isTrue();
    assertThat(read).containsExactly(2L, 3L, 4L);
  }
}
