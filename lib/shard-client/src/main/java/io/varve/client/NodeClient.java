package io.varve.client;

import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.NodeLoad;
import io.varve.rpc.TaskInfo;
import io.varve.rpc.TaskOutcome;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks a node that holds copies about what concerns no one copy. All calls block, each for at most
 * its timeout, and throw {@link ShardClient.UnreachableException} when no answer came.
 */
public interface NodeClient {

  /**
   * A reader of a point in time.
   *
   * @param ordinal which of its shards this is
   * @param openedMillis when the whole was opened
   * @param filter of the aliases through which it was opened, or null for none
   */
  record Pit(
      String id,
      ShardId shard,
      int ordinal,
      long openedMillis,
      long keepAliveMillis,
      @Nullable String filter) {}

  /** How many readers each context had there. */
  Map<String, Integer> release(NodeInfo node, Collection<String> contexts, Duration timeout)
      throws InterruptedException;

  /** Lets go of every scroll; how many readers there were. */
  int releaseScrolls(NodeInfo node, Duration timeout) throws InterruptedException;

  List<Pit> pits(NodeInfo node, Duration timeout) throws InterruptedException;

  /**
   * What runs there.
   *
   * @param parent the task that asks
   */
  List<TaskInfo> tasks(NodeInfo node, String parent, Duration timeout) throws InterruptedException;

  /**
   * What became of one task of another coordinator; waits for its end when the timeout is not zero.
   */
  TaskOutcome task(NodeInfo coordinator, long number, Duration timeout) throws InterruptedException;

  /** Cancels one task of another coordinator; why not, or null when it is cancelled. */
  @Nullable ErrorBody cancelTask(NodeInfo coordinator, long number, Duration timeout)
      throws InterruptedException;

  /** Sets the pace of a task of another coordinator; what it is then, null when it has none. */
  @Nullable TaskInfo rethrottle(
      NodeInfo coordinator, long number, float perSecond, Duration timeout)
      throws InterruptedException;

  /** How busy the searches of a node are; it answers without a thread of theirs. */
  NodeLoad load(NodeInfo node, Duration timeout) throws InterruptedException;

  /** Stops what the node does for a task, or one attempt at a shard by its id. */
  void cancel(NodeInfo node, String task, Duration timeout) throws InterruptedException;
}
