package io.varve.coordinator.rest.task;

import io.varve.client.NodeClient;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.names.Wildcard;
import io.varve.process.Deadline;
import io.varve.process.Parallel;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.TaskInfo;
import io.varve.rpc.TaskOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Accesses the tasks of the whole cluster: this coordinator's own, and those that other nodes
 * report.
 */
public final class TaskBoard {

  private static final Duration ASK_TIMEOUT = Duration.ofSeconds(10);

  private final ClusterAccess cluster;
  private final Tasks tasks;
  private final NodeClient client;
  private final Parallel parallel;

  TaskBoard(ClusterAccess cluster, Tasks tasks, NodeClient client, Parallel parallel) {
    this.cluster = cluster;
    this.tasks = tasks;
    this.client = client;
    this.parallel = parallel;
  }

  /**
   * Selects tasks.
   *
   * @param nodes a node filter, or null for all nodes
   * @param actions names of actions, with wildcards; empty for all
   * @param parent the parent task, or null for any
   */
  public record Filter(@Nullable String nodes, List<String> actions, @Nullable String parent) {

    public static Filter of(RestRequest request) {
      String parent = request.param("parent_task_id");
      return new Filter(
          request.param("nodes"),
          request.list("actions"),
          parent == null || parent.isEmpty() ? null : TaskId.parse(parent).toString());
    }

    boolean matches(TaskInfo task) {
      return (actions.isEmpty()
              || actions.stream()
                  .anyMatch(pattern -> Wildcard.matches(pattern, task.what().action())))
          && (parent == null || parent.equals(task.parent()));
    }
  }

  /**
   * The selected tasks.
   *
   * @param failures the failures of nodes that did not answer, keyed by node id
   */
  public record Found(List<ListedTask> tasks, Map<String, ErrorBody> failures) {}

  private record Answer(NodeInfo node, List<TaskInfo> tasks, @Nullable ErrorBody failure) {}

  /** Lists tasks. The listing is itself a task, with a child task for each node. */
  public Found list(Filter filter) throws InterruptedException {
    List<NodeInfo> nodes = NodeFilter.select(cluster, filter.nodes());
    List<ListedTask> found = new ArrayList<>();
    Map<String, ErrorBody> failures = new LinkedHashMap<>();
    Task asking = Tasks.current();
    String parent = asking == null ? "" : asking.id().toString();
    for (Answer answer : parallel.map(nodes, node -> ask(node, asking, parent))) {
      if (answer.failure() != null) {
        failures.put(answer.node().nodeId(), answer.failure());
      }
      answer.tasks().stream()
          .filter(filter::matches)
          .forEach(task -> found.add(new ListedTask(answer.node(), task)));
    }
    return new Found(found, failures);
  }

  private Answer ask(NodeInfo node, @Nullable Task asking, String parent)
      throws InterruptedException {
    if (node.nodeId().equals(cluster.localNodeId())) {
      return new Answer(node, own(asking), null);
    }
    try {
      return new Answer(node, client.tasks(node, parent, ASK_TIMEOUT), null);
    } catch (UnreachableException | ApiException e) {
      return new Answer(
          node,
          List.of(),
          ErrorBody.of(500, "failed_node_exception", "Failed node [" + node.nodeId() + "]")
              .causedBy(
                  ErrorBody.of(
                      503, "connect_transport_exception", String.valueOf(e.getMessage()))));
    }
  }

  private List<TaskInfo> own(@Nullable Task asking) {
    if (asking == null) {
      return tasks.infos();
    }
    Task part = tasks.beginPart(asking, asking.kind().part("[n]"));
    try {
      return tasks.infos();
    } finally {
      tasks.end(part);
    }
  }

