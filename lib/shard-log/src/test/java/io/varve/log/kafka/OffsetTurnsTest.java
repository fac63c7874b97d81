package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.varve.log.LogException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A node that opens many copies at once makes more offset requests than have a turn. The clock is
 * the test's: it advances while a request lasts.
 */
class OffsetTurnsTest {

  private static final TopicPartition PARTITION = new TopicPartition("topic", 0);
  private static final int TURNS = 4;
  private static final int REQUESTS = 40;
  private static final long END = 5;
  private static final Duration TIMEOUT = Duration.ofMillis(1);
  private static final Set<Thread.State> WAITS_OR_HAS_ENDED =
      EnumSet.of(Thread.State.WAITING, Thread.State.TERMINATED);

  private final AtomicLong nowNanos = new AtomicLong();
  private final Semaphore answers = new Semaphore(0);
  private final AtomicInteger asked = new AtomicInteger();
  private final ConcurrentLinkedQueue<Long> ends = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean brokersAnswer = true;
  private volatile long requestLastsNanos;
  private final KafkaReaders readers =
      new KafkaReaders(BlockedConsumer::new, TIMEOUT, TIMEOUT, nowNanos::get);

  /** Answers, or fails, when the test lets it. */
  private final class BlockedConsumer extends MockConsumer<byte[], byte[]> {
    BlockedConsumer() {
      super("earliest");
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(
        Collection<TopicPartition> partitions, Duration timeout) {
      asked.incrementAndGet();
      answers.acquireUninterruptibly();
      nowNanos.addAndGet(requestLastsNanos);
      if (!brokersAnswer) {
        throw new TimeoutException("on purpose");
      }
      return Map.of(PARTITION, END);
    }
  }

  @AfterEach
  void close() {
    readers.close();
  }

  /** Makes the requests, each on its own thread; returns once all of them wait or have ended. */
  private void ask() {
    for (int i = 0; i < REQUESTS; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                Throwable failure = catchThrowable(() -> ends.add(readers.endOffset(PARTITION)));
                if (failure != null) {
                  failures.add(failure);
                }
              }));
    }
    await()
        .atMost(Duration.ofMinutes(5))
        .until(() ->
            threads.stream().allMatch(thread -> WAITS_OR_HAS_ENDED.contains(thread.getState())));
  }

  private void answerAll() throws InterruptedException {
    answers.release(REQUESTS);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void aRequestMayWaitLongerThanTheTimeoutWhileOthersAreAnswered() throws Exception {
    // A turn may be granted while all other requests are about to be answered.
    requestLastsNanos = TIMEOUT.toNanos() / (2 * TURNS);

    ask();
    answerAll();

    assertThat(failures).isEmpty();
    assertThat(ends).hasSize(REQUESTS).containsOnly(END);
    assertThat(nowNanos.get()).isGreaterThan(TIMEOUT.toNanos());
  }

  @Test
  void requestsThatWaitFailWhenNoneWasAnsweredForTheTimeout() throws Exception {
    brokersAnswer = false;
    requestLastsNanos = TIMEOUT.toNanos();

    ask();
    answerAll();

    assertThat(asked).hasValue(TURNS);
    assertThat(failures)
        .hasSize(REQUESTS)
        .allSatisfy(failure -> assertThat(failure).isInstanceOf(LogException.Unavailable.class));
    assertThat(failures)
        .filteredOn(failure -> failure.getMessage().contains("no offset request was answered"))
        .hasSize(REQUESTS - TURNS);
  }
}
