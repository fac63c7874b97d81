package io.varve.cluster;

import java.util.Set;

/**
 * A member of the cluster.
 *
 * @param nodeId kept in the node's data folder
 * @param incarnation new at every start of the process
 * @param roles of {@link #COORDINATOR}, {@link #PRIMARY}, {@link #REPLICA}, {@link #CCR}
 */
public record NodeInfo(
    String nodeId, String name, String incarnation, Set<String> roles, String url) {

  public static final String COORDINATOR = "coordinator";
  public static final String PRIMARY = "primary";
  public static final String REPLICA = "replica";
  public static final String CCR = "ccr";

  public NodeInfo {
    roles = Set.copyOf(roles);
  }

  public boolean has(String role) {
    return roles.contains(role);
  }
}
