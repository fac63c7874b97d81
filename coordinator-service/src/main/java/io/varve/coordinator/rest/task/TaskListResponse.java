package io.varve.coordinator.rest.task;

import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The response that lists tasks: by node, by parent task or as a plain list. */
final class TaskListResponse {

  private static final Set<String> GROUPINGS = Set.of("nodes", "parents", "none");

  private TaskListResponse() {}

  static String groupBy(RestRequest request) {
    String groupBy = request.param("group_by", "nodes");
    if (!GROUPINGS.contains(groupBy)) {
      throw new ApiException(
          ErrorBody.illegalArgument("invalid value for [group_by]: [" + groupBy + "]"));
    }
    return groupBy;
  }

  /**
   * Builds the response: the tasks by node, by parent or as a list, and the nodes that did not
   * answer.
   */
  static Map<String, Object> of(TaskBoard.Found found, String groupBy, boolean detailed) {
    Map<String, Object> answer = new LinkedHashMap<>();
    if (!found.failures().isEmpty()) {
      List<Object> failures = new ArrayList<>();
      found.failures().forEach((node, error) -> failures.add(error.with("node_id", node).toMap()));
      answer.put("node_failures", failures);
    }
    switch (groupBy) {
      case "nodes" -> answer.put("nodes", byNode(found.tasks(), detailed));
      case "parents" -> answer.put("tasks", byParent(found.tasks(), detailed));
      default ->
          answer.put("tasks", found.tasks().stream().map(task -> task.json(detailed)).toList());
    }
    return answer;
  }

  private static Map<String, Object> byNode(List<ListedTask> tasks, boolean detailed) {
    Map<String, Map<String, Object>> nodes = new LinkedHashMap<>();
    Map<String, Map<String, Object>> tasksOfNodes = new LinkedHashMap<>();
    for (ListedTask task : tasks) {
      String nodeId = task.node().nodeId();
      nodes.computeIfAbsent(nodeId, _ -> node(task.node()));
      tasksOfNodes
          .computeIfAbsent(nodeId, _ -> new LinkedHashMap<>())
          .put(task.id().toString(), task.json(detailed));
    }
    nodes.forEach((nodeId, shown) -> shown.put("tasks", tasksOfNodes.get(nodeId)));
    return new LinkedHashMap<>(nodes);
  }

  private static Map<String, Object> node(NodeInfo node) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", node.name());
    shown.put("transport_address", NodeFilter.address(node));
    shown.put("host", NodeFilter.host(node));
    shown.put("ip", NodeFilter.address(node));
    shown.put("roles", NodeFilter.roles(node));
    return shown;
  }

  private static Map<String, Object> byParent(List<ListedTask> tasks, boolean detailed) {
    Map<String, Map<String, Object>> shown = new LinkedHashMap<>();
    tasks.forEach(task -> shown.put(task.id().toString(), task.json(detailed)));
    Map<String, Object> roots = new LinkedHashMap<>();
    for (ListedTask task : tasks) {
      Map<String, Object> json = shown.get(task.id().toString());
      String parent = task.info().parent();
      Map<String, Object> above = parent == null ? null : shown.get(parent);
      if (above == null) {
        roots.put(task.id().toString(), json);
      } else if (above.computeIfAbsent("children", _ -> new ArrayList<>())
          instanceof List<?> list) {
        List<Object> children = new ArrayList<>(list);
        children.add(json);
        above.put("children", children);
      }
    }
    return roots;
  }
}
