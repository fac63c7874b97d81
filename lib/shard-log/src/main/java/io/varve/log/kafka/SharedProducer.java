package io.varve.log.kafka;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/**
 * A producer that the partitions of a process share, with those that it was used for.
 *
 * <p>It is usable until it is retired or fails. Retired: a partition changes to another producer
 * once none of its appends is in flight here, which keeps their order; after the last append the
 * producer is closed. Failed: partitions change at once, and appends in flight end as unknown.
 */
final class SharedProducer {

  private static final int CLOSED = -1;

  private final Producer<byte[], byte[]> producer;
  private final Set<TopicPartition> partitions = ConcurrentHashMap.newKeySet();

  /** {@link #CLOSED}, or the number of appends in flight. */
  private final AtomicInteger inFlight = new AtomicInteger();

  private volatile boolean retired;
  private volatile boolean failed;

  SharedProducer(Producer<byte[], byte[]> producer) {
    this.producer = producer;
  }

  Producer<byte[], byte[]> producer() {
    return producer;
  }

  void usedFor(TopicPartition partition) {
    partitions.add(partition);
  }

  int partitions() {
    return partitions.size();
  }

  /** False: it is closed. Each call that returned true must be followed by {@link #end}. */
  boolean begin() {
    return inFlight.updateAndGet(count -> count == CLOSED ? CLOSED : count + 1) != CLOSED;
  }

  void end() {
    if (inFlight.decrementAndGet() == 0 && retired) {
      closeIfIdle();
    }
  }

  boolean isRetired() {
    return retired;
  }

  boolean hasFailed() {
    return failed;
  }

  boolean isClosed() {
    return inFlight.get() == CLOSED;
  }

  void retire() {
    retired = true;
    closeIfIdle();
  }

  private void closeIfIdle() {
    if (inFlight.compareAndSet(0, CLOSED)) {
      close(Duration.ofSeconds(1));
    }
  }

  void fail() {
    failed = true;
    close(Duration.ZERO);
  }

  /** Not on the producer's own thread, which may be the current one: it would wait for itself. */
  private void close(Duration timeout) {
    Thread.ofVirtual().start(() -> producer.close(timeout));
  }
}
