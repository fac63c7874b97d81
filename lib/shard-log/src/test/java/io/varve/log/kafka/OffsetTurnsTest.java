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
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A node that opens many copies at once makes more offset requests than have a turn. The clock is
 * the test's: it advances while a request lasts.
 */
class OffsetTurnsTest {

  private static final TopicPartition PARTITION = new TopicPartition("topic", 0);

  /** Is answered at once. */
  private static final TopicPartition HEALTHY = new TopicPartition("topic", 1);

  private static final String ALL_IN_USE = "all turns of broker 1 were in use";
  private static final int TURNS = OffsetLane.TURNS;
  private static final int REQUESTS = 40;
  private static final long END = 5;
  private static final Duration TIMEOUT = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final Set<Thread.State> WAITS_OR_HAS_ENDED =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED);

  private final AtomicLong nowNanos = new AtomicLong();
  private final Semaphore answers = new Semaphore(0);
  private final AtomicInteger asked = new AtomicInteger();
  private final ConcurrentLinkedQueue<Long> ends = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ScriptedLeaders leaders = new ScriptedLeaders();
  private final OffsetTurns turns = new OffsetTurns(leaders, TIMEOUT, nowNanos::get);
  private volatile boolean brokersAnswer = true;
  private volatile long requestLastsNanos;
  private final KafkaReaders readers =
      new KafkaReaders(BlockedConsumer::new, turns, TIMEOUT, TIMEOUT, nowNanos::get);

  /** Answers, or fails, when the test lets it. */
  private final class BlockedConsumer extends MockConsumer<byte[], byte[]> {
    BlockedConsumer() {
      super("earliest");
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(
        Collection<TopicPartition> partitions, Duration timeout) {
      if (partitions.contains(HEALTHY)) {
        return Map.of(HEALTHY, END);
      }
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

  /** Makes requests, each on its own thread; returns once all of them wait or have ended. */
  private void ask(int requests, TopicPartition partition) {
    for (int i = 0; i < requests; i++) {
      start(() -> ends.add(readers.endOffset(partition)));
    }
    awaitWaits();
  }

  private Thread start(ThrowableAssert.ThrowingCallable request) {
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              Throwable failure = catchThrowable(request);
              if (failure != null) {
                failures.add(failure);
              }
            });
    threads.add(thread);
    return thread;
  }

  private void awaitWaits() {
    await()
        .atMost(LONG)
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

    ask(REQUESTS, PARTITION);
    answerAll();

    assertThat(failures).isEmpty();
    assertThat(ends).hasSize(REQUESTS).containsOnly(END);
    assertThat(nowNanos.get()).isGreaterThan(TIMEOUT.toNanos());
  }

  @Test
  void requestsThatWaitFailWhenNoneWasAnsweredForTheTimeout() throws Exception {
    brokersAnswer = false;
    requestLastsNanos = TIMEOUT.toNanos();

    ask(REQUESTS, PARTITION);
    answerAll();

    assertThat(asked).hasValue(TURNS);
    assertThat(failures)
        .hasSize(REQUESTS)
        .allSatisfy(failure -> assertThat(failure).isInstanceOf(LogException.Unavailable.class));
    assertThat(failures)
        .filteredOn(failure -> failure.getMessage().contains(ALL_IN_USE))
        .hasSize(REQUESTS - TURNS);
  }

  /** Those that have a turn may still keep it. */
  @Test
  void aWaitEndsWhenNoneWasAnsweredForTheTimeoutThoughNoTurnEnds() throws Exception {
    ask(REQUESTS, PARTITION);
    nowNanos.addAndGet(TIMEOUT.toNanos());

    await().atMost(LONG).until(() -> failures.size() == REQUESTS - TURNS);
    assertThat(failures)
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining(ALL_IN_USE));
    answerAll();
    assertThat(ends).hasSize(TURNS);
  }

  @Test
  void noRequestWaitsBehindABrokerThatDoesNotAnswerUnlessItIsForThatOne() throws Exception {
    leaders.move(HEALTHY, 2);
    ask(REQUESTS, PARTITION);

    ask(1, HEALTHY);

    await().atMost(LONG).until(() -> ends.size() == 1);
    assertThat(asked).hasValue(TURNS);
    assertThat(failures).isEmpty();
    answerAll();
  }

  @Test
  void aRequestThatWaitsFollowsItsPartitionToTheNextLeader() throws Exception {
    ask(REQUESTS, PARTITION);
    ask(1, HEALTHY);
    assertThat(ends).isEmpty();

    leaders.move(HEALTHY, 2);

    await().atMost(LONG).until(() -> ends.size() == 1);
    assertThat(asked).hasValue(TURNS);
    answerAll();
  }

  @Test
  void aWaitIsBoundedAlthoughOthersAreAnswered() throws Exception {
    List<OffsetTurns.Turn> used = useAll();
    start(() -> turns.await(PARTITION).close());
    awaitWaits();

    for (int half = 0; half < 2 * OffsetTurns.LONGEST_WAIT; half++) {
      nowNanos.addAndGet(TIMEOUT.toNanos() / 2);
      used.getFirst().answered();
    }

    await().atMost(LONG).until(() -> !failures.isEmpty());
    assertThat(failures)
        .singleElement()
        .satisfies(failure ->
            assertThat(failure).hasMessageContaining("within 10 ms: all turns of broker 1"));
    used.forEach(OffsetTurns.Turn::close);
  }

  @Test
  void aRequestThatIsInterruptedGivesUpItsPlace() throws Exception {
    List<OffsetTurns.Turn> used = useAll();
    Thread waiting = start(() -> turns.await(PARTITION).close());
    awaitWaits();

    waiting.interrupt();
    waiting.join();

    assertThat(failures).singleElement().isInstanceOf(LogException.Unavailable.class);
    used.forEach(OffsetTurns.Turn::close);
    useAll().forEach(OffsetTurns.Turn::close);
  }

  private List<OffsetTurns.Turn> useAll() throws LogException {
    List<OffsetTurns.Turn> used = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      used.add(turns.await(PARTITION));
    }
    return used;
  }
}
