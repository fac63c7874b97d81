package io.varve.coordinator.rest.cluster;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.NodeReader;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The frame of a response with answers of several nodes: the number of nodes asked, and the
 * failures.
 */
final class NodesAnswer {

  private NodesAnswer() {}

  static Map<String, Object> counts(List<NodeReader.Answer> answers) {
    List<Object> failures = new ArrayList<>();
    for (NodeReader.Answer answer : answers) {
      ErrorBody failure = answer.failure();
      if (failure != null) {
        failures.add(
            object(
                "type",
                "failed_node_exception",
                "reason",
                "Failed node [" + answer.node().nodeId() + "]",
                "node_id",
                answer.node().nodeId(),
                "caused_by",
                failure.toMap()));
      }
    }
    Map<String, Object> counts =
        object(
            "total", answers.size(),
            "successful", answers.size() - failures.size(),
            "failed", failures.size());
    if (!failures.isEmpty()) {
      counts.put("failures", failures);
    }
    return counts;
  }

  static Map<String, Object> of(
      String clusterName, List<NodeReader.Answer> answers, Map<String, Object> nodes) {
    return object("_nodes", counts(answers), "cluster_name", clusterName, "nodes", nodes);
  }
}
