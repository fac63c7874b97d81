package io.varve.log;

import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In-memory twin of the message log, for tests: same order, same offsets, no faults of its own.
 * Callbacks and deliveries run on the given executor; with {@code Runnable::run} everything runs on
 * the caller's thread.
 */
public final class InMemoryMessageLog implements MessageLog {

  private static final int MAX_RECORD_BYTES = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(InMemoryMessageLog.class);

  private final Executor executor;
  private final LongSupplier clockMillis;
  private final Map<String, String> ids = new TreeMap<>();
  private final Map<String, Map<Integer, InMemoryPartition>> partitions = new TreeMap<>();
  private int topicsMade;

  public InMemoryMessageLog(Executor executor, LongSupplier clockMillis) {
    this.executor = executor;
    this.clockMillis = clockMillis;
  }

  @Override
  public synchronized PartitionLog open(String topic, int partition) {
    makeId(topic);
    return partitions
        .computeIfAbsent(topic, name -> new TreeMap<>())
        .computeIfAbsent(partition, number -> new InMemoryPartition(topic, number));
  }

  private void makeId(String topic) {
    ids.computeIfAbsent(topic, name -> "topic-" + ++topicsMade);
  }

  @Override
  public synchronized void createTopic(TopicSpec topic) {
    makeId(topic.name());
  }

  /** Openers of a partition see it empty, as after re-creating the topic. */
  @Override
  public synchronized void deleteTopic(String topic) {
    if (ids.remove(topic) != null) {
      partitions.getOrDefault(topic, Map.of()).values().forEach(InMemoryPartition::empty);
    }
  }

  @Override
  public synchronized Set<String> topics() {
    return Set.copyOf(ids.keySet());
  }

  @Override
  public synchronized String topicId(String topic) throws LogException.OutOfRange {
    String id = ids.get(topic);
    if (id == null) {
      throw new LogException.OutOfRange("there is no topic " + topic);
    }
    return id;
  }

  /** Fault injection: the partition loses the records from {@code endOffset} on. */
  public void cutEnd(String topic, int partition, long endOffset) {
    ((InMemoryPartition) open(topic, partition)).cutEnd(endOffset);
  }

  @Override
  public void close() {
    // Nothing to release.
  }

  private final class InMemoryPartition implements PartitionLog {

    private final String topic;
    private final int number;
    private final List<StoredRecord> records = new ArrayList<>();
    private final List<Follower> followers = new ArrayList<>();
    private long start;

    InMemoryPartition(String topic, int number) {
      this.topic = topic;
      this.number = number;
    }

    /** A subscription and its position. */
    private final class Follower implements Subscription {
      final BatchListener listener;
      long next;
      boolean delivering;
      boolean closed;

      Follower(long from, BatchListener listener) {
        this.next = from;
        this.listener = listener;
      }

      void deliver() {
        while (true) {
          List<StoredRecord> batch;
          synchronized (InMemoryPartition.this) {
            if (closed || next == end() || !listener.isReady()) {
              delivering = false;
              return;
            }
            if (next < start || next > end()) {
              break;
            }
            batch = List.copyOf(records.subList((int) (next - start), records.size()));
            next = end();
          }
          try {
            listener.logEnd(batch.getLast().offset() + 1, 0);
            listener.records(batch);
          } catch (RuntimeException | Error e) {
            LOG.error("a follower of {} failed", topic, e);
            break;
          }
        }
        lose();
      }

      /** Closes the subscription and notifies the listener. */
      void lose() {
        synchronized (InMemoryPartition.this) {
          if (closed) {
            return;
          }
          close();
        }
        listener.lost(new LogException.OutOfRange("offset " + next + " of " + topic + " is gone"));
      }

      @Override
      public void resume() {
        synchronized (InMemoryPartition.this) {
          schedule(this);
        }
      }

      @Override
      public void close() {
        synchronized (InMemoryPartition.this) {
          closed = true;
          followers.remove(this);
        }
      }
    }

    @Override
    public String topic() {
      return topic;
    }

    @Override
    public int partition() {
      return number;
    }

    @Override
    public int maxRecordBytes() {
      return MAX_RECORD_BYTES;
    }

    @Override
    public void append(RawRecord record, AppendCallback callback) {
      if (record.sizeBytes() > MAX_RECORD_BYTES) {
        throw new IllegalArgumentException(
            "a record of "
                + record.sizeBytes()
                + " bytes exceeds the limit of "
                + MAX_RECORD_BYTES);
      }
      long timestampMillis = clockMillis.getAsLong();
      long offset;
      synchronized (this) {
        offset = end();
        records.add(new StoredRecord(offset, timestampMillis, record));
        List.copyOf(followers).forEach(this::schedule);
      }
      executor.execute(() -> callback.appended(offset, timestampMillis));
    }

    private void schedule(Follower follower) {
      if (!follower.delivering) {
        follower.delivering = true;
        executor.execute(follower::deliver);
      }
    }

    @Override
    public void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException {
      List<StoredRecord> range;
      synchronized (this) {
        if (fromOffset < start || fromOffset > toOffset || toOffset > end()) {
          throw new LogException.OutOfRange(
              "[" + fromOffset + ", " + toOffset + ") is not in [" + start + ", " + end() + ")");
        }
        range = List.copyOf(records.subList((int) (fromOffset - start), (int) (toOffset - start)));
      }
      range.forEach(visitor::visit);
    }

    @Override
    public synchronized long startOffset() {
      return start;
    }

    @Override
    public synchronized long endOffset() {
      return end();
    }

    private long end() {
      return start + records.size();
    }

    @Override
    public synchronized Subscription subscribe(long fromOffset, BatchListener listener) {
      Follower follower = new Follower(fromOffset, listener);
      followers.add(follower);
      schedule(follower);
      return follower;
    }

    /** Followers beyond the new end are lost, as on a restarted broker. */
    synchronized void cutEnd(long endOffset) {
      if (endOffset < start) {
        throw new IllegalArgumentException(
            "can't cut at " + endOffset + ", the log begins at " + start);
      }
      if (endOffset < end()) {
        records.subList((int) (endOffset - start), records.size()).clear();
        List.copyOf(followers).forEach(this::schedule);
      }
    }

    synchronized void empty() {
      records.clear();
      start = 0;
      List.copyOf(followers).forEach(follower -> executor.execute(follower::lose));
    }

    @Override
    public synchronized void truncateBefore(long offset) throws LogException {
      if (offset > end()) {
        throw new LogException.OutOfRange(
            "can't truncate before " + offset + ", the end is " + end());
      }
      if (offset > start) {
        records.subList(0, (int) (offset - start)).clear();
        start = offset;
      }
    }
  }
}
