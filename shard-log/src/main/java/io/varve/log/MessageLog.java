package io.varve.log;

import java.util.Set;

/**
 * A message log of named topics: Kafka in production, {@link InMemoryMessageLog} in the simulator.
 */
public interface MessageLog extends AutoCloseable {

  /**
   * A partition to append to, read and follow. Opening it twice is cheap; the topic need not exist
   * yet.
   */
  PartitionLog open(String topic, int partition);

  /**
   * Creates the topic unless it exists with the same number of partitions; blocks until it can be
   * written.
   */
  void createTopic(TopicSpec topic) throws LogException;

  /** Deletes the topic if it exists. */
  void deleteTopic(String topic) throws LogException;

  /** The names of all topics that there are now. */
  Set<String> topics() throws LogException;

  /** The id that the log gave the topic when it was created: a re-created topic has another. */
  String topicId(String topic) throws LogException;

  @Override
  void close();
}
