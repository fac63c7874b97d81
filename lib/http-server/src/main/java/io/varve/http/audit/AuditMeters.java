package io.varve.http.audit;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.http.security.PeerRefusals;
import io.varve.metrics.Metric;

/** Metrics of the audit log of a process with security. */
public final class AuditMeters {

  static final Metric WAITING =
      Metric.gauge(
          "varve.audit.waiting",
          "Events that wait to be written to the audit topic (`varve.security.audit-queue-size`);"
              + " when the queue is full, changes of security, indices and settings get 503");
  static final Metric WRITTEN =
      Metric.counter("varve.audit.written", "Events written to the audit topic");
  static final Metric DROPPED =
      Metric.counter(
          "varve.audit.dropped",
          "Logins and refusals not recorded, because the queue was full or there were too many");

  static final Metric REFUSED =
      Metric.counter(
          "varve.peers.refused",
          "Connections and requests of processes that were refused: without a certificate of the"
              + " cluster (`unidentified`), of a process that may not make them (`forbidden`), or"
              + " of a node that had the primary in an earlier term (`stale_primary_term`)",
          "cause");

  private AuditMeters() {}

  public static void register(AuditLog log, MeterRegistry meters) {
    WAITING.register(meters, log, AuditLog::waiting);
    WRITTEN.register(meters, log, AuditLog::written);
    DROPPED.register(meters, log, AuditLog::dropped);
  }

  public static void register(AuditedPeers peers, MeterRegistry meters) {
    for (PeerRefusals.Cause cause : PeerRefusals.Cause.values()) {
      REFUSED.register(meters, peers, refused -> refused.count(cause), cause.label());
    }
  }
}
