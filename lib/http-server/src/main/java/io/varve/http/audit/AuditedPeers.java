package io.varve.http.audit;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.varve.http.security.PeerRefusals;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/**
 * Records refused certificates and secrets of processes. Everybody who reaches the port can cause
 * them, so only the first ones of each second are recorded; the others are counted as dropped.
 */
public final class AuditedPeers implements PeerRefusals {

  static final int PER_SECOND = 10;
  private static final int MAX_REASON = 200;

  private static final int FORBIDDEN = 403;

  private final AuditLog log;
  private final String node;
  private final InstantSource clock;
  private final RateLimiter limit =
      RateLimiter.of(
          "refused-peers",
          RateLimiterConfig.custom()
              .limitForPeriod(PER_SECOND)
              .limitRefreshPeriod(Duration.ofSeconds(1))
              .timeoutDuration(Duration.ZERO)
              .build());

  /**
   * @param node the name of this process
   */
  public AuditedPeers(AuditLog log, String node, InstantSource clock) {
    this.log = log;
    this.node = node;
    this.clock = clock;
  }

  @Override
  public void refused(Refusal refusal) {
    if (!limit.acquirePermission()) {
      log.drop();
      return;
    }
    log.offer(event(refusal));
  }

  private AuditEvent event(Refusal refusal) {
    String reason = refusal.reason();
    return new AuditEvent(
        UUID.randomUUID().toString(),
        clock.millis(),
        node,
        AuditEvent.Kind.REFUSED,
        "",
        null,
        refusal.remoteAddress(),
        refusal.method(),
        refusal.path(),
        "",
        FORBIDDEN,
        List.of(),
        reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) : reason);
  }
}
