package io.varve.http.audit;

import io.micrometer.core.instrument.MeterRegistry;
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

  private AuditMeters() {}

  public static void register(AuditLog log, MeterRegistry meters) {
    WAITING.register(meters, log, AuditLog::waiting);
    WRITTEN.register(meters, log, AuditLog::written);
    DROPPED.register(meters, log, AuditLog::dropped);
  }
}
