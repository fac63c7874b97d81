package io.varve.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.RawRecord;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopicTailTest {

  private static final String TOPIC = "beats";

  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final MessageLog log = new InMemoryMessageLog(executor, () -> 0);
  private final AtomicInteger silences = new AtomicInteger();
  private final AtomicReference<PartitionLog.@Nullable BatchListener> first =
      new AtomicReference<>();
  private final Queue<Long> seen = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void create() throws LogException {
    log.createTopic(new TopicSpec(TOPIC, 1, 1, Map.of()));
  }

  @AfterEach
  void close() {
    executor.close();
  }

  @Test
  void readingContinuesAfterTheOffsetWasTruncatedAsSoonAsTheLogAnswers() throws Exception {
    try (TopicTail tail =
        new TopicTail(
            sometimesSilent(),
            TOPIC,
            TopicTail.From.START,
            (_, stored) -> seen.add(stored.offset()),
            executor,
            Duration.ofMillis(1))) {
      tail.start(1);
      silences.set(2);

      PartitionLog.BatchListener lost = first.get();
      assertThat(lost).isNotNull();
      lost.lost(new LogException.OutOfRange("truncated"));
      Appends.await(log.open(TOPIC, 0), RawRecord.keyed(new byte[] {1}, new byte[0]));

      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(seen).containsExactly(0L));
      assertThat(silences).hasValue(0);
    }
  }

  @Test
  void closingEndsThePauseBetweenAttempts() throws Exception {
    TopicTail tail =
        new TopicTail(
            sometimesSilent(),
            TOPIC,
            TopicTail.From.START,
            (_, stored) -> seen.add(stored.offset()),
            executor,
            Duration.ofDays(1));
    tail.start(1);
    silences.set(Integer.MAX_VALUE);
    PartitionLog.BatchListener lost = first.get();
    assertThat(lost).isNotNull();
    lost.lost(new LogException.OutOfRange("truncated"));
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> silences.get() < Integer.MAX_VALUE);

    tail.close();

    executor.shutdown();
    assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  /**
   * A log whose start offset can't be read a number of times, and which delivers nothing to its
   * first reader.
   */
  private MessageLog sometimesSilent() {
    PartitionLog partition = log.open(TOPIC, 0);
    PartitionLog silent =
        (PartitionLog)
            Proxy.newProxyInstance(
                PartitionLog.class.getClassLoader(),
                new Class<?>[] {PartitionLog.class},
                (proxy, method, arguments) -> {
                  switch (method.getName()) {
                    case "startOffset" -> {
                      if (silences.get() > 0) {
                        silences.decrementAndGet();
                        throw new LogException.Unavailable("silent");
                      }
                    }
                    case "subscribe" -> {
                      if (first.compareAndSet(null, (PartitionLog.BatchListener) arguments[1])) {
                        PartitionLog.Subscription nothing = () -> {};
                        return nothing;
                      }
                    }
                    default -> {}
                  }
                  try {
                    return method.invoke(partition, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return (MessageLog)
        Proxy.newProxyInstance(
            MessageLog.class.getClassLoader(),
            new Class<?>[] {MessageLog.class},
            (proxy, method, arguments) -> silent);
  }
}
