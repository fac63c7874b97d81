package io.varve.security;

import io.varve.names.Wildcard;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** OpenSearch's built-in action groups: names for sets of actions and of other groups. */
public final class ActionGroups {

  private static final Map<String, List<String>> GROUPS =
      Map.ofEntries(
          Map.entry("unlimited", List.of("*")),
          Map.entry("indices_all", List.of("indices:*")),
          Map.entry("cluster_all", List.of("cluster:*")),
          Map.entry("cluster_monitor", List.of("cluster:monitor/*")),
          Map.entry(
              "cluster_composite_ops_ro",
              List.of(
                  "indices:data/read/mget",
                  "indices:data/read/msearch",
                  "indices:data/read/scroll*",
                  "indices:data/read/point_in_time/readall",
                  "indices:data/read/point_in_time/delete*",
                  "indices:admin/aliases/get")),
          Map.entry(
              "cluster_composite_ops",
              List.of(
                  "indices:data/write/bulk",
                  "indices:data/write/reindex",
                  "cluster_composite_ops_ro")),
          Map.entry("manage_snapshots", List.of("cluster:admin/remotestore/*")),
          Map.entry("data_access", List.of("indices:data/*", "crud")),
          Map.entry("crud", List.of("read", "write")),
          Map.entry(
              "read",
              List.of(
                  "indices:data/read*",
                  "indices:admin/mappings/fields/get*",
                  "indices:admin/resolve/index")),
          Map.entry("write", List.of("indices:data/write*", "indices:admin/mapping/put")),
          Map.entry(
              "search",
              List.of(
                  "indices:data/read/search*",
                  "indices:data/read/msearch*",
                  "indices:data/read/explain",
                  "indices:data/read/point_in_time/create",
                  "indices:admin/resolve/index")),
          Map.entry("get", List.of("indices:data/read/get*", "indices:data/read/mget*")),
          Map.entry(
              "index",
              List.of(
                  "indices:data/write/index*",
                  "indices:data/write/update*",
                  "indices:data/write/bulk*",
                  "indices:admin/mapping/put")),
          Map.entry("delete", List.of("indices:data/write/delete*")),
          Map.entry("create_index", List.of("indices:admin/create", "indices:admin/mapping/put")),
          Map.entry("indices_monitor", List.of("indices:monitor/*")),
          Map.entry("manage", List.of("indices:monitor/*", "indices:admin/*")),
          Map.entry("manage_aliases", List.of("indices:admin/aliases*")));

  private ActionGroups() {}

  /** The action patterns that the entries denote. */
  static Set<String> expand(Collection<String> entries) {
    Set<String> patterns = new LinkedHashSet<>();
    entries.forEach(entry -> expand(entry, patterns));
    return patterns;
  }

  private static void expand(String entry, Set<String> patterns) {
    List<String> group = GROUPS.get(entry);
    if (group == null) {
      patterns.add(entry);
    } else {
      group.forEach(member -> expand(member, patterns));
    }
  }

  static boolean allow(Collection<String> patterns, String action) {
    return patterns.stream().anyMatch(pattern -> Wildcard.matches(pattern, action));
  }

  static void requireKnown(Collection<String> entries) {
    for (String entry : entries) {
      if (!GROUPS.containsKey(entry) && !entry.equals("*") && !entry.contains(":")) {
        throw new IllegalArgumentException(
            "["
                + entry
                + "] is neither an action group nor an action such as"
                + " [indices:data/read/search]");
      }
    }
  }
}
