package io.varve.coordinator.security;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.varve.http.security.SecurityProperties;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits failed logins of each user from each address. Only a failure takes a permit, so a client
 * with the right password is never limited by its own requests. If there are too many pairs of user
 * and address, the least recently used one is removed.
 */
final class FailedLogins {

  private record Pair(String user, String source) {}

  private final RateLimiterConfig config;
  private final Map<Pair, RateLimiter> limiters;

  FailedLogins(SecurityProperties.FailedLogins limit) {
    this.config =
        RateLimiterConfig.custom()
            .limitForPeriod(limit.limit())
            .limitRefreshPeriod(limit.period())
            .timeoutDuration(Duration.ZERO)
            .build();
    int maxPairs = limit.maxPairs();
    this.limiters =
        Collections.synchronizedMap(
            new LinkedHashMap<>(16, 0.75f, true) {
              private static final long serialVersionUID = 1L;

              @Override
              protected boolean removeEldestEntry(Map.Entry<Pair, RateLimiter> eldest) {
                return size() > maxPairs;
              }
            });
  }

  /** Whether a login may be tried. */
  boolean mayTry(String user, String source) {
    RateLimiter limiter = limiters.get(new Pair(user, source));
    return limiter == null || limiter.getMetrics().getAvailablePermissions() > 0;
  }

  void failed(String user, String source) {
    RateLimiter limiter =
        limiters.computeIfAbsent(
            new Pair(user, source), _ -> RateLimiter.of("failed-logins", config));
    // Without a permit, this login was tried concurrently with the last one that got a permit.
    var _ = limiter.acquirePermission();
  }
}
