package io.varve.host.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.varve.events.CopyProgress;
import io.varve.host.CopyHost;
import io.varve.host.NodeContext;
import io.varve.host.ShardCopy;
import io.varve.rpc.CopyStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gauges of each copy that can be read, {@code varve.copy.*} and the like, and the number of copies
 * in each state, {@code varve.copies}; updated each second.
 */
final class CopyMeters {

  private static final Logger LOG = LoggerFactory.getLogger(CopyMeters.class);

  private static final Map<String, ToDoubleFunction<CopyStats>> FIGURES = new LinkedHashMap<>();

  static {
    figure("varve.copy.applied.seq.no", stats -> stats.progress().appliedSeqNo());
    figure("varve.copy.visible.seq.no", stats -> stats.progress().visibleSeqNo());
    figure("varve.copy.lag.millis", stats -> stats.progress().millisBehind());
    figure("varve.copy.last.lag.millis", stats -> stats.progress().lastLagMillis());
    figure("varve.copy.bytes.behind", stats -> stats.progress().bytesBehind());
    figure("varve.copy.checkpoints.behind", stats -> stats.progress().checkpointsBehind());
    figure("varve.copy.docs", CopyStats::docs);
    figure("varve.copy.store.bytes", CopyStats::storeBytes);
    figure("varve.copy.segments", CopyStats::segments);
    figure("varve.copy.uncommitted.operations", stats -> stats.seqNos().uncommittedOperations());
    figure("varve.copy.fetched.bytes", stats -> stats.progress().bytesFetched());
    figure("varve.copy.fetched.files", stats -> stats.progress().filesFetched());
    figure("varve.copy.fetched.primary.bytes", stats -> stats.kept().copied().fromPrimaryBytes());
    figure("varve.copy.fetched.replica.bytes", stats -> stats.kept().copied().fromReplicaBytes());
    figure("varve.copy.fetched.store.bytes", stats -> stats.kept().downloads().bytes());
    figure("varve.copy.fetched.ahead.bytes", stats -> stats.kept().copied().aheadBytes());
    figure("varve.copy.linked.bytes", stats -> stats.kept().copied().linkedBytes());
    figure("varve.copy.fetched.opening.bytes", stats -> stats.kept().copied().openingBytes());
    figure("varve.copy.sent.bytes", stats -> stats.kept().copied().sentBytes());
    figure("varve.copy.sent.wire.bytes", stats -> stats.kept().copied().sentWireBytes());
    figure("varve.write.operations", stats -> stats.activity().indexing().index().total());
    figure("varve.write.deletes", stats -> stats.activity().indexing().delete().total());
    figure("varve.write.millis", stats -> stats.activity().indexing().index().millis());
    figure("varve.refreshes", stats -> stats.activity().refresh().external().total());
    figure("varve.refresh.millis", stats -> stats.activity().refresh().external().millis());
    upload("varve.store.lag.millis", CopyStats.Uploads::millisLag);
    upload("varve.store.bytes.behind", CopyStats.Uploads::bytesLag);
    upload("varve.store.uploaded.bytes", uploads -> uploads.bytes().succeeded());
    upload("varve.store.uploads", uploads -> uploads.attempts().succeeded());
    upload("varve.store.uploads.failed", uploads -> uploads.attempts().failed());
    upload("varve.store.rejections", uploads -> uploads.lag().rejections());
  }

  /** A gauge of primaries that upload to a segment store; other copies have no row. */
  private static void upload(String name, ToDoubleFunction<CopyStats.Uploads> figure) {
    figure(
        name,
        stats -> {
          CopyStats.Uploads uploads = stats.kept().uploads();
          return uploads == null ? Double.NaN : figure.applyAsDouble(uploads);
        });
  }

  private static void figure(String name, ToDoubleFunction<CopyStats> figure) {
    FIGURES.put(name, figure);
  }

  private final CopyHost host;
  private final NodeContext node;
  private final Map<String, MultiGauge> gauges = new LinkedHashMap<>();
  private final MultiGauge copies;

  CopyMeters(CopyHost host, MeterRegistry meters, NodeContext node) {
    this.host = host;
    this.node = node;
    this.copies = MultiGauge.builder("varve.copies").register(meters);
    FIGURES.keySet().forEach(name -> gauges.put(name, MultiGauge.builder(name).register(meters)));
    var _ =
        node.timer()
            .scheduleWithFixedDelay(
                () -> node.blocking().execute(this::renew), 1, 1, TimeUnit.SECONDS);
  }

  private void renew() {
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
    FIGURES.forEach((name, figure) ->
        gauges
            .get(name)
            .register(
                all.stream()
                    .filter(stats -> !Double.isNaN(figure.applyAsDouble(stats)))
                    .<MultiGauge.Row<?>>map(stats ->
                        MultiGauge.Row.of(tags(stats.progress()), figure.applyAsDouble(stats)))
                    .toList(),
                true));
  }

  /**
   * Every state has a row, so that the gauge of a state without copies becomes 0 instead of
   * disappearing.
   */
  private void renewStates(List<ShardCopy> here) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    for (String role : List.of("primary", "replica")) {
      for (ShardCopy.State state : ShardCopy.State.values()) {
        long count =
            here.stream()
                .filter(copy -> role(copy.primary()).equals(role) && copy.state() == state)
                .count();
        rows.add(MultiGauge.Row.of(Tags.of("role", role, "state", word(state)), count));
      }
    }
    copies.register(rows, true);
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
