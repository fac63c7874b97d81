package io.varve.log;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A message log of named topics: Kafka in production, {@link InMemoryMessageLog} in the simulator.
 */
public interface MessageLog extends AutoCloseable {

  /** How long after the last record somewhere a writer still asks for the topic, at most. */
  Duration FORGOTTEN_AFTER = Duration.ofSeconds(25);

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

  /** Creates them all, at once where that can be done. */
  default void createTopics(List<TopicSpec> topics) throws LogException {
    for (TopicSpec topic : topics) {
      createTopic(topic);
    }
  }

  /** Deletes the topic if it exists. */
  void deleteTopic(String topic) throws LogException;

  /** Deletes them all, at once where that can be done. */
  default void deleteTopics(List<String> topics) throws LogException {
    for (String topic : topics) {
      deleteTopic(topic);
    }
  }

  /** The names of all topics that there are now. */
  Set<String> topics() throws LogException;

  /** The id that the log gave the topic when it was created: a re-created topic has another. */
  String topicId(String topic) throws LogException;

  @Override
  void close();
}
