package io.varve.log.kafka;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/** Leaders that the test assigns; broker 1 leads all other partitions. */
final class ScriptedLeaders implements OffsetTurns.Leaders {

  private final Map<TopicPartition, Integer> moved = new ConcurrentHashMap<>();

  void move(TopicPartition partition, int leader) {
    moved.put(partition, leader);
  }

  @Override
  public int of(TopicPartition partition) {
    return moved.getOrDefault(partition, 1);
  }

  @Override
  public void forget(TopicPartition partition) {
    // Each call asks the test's broker.
  }
}
