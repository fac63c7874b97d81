package io.varve.changes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the state of the fence back from the committed offset of each assigned partition, and sets
 * the offset of a group that has none.
 */
final class ChangeAssignments {

  private final ChangeStart start;
  private final boolean anew;
  private final Set<TopicPartition> begun = ConcurrentHashMap.newKeySet();

  /**
   * @param anew whether partitions start at {@code start} even if the group has an offset; only at
   *     their first assignment
   */
  ChangeAssignments(ChangeStart start, boolean anew) {
    this.start = start;
    this.anew = anew;
  }

  /** These partitions were added to the assignment; none of their records was read. */
  void assigned(
      Consumer<?, ?> consumer, PartitionFences fences, Collection<TopicPartition> partitions) {
    fences.retain(consumer.assignment());
    if (partitions.isEmpty()) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(Set.copyOf(partitions));
    List<TopicPartition> toBegin = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      OffsetAndMetadata offset = committed.get(partition);
      boolean first = begun.add(partition);
      if (offset == null || (anew && first)) {
        toBegin.add(partition);
      } else {
        FenceState.read(offset.offset(), offset.metadata())
            .ifPresent(state -> fences.resume(partition, state));
      }
    }
    begin(consumer, toBegin);
  }

  /** Commits the start, so that a group that stops before its first change resumes there. */
  private void begin(Consumer<?, ?> consumer, List<TopicPartition> partitions) {
    if (partitions.isEmpty()) {
      return;
    }
    switch (start) {
      case BEGINNING -> consumer.seekToBeginning(partitions);
      case END -> consumer.seekToEnd(partitions);
    }
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (TopicPartition partition : partitions) {
      offsets.put(partition, new OffsetAndMetadata(consumer.position(partition)));
    }
    consumer.commitSync(offsets);
  }
}
