package io.varve.coordinator.security;

import io.varve.coordinator.access.Access;
import io.varve.coordinator.access.IdSignatures;
import io.varve.coordinator.access.RouteAction;
import io.varve.coordinator.access.RouteActions;
import io.varve.coordinator.audit.Audit;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DateMathName;
import io.varve.names.Wildcard;
import io.varve.process.RequestContext;
import io.varve.rest.RequestGuard;
import io.varve.rest.RequestRunner;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.security.Principal;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Authorises requests of the REST dialect by the route that was found, never by their path: other
 * parts of a server decode paths differently. Names in the path are checked here, before anything
 * else is read; patterns, and names in bodies, are checked where they are resolved to indices
 * ({@link Access}).
 */
public final class AccessGuard implements RequestGuard {

  private static final String INDEX = "index";

  private final SecurityStates security;
  private final ClusterAccess cluster;
  private final IdSignatures signatures;
  private final Audit audit;
  private final UserRequests requests;
  private final RouteActions actions = new RouteActions();

  AccessGuard(
      SecurityStates security,
      ClusterAccess cluster,
      IdSignatures signatures,
      Audit audit,
      UserRequests requests) {
    this.requests = requests;
    this.audit = audit;
    this.security = security;
    this.cluster = cluster;
    this.signatures = signatures;
  }

  @Override
  public void guard(
      HttpServletRequest http,
      Route route,
      Map<String, String> variables,
      RequestRunner.Action request)
      throws InterruptedException {
    Principal principal = Users.current();
    requests.run(principal.name(), () -> guard(principal, http, route, variables, request));
  }

  private void guard(
      Principal principal,
      HttpServletRequest http,
      Route route,
      Map<String, String> variables,
      RequestRunner.Action request)
      throws InterruptedException {
    RouteAction action =
        actions
            .of(route)
            .orElseThrow(() ->
                new ApiException(
                    403, "security_exception", "[" + route + "] has no permission defined"));
    Access access =
        new Access(
            principal, security.current().authorizer().permissions(principal), action, signatures);
    audit.around(
        http,
        access,
        route.method(),
        action,
        () -> {
          access.requireRoute();
          requireNames(access, variables.get(INDEX));
          RequestContext.run(access, request::run);
        });
  }

  private void requireNames(Access access, @Nullable String expression) {
    if (expression == null) {
      return;
    }
    boolean wildcardSeen = false;
    for (String part : expression.split(",", -1)) {
      boolean excluded = wildcardSeen && part.startsWith("-");
      String name = DateMathName.resolve(part);
      if (Wildcard.isPattern(name) || name.equals("_all")) {
        wildcardSeen = true;
      } else if (!excluded && !name.isEmpty()) {
        access.require(cluster.state(), name);
      }
    }
  }
}
