package io.varve.coordinator.rest;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.names.Wildcard;
import io.varve.rest.JsonObjects;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Selects nodes by a comma-separated filter: {@code _all}, {@code _local}, {@code
 * _cluster_manager}, ids, names, hosts and addresses, {@code role:true} and {@code role:false},
 * {@code attribute:value}; names and values may contain wildcards. {@code role:false} removes nodes
 * that earlier parts selected.
 *
 * <p>The result lists coordinators first, then the other nodes by name.
 */
public final class NodeFilter {

  /** OpenSearch's names of the roles. */
  private static final Set<String> ROLES =
      Set.of("cluster_manager", "master", "data", "ingest", "remote_cluster_client", "search");

  private NodeFilter() {}

  public static List<NodeInfo> select(ClusterAccess cluster, @Nullable String expression) {
    return select(cluster.state(), cluster.localNodeId(), expression);
  }

  static List<NodeInfo> select(
      ClusterState state, String localNodeId, @Nullable String expression) {
    List<NodeInfo> all = new ArrayList<>(state.nodes().values());
    all.sort(
        Comparator.comparing((NodeInfo node) -> !node.has(NodeInfo.COORDINATOR))
            .thenComparing(NodeInfo::name)
            .thenComparing(NodeInfo::nodeId));
    if (expression == null || expression.isEmpty()) {
      return all;
    }
    Set<NodeInfo> chosen = new LinkedHashSet<>();
    for (String part : expression.split(",", -1)) {
      if (part.endsWith(":false") && isRole(part.substring(0, part.length() - 6))) {
        String role = part.substring(0, part.length() - 6);
        chosen.removeIf(node -> hasRole(node, role));
      } else {
        all.stream().filter(node -> matches(state, localNodeId, node, part)).forEach(chosen::add);
      }
    }
    return all.stream().filter(chosen::contains).toList();
  }

  private static boolean matches(
      ClusterState state, String localNodeId, NodeInfo node, String part) {
    return switch (part) {
      case "_all" -> true;
      case "_local" -> node.nodeId().equals(localNodeId);
      case "_master", "_cluster_manager" -> node.nodeId().equals(state.leaderNodeId());
      default -> {
        int colon = part.lastIndexOf(':');
        yield isNamed(node, part)
            || (colon > 0
                && matchesPair(node, part.substring(0, colon), part.substring(colon + 1)));
      }
    };
  }

  private static boolean isNamed(NodeInfo node, String part) {
    return Wildcard.matches(part, node.nodeId())
        || Wildcard.matches(part, node.name())
        || Wildcard.matches(part, host(node))
        || Wildcard.matches(part, address(node));
  }

  private static boolean matchesPair(NodeInfo node, String name, String value) {
    if (isRole(name) && value.equals("true")) {
      return hasRole(node, name);
    }
    return attributes(node).entrySet().stream()
        .anyMatch(attribute ->
            Wildcard.matches(name, attribute.getKey())
                && Wildcard.matches(value, attribute.getValue()));
  }

  private static boolean isRole(String name) {
    return name.equals("coordinating_only") || ROLES.contains(name);
  }

  private static boolean hasRole(NodeInfo node, String role) {
    return switch (role) {
      case "coordinating_only" -> roles(node).isEmpty();
      case "master" -> roles(node).contains("cluster_manager");
      default -> roles(node).contains(role);
    };
  }

  public static String host(NodeInfo node) {
    String host = URI.create(node.url()).getHost();
    return host == null ? node.url() : host;
  }

  /** Whether clients may send the requests of the dialect to {@link #address}. */
  public static boolean servesClients(NodeInfo node) {
    return node.has(NodeInfo.COORDINATOR) && !requiresCertificates(node);
  }

  /**
   * Whether {@link #address} accepts other processes of the cluster only: with TLS it is a port of
   * its own, which requires their certificates.
   */
  public static boolean requiresCertificates(NodeInfo node) {
    return node.url().startsWith("https:");
  }

  /** Returns the {@code host:port} at which other processes call the node. */
  public static String address(NodeInfo node) {
    return URI.create(node.url()).getAuthority();
  }

  public static int port(NodeInfo node) {
    return URI.create(node.url()).getPort();
  }

  /**
   * Returns OpenSearch's names of the node's roles, in alphabetical order. They show clients which
   * requests a node accepts: a coordinator accepts all requests, including those for documents and
   * searches, although it has no copies.
   */
  public static List<String> roles(NodeInfo node) {
    if (node.has(NodeInfo.COORDINATOR)) {
      return List.of("cluster_manager", "data", "ingest", "remote_cluster_client");
    }
    List<String> roles = new ArrayList<>();
    if (node.has(NodeInfo.PRIMARY) || node.has(NodeInfo.REPLICA)) {
      roles.add("data");
    }
    if (node.has(NodeInfo.SEARCH)) {
      roles.add("search");
    }
    if (node.has(NodeInfo.CCR)) {
      roles.add("remote_cluster_client");
    }
    return roles;
  }

  /** Returns the first letters of the roles, as shown in the cat tables. */
  public static String letters(NodeInfo node) {
    StringBuilder letters = new StringBuilder();
    for (String role : roles(node)) {
      letters.append(role.equals("cluster_manager") ? 'm' : role.charAt(0));
    }
    char[] sorted = letters.toString().toCharArray();
    java.util.Arrays.sort(sorted);
    return sorted.length == 0 ? "-" : new String(sorted);
  }

  public static boolean holdsCopies(NodeInfo node) {
    return node.holdsCopies();
  }

  /** Returns the configured attributes, and the node's roles in Varve. */
  public static Map<String, String> attributes(NodeInfo node) {
    Map<String, String> attributes = new TreeMap<>(node.attributes());
    attributes.put("varve_roles", String.join(",", node.roles().stream().sorted().toList()));
    return attributes;
  }

  /** Returns the fields of a node that every response about nodes contains. */
  public static Map<String, Object> identity(NodeInfo node) {
    return JsonObjects.object(
        "name", node.name(),
        "transport_address", address(node),
        "host", host(node),
        "ip", host(node));
  }
}
