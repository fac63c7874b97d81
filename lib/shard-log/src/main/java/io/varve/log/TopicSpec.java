package io.varve.log;

import java.util.Map;

/**
 * A topic to create.
 *
 * @param replicationFactor 0 for the log's default
 * @param settings in the log's own terms, such as {@code cleanup.policy}
 */
public record TopicSpec(
    String name, int partitions, int replicationFactor, Map<String, String> settings) {

  public TopicSpec {
    settings = Map.copyOf(settings);
    if (partitions < 1) {
      throw new IllegalArgumentException(
          "a topic has at least 1 partition, asked for " + partitions);
    }
  }
}
