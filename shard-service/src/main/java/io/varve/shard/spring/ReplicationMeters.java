package io.varve.shard.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.varve.host.NodeContext;
import io.varve.shard.replicated.Rereplications;
import io.varve.shard.replicated.Rereplications.Row;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Gauges of each shard of a strongly consistent index whose primary is or was on this node; updated
 * at the end of each interval of {@link Rereplications}.
 */
final class ReplicationMeters {

  private static final Map<String, ToDoubleFunction<Row>> FIGURES = new LinkedHashMap<>();

  static {
    FIGURES.put("varve.replication.unreplicated.records", Row::unreplicatedRecords);
    FIGURES.put("varve.replication.exonerated.records", Row::exonerated);
    FIGURES.put("varve.rereplication.success", row -> row.counts().success());
    FIGURES.put("varve.rereplication.error", row -> row.counts().error());
    FIGURES.put("varve.rereplication.timeout", row -> row.counts().timeout());
  }

  private final Rereplications rereplications;
  private final NodeContext node;
  private final Map<String, MultiGauge> gauges = new LinkedHashMap<>();

  ReplicationMeters(Rereplications rereplications, NodeContext node, MeterRegistry meters) {
    this.rereplications = rereplications;
    this.node = node;
    FIGURES.keySet().forEach(name -> gauges.put(name, MultiGauge.builder(name).register(meters)));
  }

  void renew() {
    List<Row> rows = rereplications.rows();
    FIGURES.forEach((name, figure) ->
        gauges
            .get(name)
            .register(
                rows.stream()
                    .<MultiGauge.Row<?>>map(
                        row -> MultiGauge.Row.of(tags(row), figure.applyAsDouble(row)))
                    .toList(),
                true));
  }

  private Tags tags(Row row) {
    return Tags.of(
        "index",
        node.indexName(row.shard().indexUuid()),
        "shard",
        Integer.toString(row.shard().number()));
  }
}
