package io.varve.coordinator;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.varve.log.LogException;
import io.varve.log.LogPartitions;
import io.varve.metrics.Metric;
import io.varve.metrics.RowMeters;
import io.varve.metrics.RowMeters.Column;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of the cluster's partitions at the brokers. Only the leading coordinator requests it.
 * There are no series while the brokers do not answer.
 */
final class LogMeters {

  private static final Logger LOG = LoggerFactory.getLogger(LogMeters.class);

  static final Metric PARTITIONS =
      Metric.gauge(
          "varve.log.partitions",
          "Partitions of this cluster's topics, as the leading coordinator reads them every 10 s:"
              + " `total`, `offline`, `under_replicated`, `under_min_isr`; a partition can count in"
              + " several states",
          "state");

  /** Asks the brokers. */
  @FunctionalInterface
  interface Question {
    LogPartitions ask() throws LogException;
  }

  private final BooleanSupplier leading;
  private final Question question;
  private final RowMeters<Map.Entry<String, Long>> rows;

  LogMeters(BooleanSupplier leading, Question question, MeterRegistry meters) {
    this.leading = leading;
    this.question = question;
    this.rows =
        new RowMeters<>(
            meters,
            Integer.MAX_VALUE,
            List.of(Column.sum(PARTITIONS, Map.Entry::getValue)),
            state -> Tags.of("state", state.getKey()));
  }

  void renew() {
    rows.renew(states());
  }

  private List<Map.Entry<String, Long>> states() {
    if (!leading.getAsBoolean()) {
      return List.of();
    }
    try {
      LogPartitions partitions = question.ask();
      return List.of(
          Map.entry("total", partitions.total()),
          Map.entry("offline", partitions.offline()),
          Map.entry("under_replicated", partitions.underReplicated()),
          Map.entry("under_min_isr", partitions.underMinIsr()));
    } catch (LogException e) {
      LOG.debug("the brokers do not describe their partitions", e);
      return List.of();
    }
  }
}
