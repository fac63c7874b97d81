package io.varve.coordinator.security;

import io.varve.coordinator.audit.Audit;
import io.varve.http.route.RawPath;
import io.varve.http.security.PeerFilter;
import io.varve.http.security.Refusals;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.security.Authorizer;
import io.varve.security.BuiltInRoles;
import io.varve.security.Principal;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.authentication.AuthenticationFilter;
import org.springframework.security.web.firewall.FirewalledRequest;
import org.springframework.security.web.firewall.HttpFirewall;

/**
 * Spring Security's filters before all servlets of a coordinator: a request has a user, comes from
 * this cluster, or is a health check. {@link AccessGuard} authorises requests of the dialect later,
 * by their route. Only paths outside of the dialect, which have no route there, are authorised
 * here:
 *
 * <pre>
 *   /_internal/…   processes of the cluster; another cluster that follows this one: {@link BuiltInRoles#FOLLOW}
 *   /_actuator/…   cluster:monitor/prometheus/metrics
 *   /_console/…    cluster:monitor/state
 * </pre>
 *
 * These are raw prefixes: the dialect takes every other path, encoded ones included.
 */
public final class SecurityChain {

  private static final String METRICS = "cluster:monitor/prometheus/metrics";
  private static final String CONSOLE = "cluster:monitor/state";

  private static final String EXPORT = "/_internal/cluster/export/";

  /** The templates of the requests that a following cluster sends to coordinators. */
  static final Set<String> FOR_FOLLOWERS =
      Set.of(
          EXPORT + "{name}",
          "/_internal/cluster/export",
          "/_internal/cluster/state",
          "/_internal/cluster/leases",
          "/_internal/cluster/leases/released");

  private SecurityChain() {}

  /** The filter that precedes the dispatcher. */
  static Filter of(AuthenticationManager logins, SecurityStates security, Audit audit) {
    AuthenticationFilter authentication = new AuthenticationFilter(logins, new Credentials());
    authentication.setFailureHandler((_, response, e) -> Refusals.send(response, error(e)));
    authentication.setSuccessHandler((_, _, _) -> {});
    FilterChainProxy proxy =
        new FilterChainProxy(
            List.of(
                new DefaultSecurityFilterChain(
                    SecurityChain::needsUser,
                    List.of(authentication, new RequiredUser(security, audit)))));
    proxy.setFirewall(new AnyRequest());
    return proxy;
  }

  private static boolean needsUser(HttpServletRequest request) {
    return !PeerFilter.isFromCluster(request) && !PeerFilter.isHealthCheck(request);
  }

  /** Whether a request need not come from a process of the cluster, because a user may send it. */
  static boolean isOfUsers(HttpServletRequest request) {
    return !PeerFilter.isInternal(request) || isOfFollowers(RawPath.of(request));
  }

  private static boolean isOfFollowers(String path) {
    return FOR_FOLLOWERS.contains(path)
        || (path.startsWith(EXPORT) && path.indexOf('/', EXPORT.length()) < 0);
  }

  private static ErrorBody error(AuthenticationException failure) {
    return failure instanceof Logins.Refused refused
        ? refused.error()
        : ErrorBody.of(401, "security_exception", String.valueOf(failure.getMessage()));
  }

  /**
   * Accepts paths that Spring's own firewall refuses, because ids and date math need {@code %2F},
   * {@code //} and {@code ;}. No decision here uses a decoded path.
   */
  private static final class AnyRequest implements HttpFirewall {

    @Override
    public FirewalledRequest getFirewalledRequest(HttpServletRequest request) {
      return new FirewalledRequest(request) {
        @Override
        public void reset() {
          // There is nothing to undo.
        }
      };
    }

    @Override
    public HttpServletResponse getFirewalledResponse(HttpServletResponse response) {
      return response;
    }
  }

  /** Refuses requests without a user, and paths outside of the dialect that it may not use. */
  private static final class RequiredUser extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private final transient SecurityStates security;
    private final transient Audit audit;

    RequiredUser(SecurityStates security, Audit audit) {
      this.security = security;
      this.audit = audit;
    }

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      Optional<ErrorBody> refusal = refusal(RawPath.of(request));
      if (refusal.isPresent()) {
        audit.refused(request, action(RawPath.of(request)), refusal.get().status());
        Refusals.send(response, refusal.get());
      } else {
        chain.doFilter(request, response);
      }
    }

    private Optional<ErrorBody> refusal(String path) {
      try {
        Principal user = Users.current();
        String action = action(path);
        boolean allowed =
            action.isEmpty()
                || security.current().authorizer().permissions(user).allowCluster(action);
        return allowed ? Optional.empty() : Optional.of(Authorizer.refusal(user, action));
      } catch (ApiException e) {
        return Optional.of(e.error());
      }
    }

    private static String action(String path) {
      if (isBelow("/_internal", path)) {
        return BuiltInRoles.FOLLOW;
      }
      if (isBelow("/_actuator", path)) {
        return METRICS;
      }
      return isBelow("/_console", path) ? CONSOLE : "";
    }

    private static boolean isBelow(String root, String path) {
      return path.equals(root) || path.startsWith(root + "/");
    }
  }
}