  /** Returns the result of a task on any node; waits for its end unless the timeout is zero. */
  TaskOutcome outcome(TaskId id, Duration patience) throws InterruptedException {
    if (id.nodeId().equals(cluster.localNodeId())) {
      return known(id, tasks.outcome(id.number(), patience));
    }
    NodeInfo node = cluster.state().nodes().get(id.nodeId());
    if (node == null) {
      throw new ApiException(
          404,
          "resource_not_found_exception",
          "task ["
              + id
              + "] belongs to the node ["
              + id.nodeId()
              + "] which isn't part of the cluster and there is no record of the task");
    }
    if (node.has(NodeInfo.COORDINATOR)) {
      return known(id, client.task(node, id.number(), patience));
    }
    return known(id, onDataNode(node, id));
  }

  private TaskOutcome onDataNode(NodeInfo node, TaskId id) throws InterruptedException {
    for (TaskInfo task : client.tasks(node, "", ASK_TIMEOUT)) {
      if (task.number() == id.number()) {
        return new TaskOutcome(false, task, null, null);
      }
    }
    return TaskOutcome.UNKNOWN;
  }

  private static TaskOutcome known(TaskId id, TaskOutcome outcome) {
    if (outcome.task() == null) {
      throw new ApiException(
          404,
          "resource_not_found_exception",
          "task [" + id + "] isn't running and hasn't stored its results");
    }
    return outcome;
  }

  /** Cancels the task; returns the reason if it cannot be cancelled, otherwise null. */
  @Nullable ErrorBody cancel(ListedTask listed) throws InterruptedException {
    TaskId id = listed.id();
    if (id.nodeId().equals(cluster.localNodeId())) {
      return cancelOwn(id.number());
    }
    try {
      return listed.node().has(NodeInfo.COORDINATOR)
          ? client.cancelTask(listed.node(), id.number(), ASK_TIMEOUT)
          : null;
    } catch (UnreachableException e) {
      return ErrorBody.of(503, "connect_transport_exception", String.valueOf(e.getMessage()));
    }
  }

  /** Changes the rate of a task and returns the task; null if it does not exist or has no rate. */
  @Nullable ListedTask rethrottle(TaskId id, float perSecond) throws InterruptedException {
    NodeInfo node = cluster.state().nodes().get(id.nodeId());
    if (node == null) {
      return null;
    }
    TaskInfo changed;
    if (id.nodeId().equals(cluster.localNodeId())) {
      Task task = tasks.find(id.number());
      Task.Pace pace = task == null ? null : task.pace();
      if (task == null || pace == null) {
        return null;
      }
      pace.change(perSecond);
      changed = task.info();
    } else {
      changed = client.rethrottle(node, id.number(), perSecond, ASK_TIMEOUT);
    }
    return changed == null ? null : new ListedTask(node, changed);
  }

  @Nullable ErrorBody cancelOwn(long number) {
    Task task = tasks.find(number);
    if (task == null) {
      return ErrorBody.of(
          404,
          "resource_not_found_exception",
          "task [" + cluster.localNodeId() + ":" + number + "] is not found");
    }
    if (!task.kind().cancellable()) {
      return ErrorBody.illegalArgument("task [" + task.id() + "] doesn't support cancellation");
    }
    tasks.cancel(task, "by user request");
    return null;
  }

  /** Waits until none of these tasks runs; returns false after the timeout. */
  boolean awaitEnd(List<ListedTask> some, Duration timeout) throws InterruptedException {
    Deadline deadline = cluster.deadline(timeout);
    for (ListedTask listed : some) {
      if (deadline.isOver() || !awaitEnd(listed, deadline.left())) {
        return false;
      }
    }
    return true;
  }

  private boolean awaitEnd(ListedTask listed, Duration patience) throws InterruptedException {
    if (listed.id().nodeId().equals(cluster.localNodeId())) {
      Task task = tasks.find(listed.id().number());
      return task == null || Tasks.awaitEnd(task, patience);
    }
    if (!listed.node().has(NodeInfo.COORDINATOR)) {
      // It ends with its parent, which is a task of a coordinator.
      return true;
    }
    try {
      client.task(listed.node(), listed.info().number(), patience);
      return true;
    } catch (ApiException e) {
      return e.error().status() == 404;
    } catch (UnreachableException e) {
      return true;
    }
  }
}
