package io.varve.http.security;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.metrics.Metric;
import io.varve.process.RevocationFile;

/** Metrics of the certificates of a process. */
final class CertificateMeters {

  static final Metric REVOKED =
      Metric.gauge(
          "varve.certificates.revoked", "Certificates that this process refuses as revoked");
  static final Metric REFUSED =
      Metric.gauge(
          "varve.certificates.list.refused",
          "1 while the file `crl.pem` is refused and the list before it is in use, else 0");

  private CertificateMeters() {}

  static void register(RevocationFile revocations, MeterRegistry meters) {
    REVOKED.register(meters, revocations, file -> file.get().count());
    REFUSED.register(meters, revocations, file -> file.refusal().isEmpty() ? 0 : 1);
  }
}
