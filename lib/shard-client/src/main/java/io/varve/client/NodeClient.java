package io.varve.client;

import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.FolderPosition;
import io.varve.rpc.NodeLoad;
import io.varve.rpc.TaskInfo;
import io.varve.rpc.TaskOutcome;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls to a data node that do not concern a single copy. All calls block, each at most for its
 * timeout, and throw {@link ShardClient.UnreachableException} when no answer came.
 */
public interface NodeClient {

  /**
   * A reader of a point in time.
   *
   * @param ordinal number of its shard among those of the point in time
   * @param openedMillis when the point in time was opened
   * @param filter of the aliases through which it was opened, or null for none
   */
  record Pit(
      String id,
      ShardId shard,
      int ordinal,
      long openedMillis,
      long keepAliveMillis,
      @Nullable String filter) {}

  /** Closes contexts and returns how many readers each of them had. */
  Map<String, Integer> release(NodeInfo node, Collection<String> contexts, Duration timeout)
      throws InterruptedException;

  /** Closes all scrolls and returns the number of their readers. */
  int releaseScrolls(NodeInfo node, Duration timeout) throws InterruptedException;

  List<Pit> pits(NodeInfo node, Duration timeout) throws InterruptedException;

  /**
   * The tasks on the node.
   *
   * @param parent the requesting task
   */
  List<TaskInfo> tasks(NodeInfo node, String parent, Duration timeout) throws InterruptedException;

  /** The result of a task on another coordinator; waits for its end unless the timeout is zero. */
  TaskOutcome task(NodeInfo coordinator, long number, Duration timeout) throws InterruptedException;

  /** Cancels a task on another coordinator; returns the reason if it cannot, else null. */
  @Nullable ErrorBody cancelTask(NodeInfo coordinator, long number, Duration timeout)
      throws InterruptedException;

  /**
   * Changes the rate of a task on another coordinator; returns the task, null when it has no rate.
   */
  @Nullable TaskInfo rethrottle(
      NodeInfo coordinator, long number, float perSecond, Duration timeout)
      throws InterruptedException;

  /** The position in the log of the copy of a shard in the node's folder. */
  FolderPosition folder(NodeInfo node, ShardId shard, Duration timeout) throws InterruptedException;

  /** The load of a node's search pool; answered without a thread of that pool. */
  NodeLoad load(NodeInfo node, Duration timeout) throws InterruptedException;

  /** Cancels the node's work for a task, or for one attempt at a shard, by id. */
  void cancel(NodeInfo node, String task, Duration timeout) throws InterruptedException;
}
