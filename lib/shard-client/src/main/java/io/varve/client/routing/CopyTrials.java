package io.varve.client.routing;

import io.varve.client.Cancellation;
import io.varve.client.NodeClient;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.process.Deadline;
import io.varve.process.Ticker;
import io.varve.rpc.ErrorBody;
import io.varve.selection.SearchSelection;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Searches shards by attempts at their copies and accounts for each: the selection is notified of
 * every attempt, guards admit them, and an attempt that lost its race is cancelled on its node.
 */
public final class CopyTrials implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CopyTrials.class);

  /** A node that does not even accept a cancellation within this time is considered hung. */
  private static final Duration CANCELLING = Duration.ofMillis(250);

  private final ClusterSelection selection;
  private final NodeGuards guards;
  private final RetryBudget retries;
  private final NodeClient nodes;
  private final Ticker clock;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final String process = UUID.randomUUID().toString();
  private final AtomicLong numbers = new AtomicLong();

  public CopyTrials(
      ClusterSelection selection,
      NodeGuards guards,
      RetryBudget retries,
      NodeClient nodes,
      Ticker clock) {
    this.clock = clock;
    this.selection = selection;
    this.guards = guards;
    this.retries = retries;
    this.nodes = nodes;
  }

  /**
   * One search of many shards.
   *
   * @param choice selects their copies
   * @param isFinal whether an error is the request's own fault
   * @param plan further properties of the search
   * @param waiting its waiting threads
   */
  public record Search(
      ClusterState state,
      SearchSelection choice,
      NodePermits permits,
      Predicate<ErrorBody> isFinal,
      Plan plan,
      Waiters waiting) {}

  /**
   * @param raced whether more than one copy of a shard may be searched concurrently
   * @param deadline by which copies have to answer; null for none
   * @param task whose cancellation ends the wait; null for none
   */
  public record Plan(
      String kind, boolean raced, @Nullable Deadline deadline, @Nullable Cancellation task) {

    /** A node returns what it has at the deadline; the answer takes a moment to arrive. */
    private static final Duration GRACE = Duration.ofMillis(250);

    /** Asks one copy after the other, without a limit for each. */
    public static Plan alone(String kind) {
      return new Plan(kind, false, null, null);
    }

    boolean limited() {
      return deadline != null;
    }

    /** How much longer to wait for an answer. */
    long leftNanos() {
      return deadline == null ? Long.MAX_VALUE : deadline.plus(GRACE).left().toNanos();
    }

    boolean isLate() {
      return leftNanos() == 0;
    }
  }

  public Search search(ClusterState state, int perNode, Predicate<ErrorBody> isFinal, Plan plan) {
    Waiters waiting = new Waiters();
    if (plan.task() != null) {
      plan.task().onCancel(waiting::end);
    }
    return new Search(
        state,
        selection.search(state, plan.kind()),
        new NodePermits(perNode),
        isFinal,
        plan,
        waiting);
  }

  public <T> ShardTrials<T> of(Search search) {
    return new ShardTrials<>(this, search);
  }

  public ClusterSelection selection() {
    return selection;
  }

  NodeGuards guards() {
    return guards;
  }

  RetryBudget retries() {
    return retries;
  }

  public Ticker clock() {
    return clock;
  }

  ExecutorService threads() {
    return threads;
  }

  String newId() {
    return process + ":" + numbers.incrementAndGet();
  }

  /**
   * Notifies the node that the answer is no longer needed.
   *
   * @param whenNotTold runs if the notification fails
   */
  void cancel(NodeInfo node, String id, Runnable whenNotTold) {
    var _ =
        threads.submit(() -> {
          try {
            nodes.cancel(node, id, CANCELLING);
            guards.answered(node.nodeId());
          } catch (RuntimeException e) {
            LOG.debug("could not cancel attempt {} on node {}", id, node.name(), e);
            whenNotTold.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
