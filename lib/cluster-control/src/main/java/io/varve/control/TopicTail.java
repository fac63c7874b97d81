package io.varve.control;

import io.varve.events.MalformedRecordException;
import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all partitions of a topic that isn't fenced. If the position was truncated, it continues at
 * the start of the log, because only the newest record of a key matters.
 */
final class TopicTail implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TopicTail.class);

  static final Duration PAUSE = Duration.ofSeconds(1);

  /** The offset at which reading begins. */
  enum From {
    START,
    END
  }

  /** Receives the records. */
  @FunctionalInterface
  interface Reader {
    void read(int partition, StoredRecord stored);
  }

  private final MessageLog log;
  private final String topic;
  private final From from;
  private final Reader reader;
  private final Executor blocking;
  private final Duration pause;
  private final List<PartitionLog.Subscription> subscriptions = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);

  /**
   * @param reader called by one thread at a time per partition
   * @param pause between attempts to follow a partition again
   */
  TopicTail(
      MessageLog log, String topic, From from, Reader reader, Executor blocking, Duration pause) {
    this.log = log;
    this.topic = topic;
    this.from = from;
    this.reader = reader;
    this.blocking = blocking;
    this.pause = pause;
  }

  void start(int partitions) throws LogException {
    for (int partition = 0; partition < partitions; partition++) {
      follow(log.open(topic, partition));
    }
  }

  private void follow(PartitionLog partition) throws LogException {
    long offset = from == From.START ? partition.startOffset() : partition.endOffset();
    PartitionLog.BatchListener listener =
        new PartitionLog.BatchListener() {
          @Override
          public void records(List<StoredRecord> batch) {
            batch.forEach(stored -> read(partition.partition(), stored));
          }

          @Override
          public void lost(LogException.OutOfRange reason) {
            LOG.warn("{}: the position is no longer in the log: {}", topic, reason.getMessage());
            blocking.execute(() -> followAgain(partition));
          }
        };
    synchronized (this) {
      if (end.getCount() > 0) {
        subscriptions.add(partition.subscribe(offset, listener));
      }
    }
  }

  /**
   * Retries until the log answers; otherwise this process would never receive records of the
   * partition again.
   */
  private void followAgain(PartitionLog partition) {
    try {
      do {
        try {
          follow(partition);
          return;
        } catch (LogException e) {
          LOG.warn("could not follow {}, retrying: {}", topic, e.getMessage());
        }
      } while (pause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** False once this is closed. */
  private boolean pause() throws InterruptedException {
    return !end.await(pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void read(int partition, StoredRecord stored) {
    try {
      reader.read(partition, stored);
    } catch (MalformedRecordException e) {
      LOG.warn("{} offset {} can't be decoded: {}", topic, stored.offset(), e.getMessage());
    }
  }

  @Override
  public synchronized void close() {
    end.countDown();
    subscriptions.forEach(PartitionLog.Subscription::close);
    subscriptions.clear();
  }
}
