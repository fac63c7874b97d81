package io.varve.log.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producers of a process: the current one, and retired ones whose last appends are in flight.
 *
 * <p>A producer keeps metrics of each topic and a queue of each partition that it has ever written
 * to, including those of deleted topics, and checks all of these queues whenever it sends. The
 * current producer is therefore retired when it was used for {@value #SPARE_PARTITIONS} partitions
 * plus twice the number of partitions in use.
 */
final class Producers {

  private static final Logger LOG = LoggerFactory.getLogger(Producers.class);

  static final int SPARE_PARTITIONS = 64;

  private final Supplier<? extends Producer<byte[], byte[]>> factory;
  private final IntSupplier partitionsInUse;
  private final List<SharedProducer> retired = new ArrayList<>();
  private @Nullable SharedProducer current;
  private boolean closed;

  /** The first producer is created at the first append: read-only users need none. */
  Producers(Supplier<? extends Producer<byte[], byte[]>> factory, IntSupplier partitionsInUse) {
    this.factory = factory;
    this.partitionsInUse = partitionsInUse;
  }

  /**
   * The producer for the next appends to a partition.
   *
   * @throws IllegalStateException after close
   */
  synchronized SharedProducer use(TopicPartition partition) {
    if (closed) {
      throw new IllegalStateException("the log is closed");
    }
    SharedProducer producer = current;
    if (producer != null
        && producer.partitions() >= SPARE_PARTITIONS + 2 * partitionsInUse.getAsInt()) {
      LOG.debug("retiring a producer that was used for {} partitions", producer.partitions());
      retired.removeIf(SharedProducer::isClosed);
      retired.add(producer);
      producer.retire();
      producer = null;
    }
    if (producer == null) {
      producer = new SharedProducer(factory.get());
      current = producer;
    }
    producer.usedFor(partition);
    return producer;
  }

  /** Retires the producer after a fatal error. The next append creates another one. */
  synchronized void failed(SharedProducer failing, Exception failure) {
    if (closed || failing.hasFailed()) {
      return;
    }
    LOG.warn("replacing a producer after a fatal error", failure);
    if (failing.equals(current)) {
      current = null;
    }
    retired.remove(failing);
    failing.fail();
  }

  /** Waits for the appends in flight. */
  void close(Duration timeout) {
    List<SharedProducer> open = new ArrayList<>();
    synchronized (this) {
      closed = true;
      open.addAll(retired);
      if (current != null) {
        open.add(current);
      }
    }
    open.forEach(producer -> producer.producer().close(timeout));
  }
}
