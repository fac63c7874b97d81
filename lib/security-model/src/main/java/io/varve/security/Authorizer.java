package io.varve.security;

import io.varve.rpc.ErrorBody;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides, for one {@link SecurityState}, whether a principal may execute an action. Compiles the
 * permissions of each set of roles once. Thread-safe.
 */
public final class Authorizer {

  /** The result of a decision. */
  public sealed interface Decision {
    record Allowed() implements Decision {}

    record Refused(ErrorBody error) implements Decision {}
  }

  private static final Decision ALLOWED = new Decision.Allowed();

  private final SecurityState state;
  private final Map<Set<String>, Permissions> byRoles = new ConcurrentHashMap<>();

  public Authorizer(SecurityState state) {
    this.state = state;
  }

  public Permissions permissions(Principal principal) {
    return byRoles.computeIfAbsent(
        principal.roles(),
        names ->
            new Permissions(names.stream().flatMap(name -> state.role(name).stream()).toList()));
  }

  /** An action on the cluster as a whole. */
  public Decision decide(Principal principal, String action) {
    return permissions(principal).allowCluster(action) ? ALLOWED : refused(principal, action);
  }

  /** An action on indices, all of which must be allowed, whether they exist or not. */
  public Decision decide(Principal principal, String action, Collection<String> names) {
    Permissions permissions = permissions(principal);
    return names.stream().allMatch(name -> permissions.allow(action, name))
        ? ALLOWED
        : refused(principal, action);
  }

  /** The names on which the action is allowed. */
  public List<String> shrink(Principal principal, String action, Collection<String> names) {
    Permissions permissions = permissions(principal);
    return names.stream().filter(name -> permissions.allow(action, name)).toList();
  }

  private static Decision refused(Principal principal, String action) {
    return new Decision.Refused(refusal(principal, action));
  }

  /** OpenSearch's error. */
  public static ErrorBody refusal(Principal principal, String action) {
    return ErrorBody.of(
        403, "security_exception", "no permissions for [" + action + "] and " + principal);
  }
}
