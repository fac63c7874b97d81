package io.varve.log.kafka;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/**
 * A producer that the partitions of a process share, and the set of partitions for which it was
 * used.
 *
 * <p>It is usable until it is retired or fails. After it is retired, a partition changes to another
 * producer once none of its appends is in flight here, which keeps their order; after the last
 * append, the producer is closed. After a failure, partitions change immediately, and appends in
 * flight end with an unknown outcome.
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

  /**
   * Returns false if the producer is closed. Each call that returned true must be followed by
   * {@link #end}.
   */
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

  /**
   * Runs on another thread, because the current one may be the producer's own, which would wait for
   * itself.
   */
  private void close(Duration timeout) {
    Thread.ofVirtual().start(() -> producer.close(timeout));
  }
}
