package io.varve.coordinator.rest.task;

import io.varve.cluster.NodeInfo;
import io.varve.rpc.TaskInfo;
import java.util.LinkedHashMap;
import java.util.Map;

/** A task, with the node on which it runs. */
public record ListedTask(NodeInfo node, TaskInfo info) {

  public TaskId id() {
    return new TaskId(node.nodeId(), info.number());
  }

  Map<String, Object> json(boolean detailed) {
    return json(id(), info, detailed);
  }

  static Map<String, Object> json(TaskId id, TaskInfo info, boolean detailed) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("node", id.nodeId());
    json.put("id", id.number());
    json.put("type", info.what().type());
    json.put("action", info.what().action());
    if (detailed) {
      Map<String, Object> status = info.status();
      if (status != null) {
        json.put("status", status);
      }
      json.put("description", info.what().description());
    }
    json.put("start_time_in_millis", info.course().startedMillis());
    json.put("running_time_in_nanos", info.course().runningNanos());
    json.put("cancellable", info.course().cancellable());
    json.put("cancelled", info.course().cancelled());
    if (info.parent() != null) {
      json.put("parent_task_id", info.parent());
    }
    json.put("headers", info.headers());
    if (detailed) {
      json.put("resource_stats", resources());
    }
    return json;
  }

  /**
   * Returns the resource usage. Tasks run on virtual threads, for which the JVM reports neither CPU
   * time nor allocations; only the number of threads, one, is known.
   */
  private static Map<String, Object> resources() {
    Map<String, Object> unknown = new LinkedHashMap<>();
    unknown.put("cpu_time_in_nanos", 0);
    unknown.put("memory_in_bytes", 0);
    Map<String, Object> threads = new LinkedHashMap<>();
    threads.put("thread_executions", 1);
    threads.put("active_threads", 1);
    Map<String, Object> resources = new LinkedHashMap<>();
    for (String figure : new String[] {"average", "total", "min", "max"}) {
      resources.put(figure, unknown);
    }
    resources.put("thread_info", threads);
    return resources;
  }
}
