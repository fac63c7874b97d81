package io.varve.client.routing;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Limits the shards that one search queries concurrently on each node. */
public final class NodePermits {

  private final Map<String, Semaphore> nodes = new ConcurrentHashMap<>();
  private final int perNode;

  public NodePermits(int perNode) {
    this.perNode = perNode;
  }

  private Semaphore of(String nodeId) {
    return nodes.computeIfAbsent(nodeId, _ -> new Semaphore(perNode, true));
  }

  void take(String nodeId) throws InterruptedException {
    of(nodeId).acquire();
  }

  /** False when no permit became free in time. */
  boolean take(String nodeId, long withinNanos) throws InterruptedException {
    return of(nodeId).tryAcquire(withinNanos, TimeUnit.NANOSECONDS);
  }

  boolean isFree(String nodeId) {
    return of(nodeId).availablePermits() > 0;
  }

  /** Does not wait. */
  boolean tryTake(String nodeId) {
    return of(nodeId).tryAcquire();
  }

  void leave(String nodeId) {
    of(nodeId).release();
  }
}
