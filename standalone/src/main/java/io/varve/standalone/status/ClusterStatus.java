package io.varve.standalone.status;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster in a few numbers. A value that is not known is null.
 *
 * @param health {@code green}, {@code yellow} or {@code red}
 * @param copies of all shards, including those that are not allocated
 * @param openBreakers circuit breakers that are open or half open
 * @param notAsked processes that did not answer about their breakers
 */
record ClusterStatus(
    String cluster,
    String health,
    long copies,
    long activeCopies,
    List<Node> nodes,
    List<Index> indices,
    List<Follower> followers,
    List<Breaker> openBreakers,
    List<String> notAsked) {

  ClusterStatus {
    nodes = List.copyOf(nodes);
    indices = List.copyOf(indices);
    followers = List.copyOf(followers);
    openBreakers = List.copyOf(openBreakers);
    notAsked = List.copyOf(notAsked);
  }

  /**
   * A process.
   *
   * @param leads whether it leads the cluster
   * @param heapPercent null, like the other values, if it did not answer
   * @param load the load of its machine, averaged over a minute
   */
  record Node(
      String name,
      String roles,
      String address,
      boolean leads,
      @Nullable Long heapPercent,
      @Nullable Double load) {}

  /**
   * An index.
   *
   * @param lagMillis the lag of the replica that is furthest behind; null without replicas
   */
  record Index(
      String name,
      String health,
      boolean open,
      long primaries,
      long replicas,
      @Nullable Long docs,
      @Nullable Long sizeBytes,
      @Nullable Long lagMillis) {}

  /** A shard that follows a shard of another cluster. */
  record Follower(
      String index,
      long shard,
      String leader,
      String state,
      @Nullable Long lagMillis,
      @Nullable Long lagOperations) {}

  /**
   * A circuit breaker of a process.
   *
   * @param guards the target that gets no requests: a node, {@code segment-store}, or a seed of
   *     another cluster
   */
  record Breaker(String process, String guards, String state) {}

  /** Not named like a property, because the JSON form contains only the health. */
  boolean hasGreenHealth() {
    return health.equals("green");
  }
}
