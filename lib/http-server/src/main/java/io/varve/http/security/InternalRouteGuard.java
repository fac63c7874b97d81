package io.varve.http.security;

import io.varve.cluster.ClusterSecret;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Refuses requests for the internal endpoints of Spring's dispatcher by their resolved route. Users
 * may also call routes of followers; their role was checked before.
 */
public final class InternalRouteGuard implements HandlerInterceptor {

  private final Peers peers;
  private final Set<String> ofFollowers;

  /**
   * @param ofFollowers the templates that a following cluster may call
   */
  public InternalRouteGuard(Peers peers, Set<String> ofFollowers) {
    this.peers = peers;
    this.ofFollowers = Set.copyOf(ofFollowers);
  }

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws IOException {
    String template =
        String.valueOf(request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE));
    if (!template.startsWith(ClusterSecret.INTERNAL)
        || (!PeerFilter.isFromCluster(request) && ofFollowers.contains(template))) {
      return true;
    }
    Optional<ErrorBody> refusal = peers.refusal(request, request.getMethod(), template);
    if (refusal.isPresent()) {
      Refusals.send(response, refusal.get());
    }
    return refusal.isEmpty();
  }
}
