package io.varve.coordinator.audit;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.varve.http.security.PeerRefusals;
import java.time.Duration;

/**
 * Records refused certificates and secrets of processes. Everybody who reaches the port can cause
 * them, so only the first ones of each second are recorded; the others are counted as dropped.
 */
public final class AuditedPeers implements PeerRefusals {

  static final int PER_SECOND = 10;
  private static final int MAX_REASON = 200;

  private final Audit audit;
  private final AuditLog log;
  private final RateLimiter limit =
      RateLimiter.of(
          "refused-peers",
          RateLimiterConfig.custom()
              .limitForPeriod(PER_SECOND)
              .limitRefreshPeriod(Duration.ofSeconds(1))
              .timeoutDuration(Duration.ZERO)
              .build());

  public AuditedPeers(Audit audit, AuditLog log) {
    this.audit = audit;
    this.log = log;
  }

  @Override
  public void refused(Refusal refusal) {
    if (!limit.acquirePermission()) {
      log.drop();
      return;
    }
    String reason = refusal.reason();
    audit.peerRefused(
        refusal.remoteAddress(),
        refusal.method(),
        refusal.path(),
        reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) : reason);
  }
}
