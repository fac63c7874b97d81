package io.varve.node.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.varve.events.CopyProgress;
import io.varve.node.CopyHost;
import io.varve.node.NodeContext;
import io.varve.node.ShardCopy;
import io.varve.rpc.CopyStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gauges of each copy, {@code varve.copy.*}, renewed each second. */
final class CopyMeters {

  private static final Logger LOG = LoggerFactory.getLogger(CopyMeters.class);

  private static final Map<String, ToDoubleFunction<CopyStats>> FIGURES = new LinkedHashMap<>();

  static {
    figure("copy.applied.seq.no", stats -> stats.progress().appliedSeqNo());
    figure("copy.visible.seq.no", stats -> stats.progress().visibleSeqNo());
    figure("copy.lag.millis", stats -> stats.progress().millisBehind());
    figure("copy.bytes.behind", stats -> stats.progress().bytesBehind());
    figure("copy.checkpoints.behind", stats -> stats.progress().checkpointsBehind());
    figure("copy.docs", CopyStats::docs);
    figure("copy.store.bytes", CopyStats::storeBytes);
    figure("copy.segments", CopyStats::segments);
    figure("copy.uncommitted.operations", CopyStats::uncommittedOperations);
    figure("copy.fetched.bytes", stats -> stats.progress().bytesFetched());
    figure("copy.fetched.files", stats -> stats.progress().filesFetched());
    figure("write.operations", stats -> stats.indexing().indexTotal());
    figure("write.deletes", stats -> stats.indexing().deleteTotal());
    figure("write.millis", stats -> stats.indexing().indexMillis());
    figure("refresh.total", stats -> stats.refresh().total());
    figure("refresh.millis", stats -> stats.refresh().millis());
  }

  private static void figure(String name, ToDoubleFunction<CopyStats> figure) {
    FIGURES.put("varve." + name, figure);
  }

  private final CopyHost host;
  private final Map<String, MultiGauge> gauges = new LinkedHashMap<>();

  CopyMeters(CopyHost host, MeterRegistry meters, NodeContext node) {
    this.host = host;
    FIGURES.keySet().forEach(name -> gauges.put(name, MultiGauge.builder(name).register(meters)));
    var _ =
        node.timer()
            .scheduleWithFixedDelay(
                () -> node.blocking().execute(this::renew), 1, 1, TimeUnit.SECONDS);
  }

  private void renew() {
    List<CopyStats> all = new ArrayList<>();
    for (ShardCopy copy : host.copies()) {
      if (copy.searchable().isPresent()) {
        try {
          all.add(copy.stats());
        } catch (RuntimeException e) {
          LOG.debug("{} was closed between two calls", copy.shard(), e);
        }
      }
    }
    FIGURES.forEach((name, figure) ->
        gauges
            .get(name)
            .register(
                all.stream()
                    .<MultiGauge.Row<?>>map(stats ->
                        MultiGauge.Row.of(tags(stats.progress()), figure.applyAsDouble(stats)))
                    .toList(),
                true));
  }

  private static Tags tags(CopyProgress progress) {
    return Tags.of(
        "index",
        progress.shard().indexUuid(),
        "shard",
        Integer.toString(progress.shard().number()),
        "role",
        progress.primary() ? "primary" : "replica");
  }
}
