package io.varve.log;

import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The message log's twin in memory, for tests: same order, same offsets, no faults of its own.
 * Callbacks and deliveries run on the executor that it is given; with {@code Runnable::run} all
 * happens on the caller's thread.
 */
public final class InMemoryMessageLog implements MessageLog {

  private static final int MAX_RECORD_BYTES = 1 << 20;

  private final Executor executor;
  private final LongSupplier clockMillis;
  private final Map<String, Topic> topics = new TreeMap<>();
  private int topicsMade;

  public InMemoryMessageLog(Executor executor, LongSupplier clockMillis) {
    this.executor = executor;
    this.clockMillis = clockMillis;
  }

  private record Topic(String id, Map<Integer, InMemoryPartition> partitions) {}

  @Override
  public synchronized PartitionLog open(String topic, int partition) {
    return topic(topic)
        .partitions()
        .computeIfAbsent(partition, n -> new InMemoryPartition(topic, n));
  }

  private Topic topic(String name) {
    return topics.computeIfAbsent(name, n -> new Topic("topic-" + ++topicsMade, new TreeMap<>()));
  }

  @Override
  public synchronized void createTopic(TopicSpec topic) {
    topic(topic.name());
  }

  @Override
  public synchronized void deleteTopic(String topic) {
    topics.remove(topic);
  }

  @Override
  public synchronized String topicId(String topic) throws LogException.OutOfRange {
    Topic found = topics.get(topic);
    if (found == null) {
      throw new LogException.OutOfRange("there is no topic " + topic);
    }
    return found.id();
  }

  @Override
  public void close() {
    // What is in memory needs no letting go.
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

    /** Where a subscription stands. */
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
            if (closed || (delivering && next >= end())) {
              delivering = false;
              return;
            }
            if (next < start || next > end()) {
              closed = true;
              followers.remove(this);
              batch = List.of();
            } else {
              batch = List.copyOf(records.subList((int) (next - start), records.size()));
              next = end();
            }
          }
          if (closed) {
            listener.lost(
                new LogException.OutOfRange("offset " + next + " of " + topic + " is gone"));
            return;
          }
          if (!batch.isEmpty()) {
            listener.records(batch);
          }
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
      long timestampMillis = clockMillis.getAsLong();
      long offset;
      synchronized (this) {
        offset = end();
        records.add(new StoredRecord(offset, timestampMillis, record));
        followers.forEach(this::schedule);
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
        if (fromOffset < start || toOffset > end()) {
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
