package io.varve.coordinator.rest;

import io.varve.client.NodeClient;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.FolderPosition;
import io.varve.rpc.NodeLoad;
import io.varve.rpc.TaskInfo;
import io.varve.rpc.TaskOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** In-memory nodes without contexts and tasks. */
public final class FakeNodes implements NodeClient {

  private final Set<String> unreachable = ConcurrentHashMap.newKeySet();
  private final Map<String, FolderPosition> folders = new ConcurrentHashMap<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();

  /** The calls so far, as {@code call nodeId}. */
  public List<String> calls() {
    return calls;
  }

  /** From now on, the node does not answer. */
  public void lose(String nodeId) {
    unreachable.add(nodeId);
  }

  @Override
  public Map<String, Integer> release(
      NodeInfo node, Collection<String> contexts, Duration timeout) {
    calls.add("release " + node.nodeId());
    if (unreachable.contains(node.nodeId())) {
      throw new UnreachableException("gone", new IOException("gone"));
    }
    Map<String, Integer> released = new HashMap<>();
    contexts.forEach(context -> released.put(context, 1));
    return released;
  }

  @Override
  public int releaseScrolls(NodeInfo node, Duration timeout) {
    calls.add("releaseScrolls " + node.nodeId());
    return 0;
  }

  /** Sets the answer of a node to the question for its folder of any shard. */
  public void folder(String nodeId, FolderPosition position) {
    folders.put(nodeId, position);
  }

  @Override
  public FolderPosition folder(NodeInfo node, ShardId shard, Duration timeout) {
    calls.add("folder " + node.nodeId());
    if (unreachable.contains(node.nodeId())) {
      throw new UnreachableException("gone", new IOException("gone"));
    }
    return folders.getOrDefault(node.nodeId(), FolderPosition.EMPTY);
  }

  @Override
  public List<Pit> pits(NodeInfo node, Duration timeout) {
    return List.of();
  }

  @Override
  public List<TaskInfo> tasks(NodeInfo node, String parent, Duration timeout) {
    return List.of();
  }

  @Override
  public TaskOutcome task(NodeInfo coordinator, long number, Duration timeout) {
    return TaskOutcome.UNKNOWN;
  }

  @Override
  public @Nullable ErrorBody cancelTask(NodeInfo coordinator, long number, Duration timeout) {
    return null;
  }

  @Override
  public @Nullable TaskInfo rethrottle(
      NodeInfo coordinator, long number, float perSecond, Duration timeout) {
    return null;
  }

  @Override
  public NodeLoad load(NodeInfo node, Duration timeout) {
    calls.add("load " + node.nodeId());
    if (unreachable.contains(node.nodeId())) {
      throw new UnreachableException("gone", new IOException("gone"));
    }
    return new NodeLoad(-1, new NodeLoad.Queue(0, 0, 4), new NodeLoad.Times(0, -1, 0, 0));
  }

  @Override
  public void cancel(NodeInfo node, String task, Duration timeout) {
    calls.add("cancel " + node.nodeId() + " " + task);
  }
}
