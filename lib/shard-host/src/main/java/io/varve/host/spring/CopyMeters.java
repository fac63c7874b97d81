package io.varve.host.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.varve.events.CopyProgress;
import io.varve.host.CopyHost;
import io.varve.host.NodeContext;
import io.varve.host.ShardCopy;
import io.varve.metrics.Metric;
import io.varve.metrics.RowMeters;
import io.varve.rpc.CopyStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of each copy that can be read ({@link CopyColumns}), and the number of copies in each
 * state; updated every second.
 */
final class CopyMeters {

  private static final Logger LOG = LoggerFactory.getLogger(CopyMeters.class);

  static final Metric COPIES =
      Metric.gauge(
          "varve.copies",
          "Copies by state: `empty`, `starting`, `replaying`, `copying`, `opened`, `started`,"
              + " `gate_closed`, `failed`, `closed`",
          "role",
          "state");

  private final CopyHost host;
  private final NodeContext node;
  private final RowMeters<CopyStats> rows;
  private final CopyEventMeters events;
  private final MultiGauge copies;

  /**
   * @param limit copies that are exported one by one
   */
  CopyMeters(CopyHost host, MeterRegistry meters, NodeContext node, int limit) {
    this.host = host;
    this.node = node;
    this.copies = MultiGauge.builder(COPIES.name()).description(COPIES.help()).register(meters);
    this.rows = new RowMeters<>(meters, limit, CopyColumns.ALL, stats -> tags(stats.progress()));
    this.events = new CopyEventMeters(meters, node::indexName);
    host.reportTo(events);
    var _ =
        node.timer()
            .scheduleWithFixedDelay(
                () -> node.blocking().execute(this::renew), 1, 1, TimeUnit.SECONDS);
  }

  /** Rounds may overlap if one takes longer than a second. */
  private synchronized void renew() {
    List<ShardCopy> here = host.copies();
    renewStates(here);
    List<CopyStats> all = new ArrayList<>();
    for (ShardCopy copy : here) {
      if (copy.searchable().isPresent()) {
        try {
          all.add(copy.stats());
        } catch (RuntimeException e) {
          LOG.debug("{} was closed between two calls", copy.shard(), e);
        }
      }
    }
    rows.renew(all);
    events.retain(here);
  }

  /**
   * Every state has a row, so that the gauge of a state without copies becomes 0 instead of
   * disappearing.
   */
  private void renewStates(List<ShardCopy> here) {
    List<MultiGauge.Row<?>> states = new ArrayList<>();
    for (String role : List.of("primary", "replica")) {
      for (ShardCopy.State state : ShardCopy.State.values()) {
        long count =
            here.stream()
                .filter(copy -> role(copy.primary()).equals(role) && copy.state() == state)
                .count();
        states.add(MultiGauge.Row.of(Tags.of("role", role, "state", word(state)), count));
      }
    }
    copies.register(states, true);
  }

  private static String word(ShardCopy.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static String role(boolean primary) {
    return primary ? "primary" : "replica";
  }

  private Tags tags(CopyProgress progress) {
    String uuid = progress.shard().indexUuid();
    return Tags.of(
        "index",
        node.indexName(uuid),
        "shard",
        Integer.toString(progress.shard().number()),
        "role",
        role(progress.primary()));
  }
}
