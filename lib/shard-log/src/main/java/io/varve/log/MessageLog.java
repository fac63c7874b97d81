package io.varve.log;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A message log of named topics: Kafka in production, {@link InMemoryMessageLog} in the simulator.
 */
public interface MessageLog extends AutoCloseable {

  /**
   * Upper bound of the time for which a writer keeps looking up a topic after its last record
   * there.
   */
  Duration FORGOTTEN_AFTER = Duration.ofSeconds(25);

  /**
   * Opens a partition to append to, read and follow. Opening it repeatedly is cheap; the topic need
   * not exist yet.
   */
  PartitionLog open(String topic, int partition);

  /**
   * Creates the topic unless it exists with the same number of partitions; blocks until it is
   * writable.
   */
  void createTopic(TopicSpec topic) throws LogException;

  /** Creates the topics, in one request where the log supports that. */
  default void createTopics(List<TopicSpec> topics) throws LogException {
    for (TopicSpec topic : topics) {
      createTopic(topic);
    }
  }

  /** Deletes the topic if it exists. */
  void deleteTopic(String topic) throws LogException;

  /** Deletes the topics, in one request where the log supports that. */
  default void deleteTopics(List<String> topics) throws LogException {
    for (String topic : topics) {
      deleteTopic(topic);
    }
  }

  /** The names of all existing topics. */
  Set<String> topics() throws LogException;

  /**
   * The id that the log assigned when the topic was created; a re-created topic has a different
   * one.
   */
  String topicId(String topic) throws LogException;

  @Override
  void close();
}
