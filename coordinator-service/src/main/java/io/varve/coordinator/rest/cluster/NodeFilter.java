package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.Wildcard;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Node ids, names, {@code _local}, {@code _cluster_manager} and the roles, between commas. */
public final class NodeFilter {

  private NodeFilter() {}

  public static List<NodeInfo> select(ClusterAccess cluster, @Nullable String expression) {
    ClusterState state = cluster.state();
    List<NodeInfo> all = new ArrayList<>(state.nodes().values());
    if (expression == null || expression.isEmpty() || expression.equals("_all")) {
      return all;
    }
    List<String> parts = List.of(expression.split(",", -1));
    return all.stream()
        .filter(node -> parts.stream().anyMatch(part -> matches(cluster, state, node, part)))
        .toList();
  }

  private static boolean matches(
      ClusterAccess cluster, ClusterState state, NodeInfo node, String part) {
    return switch (part) {
      case "_all" -> true;
      case "_local" -> node.name().equals(cluster.localNodeName());
      case "_master", "_cluster_manager" -> node.nodeId().equals(state.leaderNodeId());
      case "data:true" -> node.has(NodeInfo.PRIMARY) || node.has(NodeInfo.REPLICA);
      case "cluster_manager:true", "master:true" -> node.has(NodeInfo.COORDINATOR);
      default ->
          Wildcard.matches(part, node.nodeId())
              || Wildcard.matches(part, node.name())
              || Wildcard.matches(part, host(node));
    };
  }

  public static String host(NodeInfo node) {
    String host = URI.create(node.url()).getHost();
    return host == null ? node.url() : host;
  }

  /** {@code host:port}. */
  public static String address(NodeInfo node) {
    return URI.create(node.url()).getAuthority();
  }

  /** The roles in the dialect's words, in the order of the alphabet. */
  public static List<String> roles(NodeInfo node) {
    List<String> roles = new ArrayList<>();
    if (node.has(NodeInfo.COORDINATOR)) {
      roles.add("cluster_manager");
    }
    if (node.has(NodeInfo.PRIMARY) || node.has(NodeInfo.REPLICA)) {
      roles.add("data");
    }
    if (node.has(NodeInfo.CCR)) {
      roles.add("remote_cluster_client");
    }
    return roles;
  }

  /** What is shown of every node, whatever else is asked. */
  static Map<String, Object> identity(NodeInfo node) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", node.name());
    shown.put("transport_address", address(node));
    shown.put("host", host(node));
    shown.put("ip", host(node));
    return shown;
  }
}
