package io.varve.security;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The combined permissions of several roles. The patterns that allow an action are compiled at the
 * first check of this action. Thread-safe.
 */
public final class Permissions {

  /** Nothing is allowed. */
  public static final Permissions NONE = new Permissions(List.of());

  private record OnIndices(Set<String> actions, List<String> patterns) {}

  private final Set<String> cluster;
  private final List<OnIndices> indices = new ArrayList<>();

  /** The actions are those of routes, so their number is small. */
  private final Map<String, NamePatterns> byAction = new ConcurrentHashMap<>();

  private final Map<String, Boolean> clusterByAction = new ConcurrentHashMap<>();

  public Permissions(Collection<Role> roles) {
    this.cluster =
        ActionGroups.expand(
            roles.stream().flatMap(role -> role.clusterPermissions().stream()).toList());
    for (Role role : roles) {
      for (IndexPermission permission : role.indexPermissions()) {
        indices.add(
            new OnIndices(
                ActionGroups.expand(permission.allowedActions()), permission.indexPatterns()));
      }
    }
  }

  /** Whether the action is allowed on the cluster as a whole. */
  public boolean allowCluster(String action) {
    return clusterByAction.computeIfAbsent(action, asked -> ActionGroups.allow(cluster, asked));
  }

  /** Whether the action is allowed on an index or alias of that name. */
  public boolean allow(String action, String name) {
    return patterns(action).matches(name);
  }

  /** Whether the action is allowed on any name. */
  public boolean allowSomewhere(String action) {
    return !patterns(action).isEmpty();
  }

  private NamePatterns patterns(String action) {
    return byAction.computeIfAbsent(
        action,
        asked ->
            new NamePatterns(
                indices.stream()
                    .filter(on -> ActionGroups.allow(on.actions(), asked))
                    .flatMap(on -> on.patterns().stream())
                    .toList()));
  }
}
