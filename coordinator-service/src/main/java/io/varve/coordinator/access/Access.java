package io.varve.coordinator.access;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.process.RequestContext;
import io.varve.rpc.ApiException;
import io.varve.security.Authorizer;
import io.varve.security.Permissions;
import io.varve.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rights of the user of the current request. All code that resolves a name to an index checks
 * them, regardless of the part of the request that contains the name.
 *
 * <pre>
 *   a name      refused with 403 unless all actions of the route are allowed on it, whether it
 *               exists or not; an alias needs them on each of its indices
 *   a pattern   matches only the indices on which they are allowed
 * </pre>
 *
 * An action that is allowed on an alias's name is allowed on its indices. Without security, and in
 * work of the coordinator itself, everything is allowed.
 */
public final class Access {

  private static final Access UNRESTRICTED =
      new Access(
          new Principal("", List.of(), Set.of(), null),
          Permissions.NONE,
          RouteAction.anyone(""),
          null);

  private final Principal principal;
  private final Permissions permissions;
  private final RouteAction route;
  private final @Nullable IdSignatures signatures;
  private final RefusedNames refused = new RefusedNames();

  /**
   * @param signatures null only without security
   */
  public Access(
      Principal principal,
      Permissions permissions,
      RouteAction route,
      @Nullable IdSignatures signatures) {
    this.principal = principal;
    this.permissions = permissions;
    this.route = route;
    this.signatures = signatures;
  }

  /** The rights of the request for which this thread works. */
  public static Access current() {
    return RequestContext.current() instanceof Access access ? access : UNRESTRICTED;
  }

  /** Whether the request has a user. */
  public boolean hasUser() {
    return this != UNRESTRICTED;
  }

  /**
   * The signature of an id for this user; empty without a user.
   *
   * @param length of the bytes that are signed, from the first one on
   */
  public Optional<byte[]> signature(byte[] bytes, int length) {
    return signatures == null
        ? Optional.empty()
        : Optional.of(signatures.sign(principal.name(), bytes, length));
  }

  /** The names of indices to which this request was refused access. */
  public RefusedNames refused() {
    return refused;
  }

  public Principal principal() {
    return principal;
  }

  /** Whether an action on the cluster as a whole is allowed. */
  public boolean allowsCluster(String action) {
    return this == UNRESTRICTED || permissions.allowCluster(action);
  }

  /**
   * Checks the route before anything of the request is read.
   *
   * @throws ApiException 403: the action is allowed neither on the cluster nor on any index
   */
  public void requireRoute() {
    boolean allowed =
        switch (route.scope()) {
          case ANYONE -> true;
          case CLUSTER, COMPOSITE -> permissions.allowCluster(route.action());
          case INDICES -> route.onIndices().stream().allMatch(permissions::allowSomewhere);
        };
    if (!allowed) {
      throw refusal(route.action());
    }
  }

  /** Whether the request may read or change the index. */
  public boolean allows(IndexMetadata index) {
    return refused(route.onIndices(), index) == null;
  }

  /**
   * Checks a name that the request reads or changes.
   *
   * @throws ApiException 403
   */
  public void require(ClusterState state, String name) {
    require(route.onIndices(), state, name);
  }

  /** Checks a name that the request writes to. */
  public void requireTarget(ClusterState state, String name) {
    require(route.onTargets(), state, name);
  }

  /** Checks a name for one action, in addition to those of the route. */
  public void require(String action, ClusterState state, String name) {
    if (this != UNRESTRICTED && route.scope() != RouteAction.Scope.CLUSTER) {
      require(List.of(action), state, name);
    }
  }

  private void require(List<String> actions, ClusterState state, String name) {
    if (actions.isEmpty()) {
      return;
    }
    String action = refused(actions, state, name);
    if (action != null) {
      refused.add(name);
      throw refusal(action);
    }
  }

  /** The first of the actions that is not allowed on the name; null if all are. */
  private @Nullable String refused(List<String> actions, ClusterState state, String name) {
    IndexMetadata index = state.indices().get(name);
    if (index != null) {
      return refused(actions, index);
    }
    List<IndexMetadata> withAlias = state.indicesOf(name);
    for (IndexMetadata one : withAlias) {
      String action = refused(actions, one);
      if (action != null) {
        return action;
      }
    }
    return !withAlias.isEmpty()
        ? null
        : actions.stream()
            .filter(action -> !permissions.allow(action, name))
            .findFirst()
            .orElse(null);
  }

  /** The first of the actions that is not allowed on the index; null if all are. */
  private @Nullable String refused(List<String> actions, IndexMetadata index) {
    for (String action : actions) {
      if (!permissions.allow(action, index.name())
          && index.aliases().keySet().stream()
              .noneMatch(alias -> permissions.allow(action, alias))) {
        return action;
      }
    }
    return null;
  }

  private ApiException refusal(String action) {
    return new ApiException(Authorizer.refusal(principal, action));
  }
}
