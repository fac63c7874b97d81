package io.varve.log.kafka;

import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.PartitionLog.BatchListener;
import io.varve.process.EssentialThreads;
import io.varve.process.FatalErrors;
import io.varve.process.Sleeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows many partitions on one thread, with at most one follower per partition and one of the
 * {@link TailConsumers} in use. A consumer keeps metrics of each topic that it has ever read,
 * including deleted topics. It is therefore replaced when it has read more than {@value
 * #SPARE_TOPICS} topics plus twice the number of topics that are followed.
 *
 * <p>The partition of a listener that is not ready is paused, which stops only the fetches of this
 * partition.
 *
 * <p>During an outage of a broker, this thread waits. A follower whose position or topic is gone,
 * or whose listener throws, is notified of the loss and removed; the others continue.
 */
final class KafkaTail implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaTail.class);
  static final int SPARE_TOPICS = 256;
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final long BACK_OFF_NANOS = Duration.ofMillis(200).toNanos();

  /**
   * A subscription to a partition; identity distinguishes it from earlier ones for the same
   * partition.
   */
  private static final class Follower {
    final TopicPartition partition;
    final long from;
    final BatchListener listener;

    Follower(TopicPartition partition, long from, BatchListener listener) {
      this.partition = partition;
      this.from = from;
      this.listener = listener;
    }
  }

  private final TailConsumers consumers;
  private final TopicIdentities identities;
  private final Sleeper sleeper;
  private final Thread thread;
  private final Map<TopicPartition, Follower> wanted = new HashMap<>();
  private final Map<TopicPartition, Follower> assigned = new HashMap<>();

  /** The topics that the consumer has ever read. */
  private final Set<String> read = new HashSet<>();

  private boolean closed;

  KafkaTail(String name, TailConsumers consumers, TopicIdentities identities, Sleeper sleeper) {
    this.consumers = consumers;
    this.identities = identities;
    this.sleeper = sleeper;
    thread =
        Thread.ofPlatform()
            .daemon()
            .name(name)
            .start(EssentialThreads.ofThisProcess().body(name, this::run));
  }

  /** Returns {@code null} if the partition already has a follower here. */
  synchronized PartitionLog.@Nullable Subscription follow(
      TopicPartition partition, long from, BatchListener listener) {
    if (closed || wanted.containsKey(partition)) {
      return null;
    }
    Follower follower = new Follower(partition, from, listener);
    wanted.put(partition, follower);
    notifyAll();
    consumers.wakeup();
    return new PartitionLog.Subscription() {
      @Override
      public void resume() {
        wake(follower);
      }

      @Override
      public void close() {
        drop(follower);
      }
    };
  }

  private synchronized void wake(Follower follower) {
    if (isWanted(follower)) {
      consumers.wakeup();
    }
  }

  private synchronized void drop(Follower follower) {
    if (wanted.remove(follower.partition, follower)) {
      consumers.wakeup();
    }
  }

  private void run() {
    try {
      while (awaitWork()) {
        step();
      }
    } catch (RuntimeException | Error e) {
      LOG.error("the thread that follows the log has failed", e);
      loseAll("the tail of the log ended: " + e);
      throw e;
    } finally {
      consumers.close();
    }
  }

  /** Ends tailing: current followers are notified, and later ones are refused. */
  private void loseAll(String reason) {
    List<Follower> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(wanted.values());
    }
    all.forEach(follower -> lose(follower, reason));
  }

  private void step() {
    try {
      reassign();
      loseWhatIsGone();
      if (!assigned.isEmpty()) {
        consumers.rest();
        pauseAndResume();
        ConsumerRecords<byte[], byte[]> records = consumers.poll(POLL);
        if (consumers.hasReconnected()) {
          assigned.values().forEach(follower -> follower.listener.reconnected());
        }
        deliver(records);
      }
    } catch (WakeupException e) {
      LOG.trace("woken for a change of partitions", e);
    } catch (OffsetOutOfRangeException e) {
      e.offsetOutOfRangePartitions()
          .forEach((partition, offset) ->
              lose(partition, "offset " + offset + " of " + partition + " is gone"));
    } catch (RuntimeException e) {
      LOG.warn("polling the log failed, retrying", e);
      sleeper.sleep(BACK_OFF_NANOS);
    }
  }

  private void pauseAndResume() {
    List<TopicPartition> full = partitions(false);
    List<TopicPartition> ready = partitions(true);
    if (full.isEmpty() && ready.isEmpty()) {
      return;
    }
    if (consumers.usePrompt()) {
      // Nothing is paused at that consumer.
      full = partitions(false);
      ready = List.of();
    }
    consumers.current().pause(full);
    consumers.current().resume(ready);
  }

  /**
   * Returns the paused partitions whose listener is ready, or the partitions that are not paused
   * and whose listener is not ready.
   */
  private List<TopicPartition> partitions(boolean paused) {
    Set<TopicPartition> pauses = consumers.current().paused();
    List<TopicPartition> found = new ArrayList<>();
    assigned.forEach((partition, follower) -> {
      if (pauses.contains(partition) == paused && follower.listener.isReady() == paused) {
        found.add(partition);
      }
    });
    return found;
  }

  /** Waits until a partition is followed; false when the tail is closed. */
  private synchronized boolean awaitWork() {
    while (!closed && wanted.isEmpty()) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        closed = true;
      }
    }
    return !closed;
  }

  private void reassign() {
    if (!isChanged()) {
      return;
    }
    consumers.usePrompt();
    List<Follower> fresh = new ArrayList<>();
    synchronized (this) {
      for (Follower follower : wanted.values()) {
        if (assigned.get(follower.partition) != follower) {
          fresh.add(follower);
        }
      }
      assigned.clear();
      assigned.putAll(wanted);
    }
    consumers.assign(assigned.keySet());
    for (Follower follower : fresh) {
      consumers.seek(follower.partition, follower.from);
      read.add(follower.partition.topic());
    }
    if (read.size() > SPARE_TOPICS + 2 * assigned.size()) {
      consumers.renew();
      read.clear();
      assigned.keySet().forEach(partition -> read.add(partition.topic()));
    }
  }

  private synchronized boolean isChanged() {
    return !wanted.equals(assigned);
  }

  private void loseWhatIsGone() {
    Set<String> topics = new HashSet<>();
    assigned.keySet().forEach(partition -> topics.add(partition.topic()));
    Set<String> gone = identities.gone(topics);
    if (!gone.isEmpty()) {
      for (TopicPartition partition : List.copyOf(assigned.keySet())) {
        if (gone.contains(partition.topic())) {
          lose(partition, "the topic of " + partition + " was deleted");
        }
      }
      reassign();
    }
  }

  private void deliver(ConsumerRecords<byte[], byte[]> records) {
    for (TopicPartition partition : records.partitions()) {
      Follower follower = assigned.get(partition);
      if (follower == null || !isWanted(follower)) {
        continue;
      }
      List<StoredRecord> batch =
          records.records(partition).stream().map(KafkaRecords::stored).toList();
      try {
        consumers
            .logEnd(partition)
            .ifPresent(end -> follower.listener.logEnd(end.offset(), end.ageNanos()));
        follower.listener.records(batch);
      } catch (RuntimeException | Error e) {
        FatalErrors.endOn(e);
        LOG.error("a follower of {} failed", partition, e);
        lose(follower, "its follower failed: " + e);
      }
    }
  }

  private synchronized boolean isWanted(Follower follower) {
    return wanted.get(follower.partition) == follower;
  }

  private void lose(TopicPartition partition, String reason) {
    Follower follower = assigned.get(partition);
    if (follower != null) {
      lose(follower, reason);
    }
  }

  private void lose(Follower follower, String reason) {
    if (!isWanted(follower)) {
      return;
    }
    drop(follower);
    try {
      follower.listener.lost(new LogException.OutOfRange(reason));
    } catch (RuntimeException | Error e) {
      LOG.error("a follower of {} failed in its lost callback", follower.partition, e);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    consumers.wakeup();
    try {
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
