package io.varve.changes;

import io.varve.cluster.Topics;

/**
 * The topic of an index's operations, {@code varve.<cluster>.ops.<index uuid>}: one partition for
 * each shard.
 */
public record ChangeTopic(String clusterName, String indexUuid) {

  private static final String PREFIX = "varve.";
  private static final String INFIX = ".ops.";

  /**
   * @throws IllegalArgumentException it is not the name of such a topic
   */
  public static ChangeTopic of(String topic) {
    int infix = topic.lastIndexOf(INFIX);
    if (!topic.startsWith(PREFIX) || infix <= PREFIX.length()) {
      throw new IllegalArgumentException(
          "the topic of an index's operations is varve.<cluster>.ops.<index uuid>, was ["
              + topic
              + "]");
    }
    return new ChangeTopic(
        topic.substring(PREFIX.length(), infix), topic.substring(infix + INFIX.length()));
  }

  public String operations() {
    return topics().operations(indexUuid);
  }

  public String manifests() {
    return topics().manifests(indexUuid);
  }

  private Topics topics() {
    return new Topics(clusterName, 0);
  }
}
