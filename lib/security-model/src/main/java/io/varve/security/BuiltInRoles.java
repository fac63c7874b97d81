package io.varve.security;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The roles that every cluster has and that can't be changed. */
public final class BuiltInRoles {

  public static final String ADMIN = "admin";
  public static final String MONITOR = "monitor";
  public static final String READ_ALL = "read_all";
  public static final String FOLLOWER = "follower";

  /** The action of reading the data that another cluster needs to follow this one. */
  public static final String FOLLOW = "cluster:admin/varve/follow";

  /** By name. */
  public static final Map<String, Role> ALL = all();

  private BuiltInRoles() {}

  private static Map<String, Role> all() {
    Map<String, Role> roles = new TreeMap<>();
    add(roles, ADMIN, "All actions", List.of("*"), List.of(on("*", "*")));
    add(
        roles,
        MONITOR,
        "Reads the state and the statistics of the cluster, but no documents",
        List.of("cluster_monitor", "indices:admin/aliases/get", "indices:admin/*template/get"),
        List.of(on("*", "indices_monitor", "indices:admin/get", "indices:admin/*/get")));
    add(
        roles,
        READ_ALL,
        "Reads all documents and the metadata of all indices",
        List.of("cluster_composite_ops_ro", "cluster:monitor/main", "cluster:monitor/health"),
        List.of(on("*", "read", "indices:admin/get", "indices:admin/*/get")));
    add(
        roles,
        FOLLOWER,
        "For another cluster that follows indices of this one",
        List.of(FOLLOW, "cluster:monitor/main"),
        List.of());
    return Map.copyOf(roles);
  }

  private static IndexPermission on(String pattern, String... actions) {
    return new IndexPermission(List.of(pattern), List.of(actions));
  }

  private static void add(
      Map<String, Role> roles,
      String name,
      String description,
      List<String> cluster,
      List<IndexPermission> indices) {
    roles.put(name, new Role(name, description, cluster, indices));
  }
}
