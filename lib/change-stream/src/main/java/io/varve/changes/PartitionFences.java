package io.varve.changes;

import io.varve.events.MalformedRecordException;
import io.varve.events.RawRecord;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;

/**
 * The fences of one consumer's partitions. Only the thread that polls the consumer uses them. A
 * filter does not receive the consumer, and finds them by this thread.
 */
final class PartitionFences {

  private static final Logger LOG = LoggerFactory.getLogger(PartitionFences.class);
  private static final ThreadLocal<@Nullable PartitionFences> OF_THREAD = new ThreadLocal<>();

  private final StartingFences starting;
  private final Map<TopicPartition, FenceHistory> histories = new HashMap<>();

  PartitionFences(StartingFences starting) {
    this.starting = starting;
  }

  /** The fences of the consumer that this thread polls. */
  static PartitionFences ofThread() {
    PartitionFences fences = OF_THREAD.get();
    if (fences == null) {
      throw new IllegalStateException(
          "the filter of changes needs a consumer of the container factory ["
              + ChangeContainers.FACTORY
              + "]");
    }
    return fences;
  }

  void bind() {
    OF_THREAD.set(this);
  }

  static void unbind() {
    OF_THREAD.remove();
  }

  /** These partitions are assigned; the states of others are forgotten. */
  void retain(Collection<TopicPartition> assigned) {
    histories.keySet().retainAll(assigned);
  }

  /** The state that was committed with the offset at which reading resumes. */
  void resume(TopicPartition partition, LogPosition committed) {
    histories.put(partition, new FenceHistory(committed));
  }

  /**
   * Whether the record is an accepted operation.
   *
   * @throws ChangeStreamException the changes of this shard can't be delivered further
   */
  boolean accepts(ConsumerRecord<byte[], byte[]> record) {
    FenceHistory history = history(record);
    if (history.isBeforeKnown(record.offset())) {
      return false;
    }
    RawRecord raw = ChangeRecords.raw(record);
    try {
      return switch (history.judge(record.offset(), raw)) {
        case ACCEPTED -> true;
        case FENCE_WON, FENCE_LOST, OUT_OF_SEQUENCE -> false;
        case STALE_TERM -> {
          refuseMissedFence(history, record, raw);
          yield false;
        }
        case REVIVED ->
            throw new ChangeStreamException.Lost(
                ChangeRecords.name(record)
                    + " continues a log that lost operations. Read the documents of the index again,"
                    + " then set the group's offset to "
                    + (record.offset() + 1));
      };
    } catch (MalformedRecordException e) {
      throw new ChangeStreamException.Unreadable(ChangeRecords.name(record), e);
    }
  }

  private static void refuseMissedFence(
      FenceHistory history, ConsumerRecord<byte[], byte[]> record, RawRecord raw) {
    LogPosition before = history.at(record.offset());
    if (FenceHistory.fence(before).isBeforeFenceOf(raw)) {
      throw new ChangeStreamException.Lost(
          ChangeRecords.name(record)
              + " is an operation of a later term than "
              + before.fenceTerm()
              + ", whose fence is not before it: the topic was replaced or restored. Read the"
              + " documents of the index again, and delete the group's offsets");
    }
  }

  private FenceHistory history(ConsumerRecord<byte[], byte[]> record) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    FenceHistory known = histories.get(partition);
    if (known != null && (known.covers(record.offset()) || known.isBeforeKnown(record.offset()))) {
      return known;
    }
    FenceHistory found = find(record);
    histories.put(partition, found);
    return found;
  }

  private FenceHistory find(ConsumerRecord<byte[], byte[]> record) {
    LogPosition start;
    try {
      start = starting.at(ChangeTopic.of(record.topic()), record.partition(), record.offset());
    } catch (LogException e) {
      throw new KafkaException(
          "the term in force at " + ChangeRecords.name(record) + " could not be determined", e);
    }
    if (start.nextOffset() > record.offset()) {
      LOG.warn(
          "the log of shard {} of [{}] was truncated: changes at offsets {} to {} are not"
              + " delivered, because their terms can't be verified",
          record.partition(),
          record.topic(),
          record.offset(),
          start.nextOffset() - 1);
    }
    return new FenceHistory(record.offset(), start);
  }

  /** The same offsets with the state of the fence at each, where it is known. */
  Map<TopicPartition, OffsetAndMetadata> described(Map<TopicPartition, OffsetAndMetadata> offsets) {
    Map<TopicPartition, OffsetAndMetadata> described = new HashMap<>();
    offsets.forEach((partition, offset) -> described.put(partition, described(partition, offset)));
    return described;
  }

  private OffsetAndMetadata described(TopicPartition partition, OffsetAndMetadata offset) {
    FenceHistory history = histories.get(partition);
    return history == null || !history.covers(offset.offset())
        ? offset
        : new OffsetAndMetadata(
            offset.offset(), offset.leaderEpoch(), FenceState.write(history.at(offset.offset())));
  }

  /** These offsets are committed: the container does not move back to earlier ones. */
  void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach((partition, offset) -> {
      FenceHistory history = histories.get(partition);
      if (history != null) {
        history.forgetBefore(offset.offset());
      }
    });
  }
}
