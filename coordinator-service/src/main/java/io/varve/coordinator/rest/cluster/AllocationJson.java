package io.varve.coordinator.rest.cluster;

import static io.varve.rest.JsonObjects.object;

import io.varve.cluster.NodeInfo;
import io.varve.control.allocation.AllocationDeciders;
import io.varve.coordinator.rest.NodeFilter;
import java.util.Map;

/** Converts allocation decisions and nodes to OpenSearch's JSON. */
final class AllocationJson {

  private AllocationJson() {}

  static Map<String, Object> verdict(AllocationDeciders.Verdict verdict) {
    return object(
        "decider", verdict.decider(),
        "decision", verdict.answer().name(),
        "explanation", verdict.explanation());
  }

  /** Returns a node as part of an explanation, in fields that begin with {@code prefix}. */
  static Map<String, Object> node(NodeInfo node, String prefix) {
    return object(
        prefix.isEmpty() ? "id" : prefix + "id",
        node.nodeId(),
        prefix + "name",
        node.name(),
        "transport_address",
        NodeFilter.address(node),
        prefix.isEmpty() ? "attributes" : prefix + "attributes",
        NodeFilter.attributes(node));
  }
}
