package io.varve.http.security;

import io.varve.process.RevocationFile;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether this process can work with its certificates:
 *
 * <pre>
 *   its own certificate is revoked            DOWN: all other processes refuse it
 *   the list of revoked ones is refused       UP, with the reason: the previous list is in use
 *   the list is past its time of renewal      UP, with the reason
 * </pre>
 */
final class CertificateHealth implements HealthIndicator {

  private final Supplier<X509Certificate> own;
  private final RevocationFile revocations;
  private final InstantSource clock;

  CertificateHealth(
      Supplier<X509Certificate> own, RevocationFile revocations, InstantSource clock) {
    this.own = own;
    this.revocations = revocations;
    this.clock = clock;
  }

  @Override
  public Health health() {
    if (revocations.get().revokes(own.get())) {
      return Health.down()
          .withDetail("reason", "the certificate of this process was revoked")
          .build();
    }
    Health.Builder health = Health.up().withDetail("revoked", revocations.get().count());
    String refusal = revocations.refusal();
    if (!refusal.isEmpty()) {
      health.withDetail("revocations_refused", refusal);
    }
    if (revocations.get().isOutdated(clock.instant())) {
      health.withDetail("revocations_outdated", true);
    }
    return health.build();
  }
}
