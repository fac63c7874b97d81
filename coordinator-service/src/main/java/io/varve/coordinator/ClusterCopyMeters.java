package io.varve.coordinator;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.control.ProgressTracker;
import io.varve.control.ProgressTracker.Seen;
import io.varve.events.CopyProgress;
import io.varve.metrics.Metric;
import io.varve.metrics.RowMeters;
import io.varve.metrics.RowMeters.Column;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Metrics of each copy, from the progress reports that this coordinator received. A process that is
 * frozen or cut off exports nothing itself, but the age of its reports grows here.
 *
 * <pre>
 *   age    time since the report or the last heartbeat of its node, whichever is newer: a copy
 *          without a change reports rarely, and heartbeats show that its last report still holds
 *   lag    the lag that the copy reported, plus the age of that report if the primary shows more
 *          than the copy did at that time
 * </pre>
 *
 * A copy keeps its row until the cluster state replaces it by another.
 */
final class ClusterCopyMeters {

  static final Metric LAG =
      gauge(
          "varve.cluster.copy.lag.seconds",
          "Age of the oldest manifest or operation that the copy does not show, by its last report;"
              + " it grows with the age of that report while the primary shows more");
  static final Metric OPERATIONS_BEHIND =
      gauge(
          "varve.cluster.copy.operations.behind",
          "Operations that the primary shows and this copy does not, by their last reports");
  static final Metric REPORT_AGE =
      gauge(
          "varve.cluster.copy.report.age.seconds",
          "Time since this coordinator received the copy's last report or a heartbeat of its node,"
              + " whichever is newer");
  static final Metric MANIFEST_AGE =
      gauge(
          "varve.cluster.copy.manifest.age.seconds",
          "Time since this coordinator first saw the copy show its current manifest; an index"
              + " without writes publishes none");

  private static final double MILLIS_PER_SECOND = 1000;

  /** The manifest that a copy shows, and the time at which it was first reported. */
  private record Shown(long term, long generation, long sinceMillis) {}

  /** A copy of the cluster state with its last report and that of its primary. */
  private record Row(
      String index, CopyRouting copy, String node, Seen seen, long primaryVisible, Shown shown) {

    CopyProgress progress() {
      return seen.progress();
    }

    Tags tags() {
      return Tags.of(
          "index",
          index,
          "shard",
          Integer.toString(progress().shard().number()),
          "role",
          copy.primary() ? "primary" : copy.searchOnly() ? "search" : "replica",
          "target",
          node);
    }

    long operationsBehind() {
      return Math.max(0, primaryVisible - progress().visibleSeqNo());
    }
  }

  private final Supplier<ClusterState> state;
  private final ProgressTracker progress;
  private final ToLongFunction<String> nodeSilentMillis;
  private final LongSupplier clockMillis;
  private final RowMeters<Row> rows;
  private Map<String, Shown> shown = Map.of();

  /**
   * @param nodeSilentMillis time since the last heartbeat of a node, by its id
   * @param clockMillis a monotonic clock
   * @param limit copies that are exported one by one
   */
  ClusterCopyMeters(
      Supplier<ClusterState> state,
      ProgressTracker progress,
      ToLongFunction<String> nodeSilentMillis,
      LongSupplier clockMillis,
      MeterRegistry meters,
      int limit) {
    this.state = state;
    this.progress = progress;
    this.nodeSilentMillis = nodeSilentMillis;
    this.clockMillis = clockMillis;
    this.rows =
        new RowMeters<>(
            meters,
            limit,
            List.of(
                Column.max(LAG, this::lagSeconds),
                Column.sum(OPERATIONS_BEHIND, Row::operationsBehind),
                Column.max(REPORT_AGE, row -> ageMillis(row) / MILLIS_PER_SECOND),
                Column.max(MANIFEST_AGE, this::manifestAgeSeconds)),
            Row::tags);
  }

  /** Exports the copies of the current state; called every second. */
  void renew() {
    ClusterState now = state.get();
    Map<String, Shown> newShown = new HashMap<>();
    List<Row> all = new ArrayList<>();
    Set<Tags> known = new HashSet<>();
    for (IndexMetadata index : now.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        long primaryVisible =
            progress.of(shard.primary().copyId()).map(CopyProgress::visibleSeqNo).orElse(-1L);
        for (CopyRouting copy : shard.copies()) {
          Optional<Seen> seen = progress.seen(copy.copyId());
          if (seen.isPresent()) {
            Shown of = shown(copy.copyId(), seen.get().progress());
            newShown.put(copy.copyId(), of);
            Row row =
                new Row(index.name(), copy, node(now, seen.get()), seen.get(), primaryVisible, of);
            // The source and the target of a relocation are on different nodes.
            if (known.add(row.tags())) {
              all.add(row);
            }
          }
        }
      }
    }
    shown = newShown;
    rows.renew(all);
  }

  private Shown shown(String copyId, CopyProgress now) {
    Shown before = shown.get(copyId);
    return before != null && before.term() == now.term() && before.generation() == now.generation()
        ? before
        : new Shown(now.term(), now.generation(), clockMillis.getAsLong());
  }

  private static String node(ClusterState state, Seen seen) {
    String id = seen.progress().nodeId();
    return state.node(id).map(NodeInfo::name).orElse(id);
  }

  private double lagSeconds(Row row) {
    double age = row.operationsBehind() > 0 ? ageMillis(row) : 0;
    return (row.progress().millisBehind() + age) / MILLIS_PER_SECOND;
  }

  private double ageMillis(Row row) {
    return Math.min(
        progress.ageMillis(row.seen()), nodeSilentMillis.applyAsLong(row.progress().nodeId()));
  }

  private double manifestAgeSeconds(Row row) {
    return (clockMillis.getAsLong() - row.shown().sinceMillis()) / MILLIS_PER_SECOND;
  }

  private static Metric gauge(String name, String help) {
    return Metric.gauge(name, help, "index", "shard", "role", "target");
  }
}
