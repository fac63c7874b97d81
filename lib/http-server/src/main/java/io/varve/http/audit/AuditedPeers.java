package io.varve.http.audit;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.varve.http.security.PeerRefusals;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Records refused certificates and secrets of processes. Any client that reaches the port can cause
 * them, so only the first ones of each second are recorded; the others are counted as dropped.
 */
public final class AuditedPeers implements PeerRefusals {

  static final int PER_SECOND = 10;
  private static final int MAX_REASON = 200;

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

  private final Map<Cause, LongAdder> counts =
      Arrays.stream(Cause.values())
          .collect(Collectors.toUnmodifiableMap(Function.identity(), _ -> new LongAdder()));

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
    Objects.requireNonNull(counts.get(refusal.cause())).increment();
    if (!limit.acquirePermission()) {
      log.drop();
      return;
    }
    log.offer(event(refusal));
  }

  /** All refusals for that cause, whether or not they were recorded. */
  public long count(Cause cause) {
    return Objects.requireNonNull(counts.get(cause)).sum();
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
        refusal.status(),
        List.of(),
        reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) : reason);
  }
}
