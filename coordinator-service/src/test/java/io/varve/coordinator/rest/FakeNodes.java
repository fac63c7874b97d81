package io.varve.coordinator.rest;

import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.shard.NodeClient;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Nodes in memory that hold nothing open and do nothing. */
public final class FakeNodes implements NodeClient {

  private final List<String> calls = new CopyOnWriteArrayList<>();

  /** What was called, as {@code call nodeId}. */
  public List<String> calls() {
    return calls;
  }

  @Override
  public Map<String, Integer> release(
      NodeInfo node, Collection<String> contexts, Duration timeout) {
    calls.add("release " + node.nodeId());
    Map<String, Integer> released = new HashMap<>();
    contexts.forEach(context -> released.put(context, 1));
    return released;
  }

  @Override
  public int releaseScrolls(NodeInfo node, Duration timeout) {
    calls.add("releaseScrolls " + node.nodeId());
    return 0;
  }

  @Override
  public List<Pit> pits(NodeInfo node, Duration timeout) {
    return List.of();
  }

  @Override
  public List<NodeTask> tasks(NodeInfo node, Duration timeout) {
    return List.of();
  }

  @Override
  public void cancel(NodeInfo node, String task, Duration timeout) {
    calls.add("cancel " + node.nodeId() + " " + task);
  }
}
